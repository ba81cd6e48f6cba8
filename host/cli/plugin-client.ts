import { checked, type Static, Validator } from "@slipway/sdk";
import { PluginEvents } from "../api/event-operations.js";
import { ChangedPlugin, PluginStates, RolledBackPlugin } from "../api/plugin-operations.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const validator = new Validator();
const checkStates = validator.compile(PluginStates, "answer");
const checkEvents = validator.compile(PluginEvents, "answer");
const checkChanged = validator.compile(ChangedPlugin, "answer");
const checkRolledBack = validator.compile(RolledBackPlugin, "answer");

/** What admins ask of a running host. Answers have at least what their types say, and are what came. */
export class PluginClient {
  constructor(private readonly host: HostClient) {}

  async states(): Promise<Static<typeof PluginStates>> {
    return checked(checkStates(await this.host.json("/api/plugins")), unknownAnswer);
  }

  /** Has the host look into its folders now. */
  async look(): Promise<Static<typeof PluginStates>> {
    return checked(checkStates(await this.host.post("/api/plugins/look", {})), unknownAnswer);
  }

  async events(query: { limit: number; plugin?: string | undefined }): Promise<Static<typeof PluginEvents>> {
    const parameters = new URLSearchParams({ limit: String(query.limit) });
    if (query.plugin !== undefined) parameters.set("plugin", query.plugin);
    return checked(checkEvents(await this.host.json(`/api/events?${parameters}`)), unknownAnswer);
  }

  async rollback(
    plugin: string,
    wanted: { release?: string; version?: string },
  ): Promise<Static<typeof RolledBackPlugin>> {
    return checked(checkRolledBack(await this.change(plugin, "rollback", wanted)), unknownAnswer);
  }

  async disable(plugin: string): Promise<Static<typeof ChangedPlugin>> {
    return checked(checkChanged(await this.change(plugin, "disable", {})), unknownAnswer);
  }

  async enable(plugin: string, wanted: { version?: string }): Promise<Static<typeof ChangedPlugin>> {
    return checked(checkChanged(await this.change(plugin, "enable", wanted)), unknownAnswer);
  }

  private change(plugin: string, what: string, body: object): Promise<unknown> {
    return this.host.post(`/api/plugins/${encodeURIComponent(plugin)}/${what}`, body);
  }
}
