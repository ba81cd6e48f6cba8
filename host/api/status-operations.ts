import { type Static, Type } from "@slipway/sdk";
import { EventLoopDelay } from "../event-loop-delay.js";
import {
  BrowserStatus,
  FilesStatus,
  type HostStatus,
  InstanceStatus,
  PluginLoad,
  SessionsStatus,
} from "../host-status.js";
import { hostVersion, sdkVersion } from "../installation.js";
import { PartHealth } from "../part-health.js";
import type { RouteTable } from "../plugins/live-plugin.js";
import { type HostHealth, readinessOf } from "./health.js";
import { Nothing, type Operation, operation, Unread } from "./operation.js";

const Text = Type.String();
const Bytes = Type.Integer({ minimum: 0, description: "Bytes." });

/** Answer: everything about the host at a glance. */
export const StatusAnswer = Type.Object(
  {
    version: Text,
    sdkVersion: Text,
    started: Type.String({ description: "UTC." }),
    ready: Type.Boolean({ description: "Whether it can serve." }),
    reasons: Type.Array(Text, { description: "Why it cannot." }),
    parts: Type.Record(Text, PartHealth),
    releases: Type.Record(Text, Type.Record(Text, Text), {
      description: "What serves: release to plugin to version.",
    }),
    defaultRelease: Text,
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
      plugins: Type.Array(PluginLoad, { description: "Plugins that were asked for at least once." }),
    }),
    browser: BrowserStatus,
    sessions: SessionsStatus,
    files: FilesStatus,
    instances: Type.Array(InstanceStatus),
  },
  { title: "HostStatus" },
);
export type StatusAnswer = Static<typeof StatusAnswer>;

/** What the status is put together from. */
export interface StatusSources {
  status: HostStatus;
  health: Pick<HostHealth, "refusing" | "parts">;
  table(): RouteTable;
  eventLoop: { readonly delay: EventLoopDelay };
  started: Date;
}

/** `/api/status`: everything about the host at a glance. */
export function statusOperations(sources: StatusSources): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/api/status",
      id: "getStatus",
      tag: "host",
      summary: "Everything about the host at a glance",
      roles: ["read", "operate"],
      isGuarded: true,
      params: Nothing,
      query: Nothing,
      body: Unread,
      answers: {
        200: { description: "As things are now.", content: { "application/json": StatusAnswer } },
      },
      async handle(ctx) {
        ctx.body = await statusAnswer(sources);
      },
    }),
  ];
}

async function statusAnswer(sources: StatusSources): Promise<StatusAnswer> {
  const { status, health, eventLoop, started } = sources;
  const [sessions, instances] = await Promise.all([status.sessions(), status.instances()]);
  const { reasons, parts } = await readinessOf(health);
  const { rss: memory, heapUsed: heap } = process.memoryUsage();
  return {
    version: hostVersion,
    sdkVersion,
    started: started.toISOString(),
    ready: reasons.length === 0,
    reasons,
    parts,
    ...served(sources.table()),
    process: { id: process.pid, memory, heap, eventLoopDelay: eventLoop.delay },
    requests: { running: status.running(), plugins: status.plugins() },
    browser: status.browser(),
    sessions,
    files: status.files(),
    instances,
  };
}

function served({ releases, defaultRelease }: RouteTable): Pick<StatusAnswer, "releases" | "defaultRelease"> {
  const versions = [...releases].map(([release, plugins]) => [
    release,
    // Under their own names alone; the table has the aliases too.
    Object.fromEntries([...plugins.values()].map(({ name, version }) => [name, version])),
  ]);
  return { releases: Object.fromEntries(versions), defaultRelease };
}
