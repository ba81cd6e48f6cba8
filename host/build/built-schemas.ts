/** The schemas that a host or its processes need during the start; the build compiles them for `hostCheck`. */
import { Configuration } from "../configuration/configuration.js";
import { PluginEvent } from "../observability/events/plugin-event.js";
import { PluginsMemory } from "../plugins/deployment/rollout-state.js";
import {
  ConfigurationSchema,
  Fault,
  Hello,
  InstanceArguments,
  Start,
  StartAssets,
  Step,
} from "../plugins/instances/messages.js";
import { Manifest } from "../plugins/packages/manifest.js";
import { SnapshotRecord } from "../plugins/snapshots/snapshot.js";
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
  "instance-arguments": InstanceArguments,
  "instance-configuration": ConfigurationSchema,
  "instance-fault": Fault,
  "instance-hello": Hello,
  "instance-start": Start,
  "instance-step": Step,
  manifest: Manifest,
  "plugin-event": PluginEvent,
  "plugins-memory": PluginsMemory,
  "render-message": RenderProcessMessage,
  "render-options": RenderProcessOptions,
  "render-reply": RenderProcessReply,
  "snapshot-record": SnapshotRecord,
  "start-assets": StartAssets,
};
