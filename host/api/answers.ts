/** Schemas of responses, shared by the operations and the host's own clients; contains no server code. */
import { type Static, Type } from "@slipway/sdk";
import { JobResource } from "../jobs/jobs.js";
import { PluginEvent } from "../observability/events/plugin-event.js";
import { RecentRequest } from "../observability/requests/finished-requests.js";
import { AgreementReport, PluginOverview, Rollback } from "../plugins/administration/administration.js";
import { PluginState } from "../plugins/plugin-state.js";
import { AuditEntry } from "../security/audit/audit-entry.js";
import { ListedSession } from "../sessions/sessions.js";
import { StoreState, TemplateState } from "../templates/templates.js";

/** The state of every plugin version. */
export const PluginStates = Type.Object({ plugins: Type.Array(PluginState) });
export type PluginStates = Static<typeof PluginStates>;

const JsonSchema = Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema." });

/** A service method of a plugin version that serves. */
export const PluginService = Type.Object({
  plugin: Type.String({ description: "Public name." }),
  version: Type.String(),
  releases: Type.Array(Type.String(), { description: "Those that answer with this version." }),
  service: Type.String(),
  method: Type.String(),
  summary: Type.String(),
  session: Type.Enum(["required", "optional", "none"], {
    description: "Whether the request of the caller must have a session.",
  }),
  timeout: Type.Optional(
    Type.Integer({ description: "Milliseconds, in addition to the deadline of the caller's request." }),
  ),
  input: Type.Optional(JsonSchema),
  output: Type.Optional(JsonSchema),
});
export type PluginService = Static<typeof PluginService>;

/** The service methods of plugins. */
export const PluginServices = Type.Object({ services: Type.Array(PluginService) });
export type PluginServices = Static<typeof PluginServices>;

const agreed = Type.Optional(AgreementReport);

/** The state of the added plugin. */
export const AddedPlugin = Type.Object({ plugin: PluginState, agreed });
export type AddedPlugin = Static<typeof AddedPlugin>;

/** The plugin after a change. */
export const ChangedPlugin = Type.Object({ plugin: PluginOverview, agreed });
export type ChangedPlugin = Static<typeof ChangedPlugin>;

/** The plugin and its rollbacks by release. */
export const RolledBackPlugin = Type.Object({
  plugin: PluginOverview,
  rollbacks: Type.Array(Rollback),
  agreed,
});
export type RolledBackPlugin = Static<typeof RolledBackPlugin>;

/** Events of plugins, oldest first. */
export const PluginEvents = Type.Object({ events: Type.Array(PluginEvent) });
export type PluginEvents = Static<typeof PluginEvents>;

/** Entries of the audit trail, oldest first. */
export const AuditEntries = Type.Object({ entries: Type.Array(AuditEntry) });

/** Finished requests, oldest first. */
export const RequestList = Type.Object({ requests: Type.Array(RecentRequest) });

/** Sessions that are open. */
export const SessionList = Type.Object({ sessions: Type.Array(ListedSession) });
export type SessionList = Static<typeof SessionList>;

/** Jobs, the latest first. */
export const JobList = Type.Object({ jobs: Type.Array(JobResource) });
export type JobList = Static<typeof JobList>;

/** What webhooks are signed with. */
export const WebhookSecretAnswer = Type.Object(
  {
    signer: Type.String({ description: 'Whose it is: "key <name>", or "host".' }),
    secret: Type.String({ description: "`whsec_` and the secret in base64." }),
    previous: Type.Optional(
      Type.String({ description: "The one before, which webhooks are signed with, too, for a day." }),
    ),
  },
  { title: "WebhookSecret" },
);
export type WebhookSecretAnswer = Static<typeof WebhookSecretAnswer>;

/** The states of templates and template stores. */
export const TemplateStates = Type.Object({
  templates: Type.Array(TemplateState, { description: "One for each folder." }),
  stores: Type.Array(StoreState, { description: "The configured and requested stores." }),
});
export type TemplateStates = Static<typeof TemplateStates>;
