import { type Static, Type } from "@slipway/sdk";
import { EventLoopDelay } from "../observability/event-loop-delay.js";
import { PartHealth } from "../observability/health.js";
import {
  BrowserStatus,
  FilesStatus,
  InstanceStatus,
  MemberStatus,
  PluginLoad,
  PluginSwitch,
  ServedReleases,
  SessionsStatus,
} from "../observability/host-status.js";

const Text = Type.String();
const Bytes = Type.Integer({ minimum: 0, description: "Bytes." });

/** The status of the host; `sessions`, `files`, `members` and `switches` are left out while the engine does not answer. */
export const StatusAnswer = Type.Object(
  {
    version: Text,
    sdkVersion: Text,
    started: Type.String({ description: "UTC." }),
    ready: Type.Boolean({ description: "Whether it can serve." }),
    reasons: Type.Array(Text, { description: "Reasons why it cannot serve." }),
    parts: Type.Record(Text, PartHealth),
    releases: ServedReleases,
    releaseAliases: Type.Optional(
      Type.Record(Text, Text, {
        description: 'Further names in paths: alias to release; "*" is every other version.',
      }),
    ),
    defaultRelease: Text,
    pages: Type.Optional(
      Type.Array(Text, { description: "Pages for browsers that it serves, by their paths." }),
    ),
    process: Type.Object({
      id: Type.Integer(),
      memory: Type.Integer({ minimum: 0, description: "Bytes of memory of the host alone." }),
      heap: Bytes,
      eventLoopDelay: EventLoopDelay,
    }),
    requests: Type.Object({
      running: Type.Integer({
        minimum: 0,
        description: "Of all kinds, this one and open streams among them.",
      }),
      plugins: Type.Array(PluginLoad, { description: "Plugins with at least one request." }),
    }),
    browser: BrowserStatus,
    sessions: Type.Optional(SessionsStatus),
    files: Type.Optional(FilesStatus),
    instances: Type.Array(InstanceStatus),
    members: Type.Optional(
      Type.Array(MemberStatus, { description: "The hosts that share the engine, by name." }),
    ),
    switches: Type.Optional(
      Type.Array(PluginSwitch, {
        description: "The last switch of each plugin by all hosts that share the engine.",
      }),
    ),
  },
  { title: "HostStatus" },
);
export type StatusAnswer = Static<typeof StatusAnswer>;
