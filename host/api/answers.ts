/** What operations answer with and clients of the host's own read: both have these schemas, and nothing here serves. */
import { type Static, Type } from "@slipway/sdk";
import { PluginEvent } from "../observability/events/plugin-event.js";
import { RecentRequest } from "../observability/requests/finished-requests.js";
import { PluginOverview, Rollback } from "../plugins/deployment/plugin-administration.js";
import { PluginState } from "../plugins/plugin-state.js";
import { AuditEntry } from "../security/audit/audit-entry.js";
import { ListedSession } from "../sessions/session-answer.js";
import { StoreState } from "../templates/stores/store-states.js";
import { TemplateState } from "../templates/template-service.js";

/** Where every plugin version stands. */
export const PluginStates = Type.Object({ plugins: Type.Array(PluginState) });
export type PluginStates = Static<typeof PluginStates>;

/** Where the plugin that was added stands. */
export const AddedPlugin = Type.Object({ plugin: PluginState });
export type AddedPlugin = Static<typeof AddedPlugin>;

/** The plugin as it is after a change. */
export const ChangedPlugin = Type.Object({ plugin: PluginOverview });
export type ChangedPlugin = Static<typeof ChangedPlugin>;

/** Also what the releases answer with from now on. */
export const RolledBackPlugin = Type.Object({ plugin: PluginOverview, rollbacks: Type.Array(Rollback) });
export type RolledBackPlugin = Static<typeof RolledBackPlugin>;

/** Events of plugins, oldest first. */
export const PluginEvents = Type.Object({ events: Type.Array(PluginEvent) });
export type PluginEvents = Static<typeof PluginEvents>;

/** Entries of the audit trail, oldest first. */
export const AuditEntries = Type.Object({ entries: Type.Array(AuditEntry) });

/** Requests that are over, oldest first. */
export const RequestList = Type.Object({ requests: Type.Array(RecentRequest) });

/** Sessions that are open. */
export const SessionList = Type.Object({ sessions: Type.Array(ListedSession) });
export type SessionList = Static<typeof SessionList>;

/** Where templates and template stores stand. */
export const TemplateStates = Type.Object({
  templates: Type.Array(TemplateState, { description: "One for each folder." }),
  stores: Type.Array(StoreState, { description: "The configured and requested stores." }),
});
export type TemplateStates = Static<typeof TemplateStates>;
