/** The schemas that a host or its processes need during the start; the build compiles them for `hostCheck`. */
import { Configuration } from "../configuration/configuration.js";
import { PluginEvent } from "../observability/events/plugin-event.js";
import { PluginsMemory } from "../plugins/deployment/deployment.js";
import { instanceSchemas } from "../plugins/instances/instances.js";
import { Manifest } from "../plugins/packages/packages.js";
import { SnapshotRecord } from "../plugins/snapshots/snapshots.js";
import { AuditEntry, AuditLine } from "../security/audit/audit-entry.js";
import {
  RenderProcessMessage,
  RenderProcessOptions,
  RenderProcessReply,
} from "../templates/render-messages.js";

export const builtSchemas = {
  "audit-entry": AuditEntry,
  "audit-line": AuditLine,
  configuration: Configuration,
  ...instanceSchemas,
  manifest: Manifest,
  "plugin-event": PluginEvent,
  "plugins-memory": PluginsMemory,
  "render-message": RenderProcessMessage,
  "render-options": RenderProcessOptions,
  "render-reply": RenderProcessReply,
  "snapshot-record": SnapshotRecord,
};
