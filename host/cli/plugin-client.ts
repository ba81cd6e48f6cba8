import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  AddedPlugin,
  ChangedPlugin,
  PluginEvents,
  type PluginService,
  PluginServices,
  PluginStates,
  RolledBackPlugin,
} from "../api/answers.js";
import type { PluginGrants } from "../configuration/plugin-grants.js";
import { PluginOverview } from "../plugins/administration/administration.js";
import { PluginConfiguration } from "../plugins/configuration/configuration.js";
import { answerReader, type HostClient, withSuggestion } from "./host-client.js";

const mostAtOnce = 64 * 1024;

const readStates = answerReader(PluginStates);
const readServices = answerReader(PluginServices);
const readEvents = answerReader(PluginEvents);
const readAdded = answerReader(AddedPlugin);
const readChanged = answerReader(ChangedPlugin);
const readOverview = answerReader(PluginOverview);
const readConfiguration = answerReader(PluginConfiguration);
const readRolledBack = answerReader(RolledBackPlugin);

/** Plugin administration of a running host. Responses are validated and returned unchanged. */
export class PluginClient {
  constructor(private readonly host: HostClient) {}

  async states(): Promise<PluginStates> {
    return readStates(await this.host.json("/api/plugins"));
  }

  /** The service methods of a plugin, of all versions that serve. */
  async services(plugin: string): Promise<PluginService[]> {
    try {
      const answer = await this.host.json(`/api/services?${new URLSearchParams({ plugin })}`);
      return readServices(answer).services;
    } catch (error) {
      throw withSuggestion(error, plugin, "plugins");
    }
  }

  async events(query: { limit: number; plugin?: string | undefined }): Promise<PluginEvents> {
    const parameters = new URLSearchParams({ limit: String(query.limit) });
    if (query.plugin !== undefined) parameters.set("plugin", query.plugin);
    return readEvents(await this.host.json(`/api/events?${parameters}`));
  }

  /** Sends an archive and waits for the outcome. */
  async add(
    archive: string,
    { isForced, told }: { isForced: boolean; told: (sent: number, total: number) => void },
  ): Promise<AddedPlugin> {
    const upload = { file: archive, mediaType: "application/octet-stream" };
    const path = isForced ? "/api/plugins?force=true" : "/api/plugins";
    return readAdded(await uploadFile(this.host, path, upload, told));
  }

  async rollback(plugin: string, wanted: { release?: string; version?: string }): Promise<RolledBackPlugin> {
    const answer = await this.change(plugin, "rollback", wanted).catch((error: unknown) => {
      throw withSuggestion(error, wanted.release, "releases");
    });
    return readRolledBack(answer);
  }

  async disable(plugin: string): Promise<ChangedPlugin> {
    return readChanged(await this.change(plugin, "disable", {}));
  }

  async overview(plugin: string): Promise<PluginOverview> {
    const answer = await this.host
      .json(`/api/plugins/${encodeURIComponent(plugin)}`)
      .catch((error: unknown) => {
        throw withSuggestion(error, plugin, "plugins");
      });
    return readOverview(answer);
  }

  async grant(plugin: string, grants: PluginGrants): Promise<ChangedPlugin> {
    const path = `/api/plugins/${encodeURIComponent(plugin)}/grants`;
    const answer = await this.host.json(path, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(grants),
    });
    return readChanged(answer);
  }

  async configuration(plugin: string): Promise<PluginConfiguration> {
    const path = `/api/plugins/${encodeURIComponent(plugin)}/configuration`;
    const answer = await this.host.json(path).catch((error: unknown) => {
      throw withSuggestion(error, plugin, "plugins");
    });
    return readConfiguration(answer);
  }

  async enable(plugin: string, wanted: { version?: string }): Promise<ChangedPlugin> {
    return readChanged(await this.change(plugin, "enable", wanted));
  }

  private async change(plugin: string, what: string, body: object): Promise<unknown> {
    try {
      return await this.host.post(`/api/plugins/${encodeURIComponent(plugin)}/${what}`, body);
    } catch (error) {
      throw withSuggestion(error, plugin, "plugins");
    }
  }
}

/** Streams a file to a host; calls `told` with the sent and all bytes. */
async function uploadFile(
  host: HostClient,
  path: string,
  { file, mediaType }: { file: string; mediaType: string },
  told: (sent: number, total: number) => void,
): Promise<unknown> {
  const { size } = await stat(file);
  async function* content(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const piece of createReadStream(file, { highWaterMark: mostAtOnce })) {
      yield piece;
      sent += piece.length;
      told(sent, size);
    }
  }
  return await host.json(path, {
    method: "POST",
    // The host refuses oversized uploads at once.
    headers: { "Content-Type": mediaType, "Content-Length": String(size) },
    body: Readable.toWeb(Readable.from(content(), { objectMode: false })),
    duplex: "half",
  });
}
