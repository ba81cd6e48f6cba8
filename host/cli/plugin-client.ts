import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { PluginEvent } from "../plugins/events/plugin-event.js";
import { type HostClient, unknownAnswer } from "./host-client.js";

const PluginState = Type.Object({
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  folder: Type.String(),
  stage: Type.String(),
  reason: Type.Optional(Type.String()),
  since: Type.Number(),
  releases: Type.Array(Type.String()),
  probationUntil: Type.Optional(Type.Number()),
});
export type PluginState = Static<typeof PluginState>;

const PluginOverview = Type.Object({
  name: Type.String(),
  disabled: Type.Boolean(),
  releases: Type.Record(Type.String(), Type.String()),
  versions: Type.Array(PluginState),
});

const States = Type.Object({ plugins: Type.Array(PluginState) });
const Events = Type.Object({ events: Type.Array(PluginEvent) });
const Changed = Type.Object({ plugin: PluginOverview });
const RolledBack = Type.Object({
  plugin: PluginOverview,
  rollbacks: Type.Array(
    Type.Object({ release: Type.String(), from: Type.Optional(Type.String()), to: Type.String() }),
  ),
});

const validator = new Validator();
const checkStates = validator.compile(States, "answer");
const checkEvents = validator.compile(Events, "answer");
const checkChanged = validator.compile(Changed, "answer");
const checkRolledBack = validator.compile(RolledBack, "answer");

/** What admins ask of a running host. Answers have at least what their types say, and are what came. */
export class PluginClient {
  constructor(private readonly host: HostClient) {}

  async states(): Promise<Static<typeof States>> {
    return checked(checkStates(await this.host.json("/api/plugins")), unknownAnswer);
  }

  /** Has the host look into its folders now. */
  async look(): Promise<Static<typeof States>> {
    return checked(checkStates(await this.host.post("/api/plugins/look", {})), unknownAnswer);
  }

  async events(query: { limit: number; plugin?: string | undefined }): Promise<Static<typeof Events>> {
    const parameters = new URLSearchParams({ limit: String(query.limit) });
    if (query.plugin !== undefined) parameters.set("plugin", query.plugin);
    return checked(checkEvents(await this.host.json(`/api/events?${parameters}`)), unknownAnswer);
  }

  async rollback(
    plugin: string,
    wanted: { release?: string; version?: string },
  ): Promise<Static<typeof RolledBack>> {
    return checked(checkRolledBack(await this.change(plugin, "rollback", wanted)), unknownAnswer);
  }

  async disable(plugin: string): Promise<Static<typeof Changed>> {
    return checked(checkChanged(await this.change(plugin, "disable", {})), unknownAnswer);
  }

  async enable(plugin: string, wanted: { version?: string }): Promise<Static<typeof Changed>> {
    return checked(checkChanged(await this.change(plugin, "enable", wanted)), unknownAnswer);
  }

  private change(plugin: string, what: string, body: object): Promise<unknown> {
    return this.host.post(`/api/plugins/${encodeURIComponent(plugin)}/${what}`, body);
  }
}
