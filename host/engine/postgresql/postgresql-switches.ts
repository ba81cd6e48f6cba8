import type { PluginSwitch } from "../../observability/host-status.js";
import type {
  AbortCause,
  FleetState,
  Proposal,
  Refusal,
  SwitchEnd,
  SwitchOrder,
  SwitchStore,
} from "../../plugins/fleet/fleet.js";
import { engineUnavailable } from "../../system/request-errors.js";
import type { Connection } from "./connection.js";
import type { Counters } from "./counters.js";
import type { Database } from "./database.js";
import { type Notices, notice } from "./notices.js";
import type { PostgresqlMembers } from "./postgresql-members.js";
import { milliseconds } from "./times.js";

export interface PostgresqlSwitchesOptions {
  database: Database;
  members: PostgresqlMembers;
  counters: Counters;
  notices: Notices;
}

/** Ended switches of a plugin that are kept. */
const remembered = 50;

/** The living hosts in service, with what they observe of the plugin $1. */
const observers = `
  SELECT member.facts ->> 'name' AS name, coalesce(voted, 0)::float8 AS voted, refusal,
    refuses_content AS "isOfContent",
    coalesce(serving, 0)::float8 AS serving
  FROM slipway.member LEFT JOIN slipway.observed ON observed.member = member.id AND observed.plugin = $1
  WHERE in_service AND lease_until > clock_timestamp() ORDER BY name`;

interface Observer {
  name: string;
  voted: number;
  refusal: string | null;
  isOfContent: boolean | null;
  serving: number;
}

/** Hosts by their answer to a generation. */
function votesOf(rows: readonly Observer[], generation: number) {
  const given = rows.filter(({ voted }) => voted === generation);
  return {
    prepared: given.filter(({ refusal }) => refusal === null).map(({ name }) => name),
    refused: given.flatMap(({ name, refusal }) =>
      refusal === null ? [] : [{ host: name, reason: refusal }],
    ),
    waiting: rows.filter(({ voted }) => voted !== generation).map(({ name }) => name),
    isOfContent: given.some(({ refusal, isOfContent }) => refusal !== null && isOfContent !== false),
  };
}

/**
 * Agreements as rows. A host that changes one, or enters service, first locks the counter of switches. So changes are serial: a
 * host enters service either before a commit, which then waits for its vote, or after it, and then knows its result.
 */
export class PostgresqlSwitches implements SwitchStore {
  private lease: number | undefined;

  constructor(private readonly options: PostgresqlSwitchesOptions) {}

  get isInService(): boolean {
    const { lease } = this.options.members;
    return lease !== undefined && lease === this.lease;
  }

  follow(changed: () => void): () => void {
    const { counters, notices } = this.options;
    const ends = [counters.follow("switch", async () => changed()), notices.follow("switch", changed)];
    return () => {
      for (const end of ends) end();
    };
  }

  async read(): Promise<FleetState> {
    // One statement: hosts poll often, and a concurrent change is in the whole result or in no part of it.
    const { rows } = await this.options.database.query<FleetState>(
      `SELECT coalesce((SELECT value::float8 FROM slipway.counter WHERE name = 'switch'), 0) AS change,
           (SELECT coalesce(json_agg(json_build_object(
              'plugin', plugin, 'generation', generation, 'agreement', content
            ) ORDER BY plugin), '[]') FROM slipway.line WHERE generation > 0) AS agreements,
           (SELECT coalesce(json_agg(json_build_object(
              'plugin', plugin, 'generation', generation, 'agreement', content, 'hasVoted', EXISTS (
                SELECT FROM slipway.observed
                WHERE observed.plugin = switch.plugin AND voted = generation AND member = $1
              )
            ) ORDER BY plugin), '[]') FROM slipway.switch WHERE state = 'preparing') AS open`,
      [this.options.members.ownId],
    );
    return rows[0] ?? { change: 0, agreements: [], open: [] };
  }

  async propose(order: SwitchOrder): Promise<Proposal> {
    const { plugin, base, agreement, isPrepared, supersedes, isForced, patience } = order;
    return await this.changing(async (connection) => {
      await this.demandService(connection);
      await connection.query("INSERT INTO slipway.line (plugin) VALUES ($1) ON CONFLICT DO NOTHING", [
        plugin,
      ]);
      const found = await connection.query<{ generation: number; last: number }>(
        "SELECT generation::float8 AS generation, last::float8 AS last FROM slipway.line WHERE plugin = $1",
        [plugin],
      );
      const { generation = 0, last = 0 } = found.rows[0] ?? {};
      if (generation !== base) return { kind: "outdated" };
      const open = await connection.query<{ host: string }>(
        "SELECT host FROM slipway.switch WHERE plugin = $1 AND state = 'preparing'",
        [plugin],
      );
      const [other] = open.rows;
      if (other !== undefined && !supersedes) return { kind: "busy", host: other.host };
      await connection.query(
        `UPDATE slipway.switch SET state = 'aborted', cause = 'superseded', reason = $2
         WHERE plugin = $1 AND state = 'preparing'`,
        [plugin, "Another switch did not wait for it."],
      );
      const next = last + 1;
      const content = JSON.stringify(agreement);
      await connection.query(
        `INSERT INTO slipway.switch (plugin, generation, state, content, host, is_forced, deadline)
         VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond')`,
        [
          plugin,
          next,
          isPrepared ? "preparing" : "committed",
          content,
          this.options.members.hostName ?? "",
          isForced,
          patience,
        ],
      );
      await connection.query("UPDATE slipway.line SET last = $2 WHERE plugin = $1", [plugin, next]);
      if (!isPrepared) await putIntoForce(connection, plugin, next);
      await connection.query(
        "DELETE FROM slipway.switch WHERE plugin = $1 AND generation <= $2 AND state <> 'preparing'",
        [plugin, next - remembered],
      );
      return { kind: "made", generation: next };
    });
  }

  async vote(plugin: string, generation: number, refusal?: Refusal): Promise<void> {
    await this.observe(plugin, {
      voted: generation,
      // A reason may come from a plugin, and texts of the database have no NUL.
      refusal: refusal?.reason.replaceAll("\0", "") ?? null,
      refuses_content: refusal?.isOfContent ?? true,
    });
  }

  async decide(plugin: string, generation: number): Promise<SwitchEnd | undefined> {
    // Most calls find nothing to decide, and need no lock.
    if ((await this.verdict(plugin, generation)) === undefined) return undefined;
    return await this.changing(async (connection) => {
      await this.demandService(connection);
      const end = await verdictOf(connection, plugin, generation);
      if (end === undefined) return undefined;
      await connection.query(
        "UPDATE slipway.switch SET state = $3, reason = $4, cause = $5 WHERE plugin = $1 AND generation = $2",
        [plugin, generation, end.state, end.reason, end.cause],
      );
      if (end.state === "committed") await putIntoForce(connection, plugin, generation);
      return end;
    });
  }

  async endOf(plugin: string, generation: number): Promise<SwitchEnd | undefined> {
    const { rows } = await this.options.database.query<{
      state: PluginSwitch["state"];
      reason: string | null;
      cause: AbortCause | null;
    }>("SELECT state, reason, cause FROM slipway.switch WHERE plugin = $1 AND generation = $2", [
      plugin,
      generation,
    ]);
    const { state = "aborted", reason, cause } = rows[0] ?? {};
    if (state === "preparing") return undefined;
    return { state, reason: reason ?? undefined, cause: cause ?? undefined };
  }

  async serves(plugin: string, generation: number): Promise<void> {
    await this.observe(plugin, { serving: generation });
  }

  async served(plugin: string, generation: number): Promise<{ serving: string[]; waiting: string[] }> {
    const { rows } = await this.options.database.query<Observer>(observers, [plugin]);
    const names = (isServing: boolean): string[] =>
      rows.filter(({ serving }) => serving >= generation === isServing).map(({ name }) => name);
    return { serving: names(true), waiting: names(false) };
  }

  async enter(change: number): Promise<boolean> {
    const { members } = this.options;
    const { lease, ownId } = members;
    if (lease === undefined) return false;
    const hasEntered = await this.options.database.transaction(async (connection) => {
      if ((await lockedChange(connection)) !== change) return false;
      const { rowCount } = await connection.query(
        "UPDATE slipway.member SET in_service = true WHERE id = $1 AND lease_until > clock_timestamp()",
        [ownId],
      );
      return rowCount === 1;
    });
    if (hasEntered) this.lease = lease;
    return hasEntered && this.isInService;
  }

  async leave(): Promise<void> {
    // First, so that this host stops answering at once.
    this.lease = undefined;
    await this.options.database.query(
      `WITH gone AS (UPDATE slipway.member SET in_service = false WHERE id = $1 AND in_service RETURNING id)
         SELECT ${notice("switch")} FROM gone`,
      [this.options.members.ownId],
    );
  }

  async holds(plugin: string, sources: readonly string[]): Promise<void> {
    await this.observe(plugin, { held: [...sources] });
  }

  async heldElsewhere(plugin: string, sources: readonly string[]): Promise<string[]> {
    const { rows } = await this.options.database.query<{ source: string }>(
      `SELECT DISTINCT source FROM slipway.member
         JOIN slipway.observed ON observed.member = member.id, unnest(held) AS source
         WHERE plugin = $1 AND source = ANY ($2) AND member <> $3 AND lease_until > clock_timestamp()`,
      [plugin, [...sources], this.options.members.ownId],
    );
    return rows.map(({ source }) => source);
  }

  async list(): Promise<PluginSwitch[]> {
    return await this.options.database.read(async (connection) => {
      const { rows } = await connection.query<Listed>(
        `SELECT DISTINCT ON (plugin) plugin, generation::float8 AS generation, state, host, reason,
           ${milliseconds("begun_at")} AS begun, ${milliseconds("deadline")} AS deadline
         FROM slipway.switch ORDER BY plugin, generation DESC`,
      );
      const listed: PluginSwitch[] = [];
      for (const { begun, deadline, reason, ...facts } of rows) {
        const hosts = (await connection.query<Observer>(observers, [facts.plugin])).rows;
        const { isOfContent: _, ...votes } = votesOf(hosts, facts.generation);
        listed.push({
          ...facts,
          ...(reason !== null && { reason }),
          begun: new Date(begun).toISOString(),
          deadline: new Date(deadline).toISOString(),
          ...votes,
          waiting: facts.state === "preparing" ? votes.waiting : [],
          serving: hosts.filter(({ serving }) => serving >= facts.generation).map(({ name }) => name),
        });
      }
      return listed;
    });
  }

  private async verdict(plugin: string, generation: number): Promise<SwitchEnd | undefined> {
    return await this.options.database.read((connection) => verdictOf(connection, plugin, generation));
  }

  /** A change of which all hosts are notified. */
  private async changing<T>(change: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.options.database.transaction(async (connection) => {
      await lockedChange(connection);
      const result = await change(connection);
      await connection.query("UPDATE slipway.counter SET value = value + 1 WHERE name = 'switch'");
      await connection.query(`SELECT ${notice("switch")}`);
      return result;
    });
  }

  /** A host without a lease must not act for all. */
  private async demandService(connection: Connection): Promise<void> {
    const { rowCount } = await connection.query(
      "SELECT FROM slipway.member WHERE id = $1 AND in_service AND lease_until > clock_timestamp()",
      [this.options.members.ownId],
    );
    if (rowCount !== 1) throw engineUnavailable();
  }

  private async observe(plugin: string, seen: Record<string, unknown>): Promise<void> {
    const columns = Object.keys(seen);
    await this.options.database.query(
      `WITH told AS (SELECT ${notice("switch")})
         INSERT INTO slipway.observed (member, plugin, ${columns.join(", ")})
         SELECT id, $2, ${columns.map((_, index) => `$${index + 3}`).join(", ")} FROM slipway.member, told
         WHERE id = $1 AND lease_until > clock_timestamp()
         ON CONFLICT (member, plugin) DO UPDATE
         SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`,
      [this.options.members.ownId, plugin, ...Object.values(seen)],
    );
  }
}

interface Listed extends Pick<PluginSwitch, "plugin" | "generation" | "state" | "host"> {
  reason: string | null;
  begun: number;
  deadline: number;
}

/** The number of the last change; locks out further changes until the end of the transaction. */
export async function lockedChange(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ value: number }>(
    "SELECT value::float8 AS value FROM slipway.counter WHERE name = 'switch' FOR UPDATE",
  );
  return rows[0]?.value ?? 0;
}

/** A query for the sources that releases are assigned to by the agreement on a plugin; `plugin`: its parameter, such as `$1`. */
export const assignedSources = (plugin: string): string =>
  `SELECT assigned.value ->> 'source' FROM slipway.line, json_each(content -> 'assignment') AS assigned
   WHERE line.plugin = ${plugin}`;

async function putIntoForce(connection: Connection, plugin: string, generation: number): Promise<void> {
  await connection.query(
    `UPDATE slipway.line SET generation = switch.generation, content = switch.content FROM slipway.switch
     WHERE line.plugin = $1 AND switch.plugin = $1 AND switch.generation = $2`,
    [plugin, generation],
  );
  // A version that returns later starts with new counts.
  await connection.query(
    `DELETE FROM slipway.outcome WHERE plugin = $1 AND source NOT IN (${assignedSources("$1")})`,
    [plugin],
  );
}

/** The end of a switch by the votes of its hosts; undefined while it is undecided. */
async function verdictOf(
  connection: Connection,
  plugin: string,
  generation: number,
): Promise<SwitchEnd | undefined> {
  const found = await connection.query<{ isForced: boolean; isLate: boolean }>(
    `SELECT is_forced AS "isForced", deadline < clock_timestamp() AS "isLate" FROM slipway.switch
     WHERE plugin = $1 AND generation = $2 AND state = 'preparing'`,
    [plugin, generation],
  );
  const [open] = found.rows;
  if (open === undefined) return undefined;
  const { rows } = await connection.query<Observer>(observers, [plugin]);
  const { prepared, refused, waiting, isOfContent } = votesOf(rows, generation);
  const [first] = refused;
  // `isForced` needs at least one host that can serve it.
  if (first !== undefined && (!open.isForced || (prepared.length === 0 && waiting.length === 0)))
    return {
      state: "aborted",
      cause: isOfContent ? "content" : "host",
      reason: refused.map(({ host, reason }) => `${host} cannot take it: ${reason}`).join(" "),
    };
  if (waiting.length === 0 && prepared.length > 0) return { state: "committed" };
  if (!open.isLate) return undefined;
  return {
    state: "aborted",
    cause: "deadline",
    reason: `Not prepared in time: ${waiting.join(", ") || "no host is in service"}.`,
  };
}
