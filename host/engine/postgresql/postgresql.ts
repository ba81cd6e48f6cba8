/**
 * The engine that keeps the state of several hosts in one PostgreSQL database. Other folders import this file only.
 *
 * In: the settings `engine`, `files` and `audit`, and the keys of this host.
 * Out: an `Engine` (`createPostgresqlEngine`), the keys without a host (`openPostgresqlKeys`), and how a server is set up
 * (`readDatabaseFacts`). Everything that needs the database rejects with 503 `engine-unavailable` while it does not
 * answer, or while this host has no lease.
 * Owns: the schema `slipway` of the database with its migrations, the connections to it, and the lease of this host.
 * Loaded only with `engine.url`, because its packages (`pg`, `pg-copy-streams`) are optional.
 */
import type { Log } from "@slipway/sdk";
import type { Configuration } from "../../configuration/configuration.js";
import { largestEventFile } from "../../observability/events/event-file.js";
import type { PluginEvent } from "../../observability/events/plugin-event.js";
import type { KeySource } from "../../security/key-source.js";
import { hostCheck } from "../../system/host-check.js";
import { isEngineUnavailable } from "../../system/request-errors.js";
import { monotonicTime, wait } from "../../system/time.js";
import type { Engine } from "../engine.js";
import { Counters } from "./counters.js";
import { Database, type DatabaseOptions } from "./database.js";
import { isDuplicate, isRefusal } from "./database-errors.js";
import { LeaseTerm } from "./lease-term.js";
import { migrate } from "./migrations.js";
import { Notices } from "./notices.js";
import { PostgresqlArtifactStore } from "./postgresql-artifact-store.js";
import { PostgresqlAudit } from "./postgresql-audit.js";
import { PostgresqlIdempotencyStore } from "./postgresql-idempotency-store.js";
import { PostgresqlJobStore } from "./postgresql-job-store.js";
import { PostgresqlJournal } from "./postgresql-journal.js";
import { createPostgresqlKeys } from "./postgresql-keys.js";
import { PostgresqlMembers } from "./postgresql-members.js";
import { PostgresqlOutcomes } from "./postgresql-outcomes.js";
import { PostgresqlSessionStore } from "./postgresql-session-store.js";
import { PostgresqlShelf } from "./postgresql-shelf.js";
import { PostgresqlSwitches } from "./postgresql-switches.js";
import { PostgresqlUses } from "./postgresql-uses.js";
import { PostgresqlWebhookSecrets } from "./postgresql-webhook-secrets.js";

export { type DatabaseFacts, readDatabaseFacts } from "./database-facts.js";

const checkEvent = hostCheck<typeof PluginEvent>("event", "plugin-event");

export interface PostgresqlEngineOptions {
  configuration: DatabaseOptions["configuration"];
  /** Read at each use, because it may change. */
  files: Configuration["files"];
  audit: Pick<Configuration["audit"], "bytes" | "files">;
  /** The keys of this host, or where the database takes keys over from when it has none yet. */
  keyFile: KeySource;
  areKeysShared: boolean;
  log: Log;
}

/** Milliseconds between attempts of a starting host. */
const retryPause = 100;
/** Milliseconds for a step of a migration. */
const migrationLimit = 600_000;

/** Keeps everything in a PostgreSQL database, which several hosts may use at the same time. */
export function createPostgresqlEngine(options: PostgresqlEngineOptions): Engine {
  const { configuration, files, audit, keyFile, areKeysShared, log } = options;
  const term = new LeaseTerm(configuration.lease);
  const database = new Database({ configuration, term, log });
  const members = new PostgresqlMembers({ database, term, log });
  const counters = new Counters(database, log);
  const notices = new Notices(database.settings, configuration.timeout, log);
  const uses = new PostgresqlUses(database, log);
  const { availability } = database;
  const shared = { database, counters, hostName: () => members.hostName, log };
  const idempotency = new PostgresqlIdempotencyStore(database, () => members.ownId);
  return {
    sessions: new PostgresqlSessionStore(database),
    artifacts: new PostgresqlArtifactStore({ database, configuration: files, log }),
    jobs: new PostgresqlJobStore(database, notices),
    webhookSecrets: new PostgresqlWebhookSecrets(database),
    idempotency,
    events: new PostgresqlJournal({
      ...shared,
      name: "event",
      check: checkEvent,
      largest: 2 * largestEventFile,
      messages: {
        unwritten: "Events cannot be written to the engine; they are shown once they are",
        again: "Events are written to the engine again",
      },
    }),
    audit: new PostgresqlAudit({
      ...shared,
      largest: audit.bytes * audit.files,
      memberId: () => members.ownId,
    }),
    keys: areKeysShared ? createPostgresqlKeys({ database, counters, file: keyFile, log }) : keyFile,
    uses,
    members,
    switches: new PostgresqlSwitches({ database, members, counters, notices }),
    outcomes: new PostgresqlOutcomes(database, members),
    shelf: new PostgresqlShelf(database),
    open: async (host, { first = [], signal } = {}) => {
      const deadline = monotonicTime() + configuration.start;
      for (const step of [() => makeTables(database), () => members.open(host), ...first])
        await whenItAnswers(database, deadline, signal, step);
      counters.open();
      notices.open();
      uses.open();
    },
    health: () => ({
      ready: !availability.isLost && !term.isOver,
      detail: `${availability.detail} ${leaseDetail(term)}`,
    }),
    close: async () => {
      await idempotency.close();
      await notices.close();
      await counters.close();
      await uses.close();
      await members.close();
      await database.close();
    },
  };
}

/** The keys in a database, without a host. Rejects with a sentence for admins. */
export async function openPostgresqlKeys(
  options: Pick<PostgresqlEngineOptions, "configuration" | "keyFile" | "log">,
): Promise<{ keys: KeySource; close(): Promise<void> }> {
  const { configuration, keyFile: file, log } = options;
  const database = new Database({ configuration, term: new LeaseTerm(configuration.lease), log });
  await whenItAnswers(database, monotonicTime(), undefined, () => makeTables(database));
  const keys = createPostgresqlKeys({ database, counters: new Counters(database, log), file, log });
  return { keys, close: () => database.close() };
}

async function makeTables(database: Database): Promise<void> {
  for (;;) {
    try {
      return await database.transaction(migrate, migrationLimit);
    } catch (error) {
      // Another host creates the same.
      if (!isDuplicate(error)) throw error;
    }
  }
}

/**
 * Repeats work until the database answers; rejects with a sentence for admins at the deadline (monotonic).
 */
async function whenItAnswers(
  { availability }: Database,
  deadline: number,
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isEngineUnavailable(error)) throw error;
      const isOver = monotonicTime() >= deadline || isRefusal(availability.cause);
      if (isOver || signal?.aborted === true)
        throw new Error(`The engine does not answer: ${availability.detail}`, {
          cause: availability.cause,
        });
      // It may answer but refuse until this host has joined again.
      await wait(retryPause, signal);
    }
  }
}

function leaseDetail({ isOver, age, left }: LeaseTerm): string {
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return isOver
    ? `The lease of this host was last renewed ${seconds(age)} ago and is over; the host joins again by itself.`
    : `The lease of this host ends in ${seconds(left)} unless it is renewed.`;
}
