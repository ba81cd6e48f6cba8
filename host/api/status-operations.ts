import type { EventLoopDelay } from "../observability/event-loop-delay.js";
import type { HostStatus, MemberFacts } from "../observability/host-status.js";
import type { RouteTable } from "../plugins/routes/routes.js";
import { hostVersion, sdkVersion } from "../system/installation.js";
import { isEngineUnavailable } from "../system/request-errors.js";
import { type HostHealth, readinessOf } from "./health.js";
import { Nothing, ok, operation, Unread } from "./operation.js";
import { StatusAnswer } from "./status-answer.js";

/** Sources of the status. */
export interface StatusSources {
  status: HostStatus;
  health: Pick<HostHealth, "refusing" | "parts">;
  table(): RouteTable;
  eventLoop: { readonly delay: EventLoopDelay };
  started: Date;
  /** Names of the pages that the host serves. */
  pages: readonly string[];
}

/** `/api/status`: the state of the host at a glance. */
export function statusOperations(sources: StatusSources) {
  return [
    operation({
      method: "GET",
      path: "/api/status",
      id: "getStatus",
      tag: "host",
      summary: "The state of the host at a glance",
      roles: ["read", "operate"],
      isGuarded: true,
      params: Nothing,
      query: Nothing,
      body: Unread,
      answers: ok("The current state.", StatusAnswer),
      async handle(ctx) {
        ctx.body = await statusAnswer(sources);
      },
    }),
  ];
}

async function statusAnswer(sources: StatusSources): Promise<StatusAnswer> {
  const { status, health, eventLoop, started, pages } = sources;
  const [sessions, files, members, switches, instances] = await Promise.all([
    answered(status.sessions()),
    answered(status.files()),
    answered(status.members()),
    answered(status.switches()),
    status.instances(),
  ]);
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
    pages: [...pages],
    process: { id: process.pid, memory, heap, eventLoopDelay: eventLoop.delay },
    requests: { running: status.running(), plugins: status.plugins() },
    browser: status.browser(),
    ...(sessions && { sessions }),
    ...(files && { files }),
    instances,
    ...(members && { members }),
    ...(switches && { switches }),
  };
}

/** Undefined while the engine does not answer, which `parts` reports. */
async function answered<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (!isEngineUnavailable(error)) throw error;
    return undefined;
  });
}

/** The facts that this host reports to others with the same engine. */
export async function memberFacts({
  status,
  health,
  table,
  started,
  digests,
}: Omit<StatusSources, "eventLoop" | "pages"> & { digests(): NonNullable<MemberFacts["digests"]> }): Promise<
  Omit<MemberFacts, "name">
> {
  const { reasons } = await readinessOf(health);
  return {
    version: hostVersion,
    started: started.toISOString(),
    ready: reasons.length === 0,
    releases: served(table()).releases,
    running: status.running(),
    waiting: status.plugins().reduce((sum, { waiting }) => sum + waiting, 0),
    digests: digests(),
  };
}

function served({
  releases,
  releaseAliases,
  defaultRelease,
}: RouteTable): Pick<StatusAnswer, "releases" | "releaseAliases" | "defaultRelease"> {
  const versions = [...releases].map(([release, plugins]) => [
    release,
    // Names only; the table contains aliases too.
    Object.fromEntries([...plugins.values()].map(({ name, version }) => [name, version])),
  ]);
  return {
    releases: Object.fromEntries(versions),
    releaseAliases: Object.fromEntries(releaseAliases),
    defaultRelease,
  };
}
