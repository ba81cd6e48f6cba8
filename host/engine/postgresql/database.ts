import type { Log } from "@slipway/sdk";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from "pg";
import type { EngineConfiguration } from "../../configuration/engine-configuration.js";
import { engineUnavailable } from "../../system/request-errors.js";
import { monotonicTime, settlesWithin } from "../../system/time.js";
import { Availability } from "./availability.js";
import { Connection, limited } from "./connection.js";
import { databaseError, isConflict, isConnectionError, StatementTimeout } from "./database-errors.js";

export interface DatabaseOptions {
  /** `url` is that of the database. */
  configuration: EngineConfiguration & { url: string };
  log: Log;
}

type Work<T> = (connection: Connection) => Promise<T>;

/** Milliseconds by which the time limits of `pg` are behind ours, which tell a busy pool from a dead server. */
const slack = 1000;
/**
 * The code of warnings. No statement here gives one, but a commit that was told not to wait for its standby any longer: it
 * reports success all the same (manual, synchronous replication).
 */
const warning = "01000";
/** How often a transaction is begun anew because of a concurrent one. */
const mostTries = 5;
/** Milliseconds; a host that stops in a transaction must not hold the locks of all others. */
const idleInTransaction = 10_000;
/** Milliseconds after which a connection without work is closed. */
const idle = 60_000;

/**
 * The connections to a database. Work that cannot be done because the database does not answer rejects with 503
 * `engine-unavailable`, after `timeout` milliseconds for a connection and for each statement.
 */
export class Database {
  readonly availability: Availability;
  private readonly settings: ClientConfig;
  private pool: Pool;
  /** Connections that committed without the standby that the server is to wait for. */
  private readonly doubtful = new WeakSet<ClientBase>();

  constructor(private readonly options: DatabaseOptions) {
    const { url, timeout } = options.configuration;
    this.settings = {
      connectionString: url,
      application_name: "slipway",
      connectionTimeoutMillis: timeout + slack,
      idle_in_transaction_session_timeout: idleInTransaction,
      keepAlive: true,
    };
    const { host, port, database = "" } = new Client(this.settings);
    this.availability = new Availability({
      name: `PostgreSQL at ${host}:${port}/${database}`,
      probe: () => this.probe(),
      log: options.log,
    });
    this.pool = this.createPool();
  }

  /** One statement, or several that need not be one transaction. */
  run<T>(work: Work<T>): Promise<T> {
    return this.attempt(work, false);
  }

  /** Work without effects, or with effects that may come twice: it is done again where its connection is lost. */
  read<T>(work: Work<T>): Promise<T> {
    return this.attempt(work, true);
  }

  /** All of it, or nothing. `limit`: milliseconds for each statement; default: the configured ones. */
  transaction<T>(work: Work<T>, limit?: number): Promise<T> {
    const { timeout } = this.options.configuration;
    return this.attempt(
      async (connection) => {
        for (let tries = 1; ; tries += 1) {
          try {
            await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED", [], timeout);
            const result = await work(connection);
            await connection.query("COMMIT");
            return result;
          } catch (error) {
            // A lost connection ends its transaction.
            if (isConnectionError(error)) throw error;
            await connection.query("ROLLBACK");
            if (!isConflict(error) || tries === mostTries) throw error;
          }
        }
      },
      false,
      limit,
    );
  }

  /** Ends the connections once their work is done; a server that does not answer is not waited for. */
  async close(): Promise<void> {
    await this.availability.close();
    await settlesWithin(this.pool.end(), this.options.configuration.timeout);
  }

  private async attempt<T>(work: Work<T>, isRepeatable: boolean, limit?: number): Promise<T> {
    const { timeout } = this.options.configuration;
    const deadline = monotonicTime() + timeout;
    for (;;) {
      await this.availability.ready(deadline);
      const { pool } = this;
      const client = await this.connected(pool, deadline);
      if (client === undefined) continue;
      try {
        const result = await work(new Connection(client, limit ?? timeout));
        if (this.doubtful.has(client)) throw new StatementTimeout("A standby may lack what was committed");
        client.release();
        return result;
      } catch (error) {
        const isLost = isConnectionError(error);
        // A connection whose state is not known must not be used again.
        client.release(isLost);
        if (!isLost) throw databaseError(error);
        this.lost(error, pool);
        if (!isRepeatable || error instanceof StatementTimeout) throw engineUnavailable();
      }
    }
  }

  /** Undefined where the engine does not give one, which `availability` knows then. */
  private async connected(pool: Pool, deadline: number): Promise<PoolClient | undefined> {
    const connecting = pool.connect();
    try {
      return await limited(connecting, Math.max(deadline - monotonicTime(), 0));
    } catch (error) {
      connecting.then((client) => client.release()).catch(() => undefined);
      if (!isConnectionError(error)) throw databaseError(error);
      // All connections are at work, so the server answers.
      if (error instanceof StatementTimeout && pool.totalCount === this.options.configuration.pool)
        throw engineUnavailable();
      this.lost(error, pool);
      return undefined;
    }
  }

  /** Connections of before are not used any more: they may be dead, or lead to a server that is no longer in charge. */
  private lost(error: unknown, pool: Pool): void {
    // What ends late on connections of before says nothing about those of now.
    if (pool !== this.pool || this.availability.isLost) return;
    this.availability.lost(error);
    this.pool = this.createPool();
    pool.end().catch(() => undefined);
  }

  private createPool(): Pool {
    const max = this.options.configuration.pool;
    const pool = new Pool({ ...this.settings, max, idleTimeoutMillis: idle });
    // Without listeners, a connection that ends would end the host.
    pool.on("error", (error) => this.lost(error, pool));
    pool.on("connect", (client) => {
      client.on("error", () => undefined);
      client.on("notice", ({ code }) => {
        if (code === warning) this.doubtful.add(client);
      });
    });
    return pool;
  }

  /** Whether a server answers that takes writes. */
  private async probe(): Promise<void> {
    const client = new Client(this.settings);
    client.on("error", () => undefined);
    const { timeout } = this.options.configuration;
    try {
      await client.connect();
      const { rows } = await new Connection(client, timeout).query<{ standby: boolean }>(
        "SELECT pg_is_in_recovery() AS standby",
      );
      if (rows[0]?.standby === true) throw new Error("the server is a standby and takes no writes");
    } finally {
      // Not awaited: a server that does not answer does not say good-bye either.
      client.end().catch(() => undefined);
    }
  }
}
