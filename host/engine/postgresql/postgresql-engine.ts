import type { Log } from "@slipway/sdk";
import type { Configuration } from "../../configuration/configuration.js";
import { isEngineUnavailable } from "../../system/request-errors.js";
import { monotonicTime } from "../../system/time.js";
import type { Engine } from "../engine.js";
import { Database, type DatabaseOptions } from "./database.js";
import { isDuplicate, isRefusal } from "./database-errors.js";
import { migrate } from "./migrations.js";
import { PostgresqlArtifactStore } from "./postgresql-artifact-store.js";
import { PostgresqlIdempotencyStore } from "./postgresql-idempotency-store.js";
import { PostgresqlJobStore } from "./postgresql-job-store.js";
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
  const database = new Database({ configuration, log });
  const { availability } = database;

  /** Resolves when the tables are there; rejects with a sentence for admins. */
  const open = async (signal?: AbortSignal): Promise<void> => {
    const deadline = monotonicTime() + configuration.start;
    for (;;) {
      try {
        return await database.transaction(migrate, migrationLimit);
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
    jobs: new PostgresqlJobStore(database),
    idempotency: new PostgresqlIdempotencyStore(database),
    open,
    health: () => ({ ready: !availability.isLost, detail: availability.detail }),
    close: () => database.close(),
  };
}
