/** Talks to the order export the way clients do, and fetches what it delivers. */
import type { TestHost } from "@slipway/sdk/testing";
import { readWholeArchive } from "../foreign-zip-reader.js";
import {
  type Answer,
  type Bytes,
  isJson,
  type Json,
  type PluginClient,
  pluginClient,
} from "./plugin-client.js";

export type { Bytes } from "./plugin-client.js";

export interface ExportedFile {
  name: string;
  url: string;
  bytes: Bytes;
  mediaType: string;
}

/** The result of an export with the content of its files. */
export interface Exported {
  json: Json;
  errors: Json[];
  archive: ExportedFile;
  oex: ExportedFile | undefined;
  obx: ExportedFile | undefined;
  pdf: ExportedFile | undefined;
  orderX: ExportedFile | undefined;
  ubl: ExportedFile | undefined;
}

export class OexClient {
  private readonly plugin: PluginClient;

  /** `host`: the URL of a running host, or a test host with the plugin. */
  constructor(host: string | TestHost) {
    this.plugin = pluginClient(host, "oex");
  }

  /** Opens a session and gives its id. */
  open(project: Json | Bytes, locale = "en_GB"): Promise<string> {
    return this.plugin.open(project, locale);
  }

  config(): Promise<Answer> {
    return this.plugin.get("config.json");
  }

  manufacturers(sessionId: string): Promise<Answer> {
    return this.plugin.post("manufacturers.json", { sessionId });
  }

  export(body: Json): Promise<Answer> {
    return this.plugin.post("export", body);
  }

  /** An export with all of its files; fails where there is an aborting error. */
  async exported(sessionId: string, config: Json = {}, more: Json = {}): Promise<Exported> {
    const answer = await this.export({ sessionId, config, ...more });
    if (answer.status !== 200) throw new Error(`export: ${answer.status} ${answer.text}`);
    const { json } = answer;
    const archive = await this.file(json["archive"]);
    if (archive === undefined) throw new Error(`export: no archive in ${answer.text}`);
    return {
      json,
      errors: listOf(json["errors"]),
      archive,
      oex: await this.file(json["oex"]),
      obx: await this.file(json["obx"]),
      pdf: await this.file(json["pdf"]),
      orderX: await this.file(json["orderX"]),
      ubl: await this.file(json["ubl"]),
    };
  }

  /** The OEX document of an export, and its errors. */
  async document(
    sessionId: string,
    config: Json = {},
  ): Promise<{ bytes: Bytes; json: Json; errors: Json[] }> {
    const { oex, json, errors } = await this.exported(sessionId, { attachOBX: false, ...config });
    if (oex === undefined) throw new Error("export: no document");
    return { bytes: oex.bytes, json, errors };
  }

  private async file(value: unknown): Promise<ExportedFile | undefined> {
    if (!isJson(value)) return undefined;
    const url = String(value["url"]);
    return { name: String(value["name"]), url, ...(await this.plugin.download(url)) };
  }
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** Name and content of each entry of an archive. */
export async function archiveEntries(bytes: Bytes): Promise<Map<string, Buffer>> {
  const files = await readWholeArchive(bytes);
  return new Map([...files.values()].map((file) => [file.name, Buffer.from(file.bytes)]));
}
