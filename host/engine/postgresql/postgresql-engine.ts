import type { Log } from "@slipway/sdk";
import type { Configuration } from "../../configuration/configuration.js";
import { isEngineUnavailable } from "../../system/request-errors.js";
import { monotonicTime } from "../../system/time.js";
import type { Engine } from "../engine.js";
import { Database, type DatabaseOptions } from "./database.js";
import { isDuplicate, isRefusal } from "./database-errors.js";
import { LeaseTerm } from "./lease-term.js";
import { migrate } from "./migrations.js";
import { PostgresqlArtifactStore } from "./postgresql-artifact-store.js";
import { PostgresqlMembers } from "./postgresql-members.js";
import { PostgresqlSessionStore } from "./postgresql-session-store.js";

export interface PostgresqlEngineOptions {
  configuration: DatabaseOptions["configuration"];
  /** Read at each use, because it may change. */
  files: Configuration["files"];
  log: Log;
}

/** Milliseconds for a step of a migration. */
const migrationLimit = 600_000;

/** Keeps everything in a PostgreSQL database, which several hosts may use at the same time. */
export function createPostgresqlEngine({ configuration, files, log }: PostgresqlEngineOptions): Engine {
  const term = new LeaseTerm(configuration.lease);
  const database = new Database({ configuration, term, log });
  const members = new PostgresqlMembers({ database, term, log });
  const { availability } = database;

  /** Resolves when the tables are there; rejects with a sentence for admins. */
  const open: Engine["open"] = async (describe, signal) => {
    const deadline = monotonicTime() + configuration.start;
    for (;;) {
      try {
        await database.transaction(migrate, migrationLimit);
        return await members.open(describe);
      } catch (error) {
        // Another host creates the same.
        if (isDuplicate(error)) continue;
        if (!isEngineUnavailable(error)) throw error;
        const isOver = monotonicTime() >= deadline || isRefusal(availability.cause);
        if (isOver || signal?.aborted === true)
          throw new Error(`The engine does not answer: ${availability.detail}`, {
            cause: availability.cause,
          });
      }
    }
  };

  return {
    sessions: new PostgresqlSessionStore(database),
    artifacts: new PostgresqlArtifactStore({ database, configuration: files, log }),
    members,
    open,
    health: () => ({
      ready: !availability.isLost && !term.isOver,
      detail: `${availability.detail} ${leaseDetail(term)}`,
    }),
    close: async () => {
      await members.close();
      await database.close();
    },
  };
}

function leaseDetail({ isOver, age, left }: LeaseTerm): string {
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return isOver
    ? `The lease of this host was last renewed ${seconds(age)} ago and is over; the host joins again by itself.`
    : `The lease of this host ends in ${seconds(left)} unless it is renewed.`;
}
