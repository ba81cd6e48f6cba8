import type { Configuration } from "../../configuration/configuration.js";
import { readEngineFacts } from "../../engine/create-engine.js";
import { createLog } from "../../observability/log.js";
import { isLoopback } from "../../system/addresses.js";
import { errorMessage } from "../../system/errors.js";
import { type Check, hint, right, wrong } from "./check.js";

const name = "engine";
/** Milliseconds; smaller differences of clocks are usual. */
const largestLead = 5000;

/** Checks whether the database of several hosts keeps what it acknowledges, and accepts another host. */
export async function engineChecks(configuration: Configuration): Promise<Check[]> {
  const log = createLog({ ...configuration.log, level: "silent" });
  const facts = await readEngineFacts(configuration, log).catch((error: unknown) => errorMessage(error));
  if (facts === undefined) return [];
  if (typeof facts === "string") return [wrong(name, facts)];
  if (facts.isTooOld)
    return [wrong(name, `${facts.name} has version ${facts.version}; Slipway needs 15 or later`)];
  const { maximum, used } = facts.connections;
  const answers = `${facts.name} answers, version ${facts.version}, ${used} of ${maximum} connections in use`;
  return [
    right(name, answers),
    ...durability(facts),
    ...standbys(facts),
    ...capacity(facts, configuration.engine),
    ...connection(facts, configuration.engine),
  ];
}

type Facts = Exclude<Awaited<ReturnType<typeof readEngineFacts>>, undefined>;

/** Whether acknowledged data survives a crash of the server. */
function* durability({ fsync, fullPageWrites, synchronousCommit }: Facts): Generator<Check> {
  if (fsync !== "on") yield wrong(name, "fsync is off: a power cut can destroy the database; set fsync = on");
  if (fullPageWrites !== "on")
    yield wrong(name, "full_page_writes is off: a power cut can tear pages; set full_page_writes = on");
  if (synchronousCommit === "off")
    yield wrong(
      name,
      "synchronous_commit is off: a crash of the database loses what was answered before; set synchronous_commit = on",
    );
}

/** Whether it also survives the loss of the server's machine. */
function* standbys({ synchronousStandbys, replicas, synchronousCommit }: Facts): Generator<Check> {
  if (synchronousStandbys === "")
    yield hint(
      name,
      "no standby is waited for: what was answered survives a crash of the database, but not the loss of its machine; for that, run two standbys with synchronous_standby_names = 'ANY 1 (first, second)'",
    );
  else if (synchronousCommit === "local")
    yield wrong(
      name,
      "synchronous_commit is local, so no standby is waited for in spite of synchronous_standby_names; set synchronous_commit = on",
    );
  else if (replicas === 0)
    yield wrong(
      name,
      `no standby is connected, and every change waits for one (synchronous_standby_names = ${synchronousStandbys}); start a standby`,
    );
  else if (replicas === 1)
    yield hint(name, "one standby is connected: when it fails, every change waits; run two");
}

function* capacity(
  { connections, hasTables, mayCreate }: Facts,
  { pool }: Configuration["engine"],
): Generator<Check> {
  const free = connections.maximum - connections.used;
  // One for the lease, one for notices.
  const needed = pool + 2;
  if (free < needed)
    yield wrong(
      name,
      `${free} connections are free, and this host may need ${needed}; raise max_connections, or lower engine.pool`,
    );
  if (!hasTables && !mayCreate)
    yield wrong(
      name,
      "the user may not create the schema slipway; GRANT CREATE ON DATABASE, or make it the owner",
    );
}

function* connection({ clockLead, isEncrypted }: Facts, { url }: Configuration["engine"]): Generator<Check> {
  const seconds = Math.round(Math.abs(clockLead) / 1000);
  if (Math.abs(clockLead) > largestLead)
    yield hint(
      name,
      `its clock is ${seconds} s ${clockLead > 0 ? "ahead of" : "behind"} that of this machine; lifetimes follow its clock`,
    );
  if (!isEncrypted && url !== undefined && !isLocal(url))
    yield hint(name, "the connection is not encrypted; add ?sslmode=verify-full to engine.url");
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  // Without one, a socket of this machine.
  return hostname === "" || isLoopback(hostname.replaceAll(/[[\]]/g, ""));
}
