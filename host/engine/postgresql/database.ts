import type { Log } from "@slipway/sdk";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from "pg";
import type { EngineConfiguration } from "../../configuration/engine-configuration.js";
import { engineUnavailable } from "../../system/request-errors.js";
import { monotonicTime, settlesWithin } from "../../system/time.js";
import { Availability } from "./availability.js";
import { Connection, limited } from "./connection.js";
import { databaseError, isConflict, isConnectionError, StatementTimeout } from "./database-errors.js";
import type { LeaseTerm } from "./lease-term.js";

export interface DatabaseOptions {
  /** `url` is that of the database. */
  configuration: EngineConfiguration & { url: string };
  /** Once it is over, nothing but `underLease` is done. */
  term: LeaseTerm;
  log: Log;
}

type Work<T> = (connection: Connection) => Promise<T>;

/** What connections are for: requests, or the lease of this host, which must not wait behind requests. */
type Pools = Record<"requests" | "lease", Pool>;

interface Attempt {
  /** Whether work without effects, or with effects that may come twice. */
  isRepeatable: boolean;
  /** Milliseconds for each statement; default: the configured ones. */
  limit?: number | undefined;
  /** Default: requests. */
  purpose?: keyof Pools;
}

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
  /** Of a connection. */
  readonly settings: ClientConfig;
  private pools: Pools;
  private isClosed = false;
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
    this.pools = this.createPools();
  }

  /** One statement, or several that need not be one transaction. */
  run<T>(work: Work<T>): Promise<T> {
    return this.attempt(work, { isRepeatable: false });
  }

  /** Work without effects, or with effects that may come twice: it is done again where its connection is lost. */
  read<T>(work: Work<T>): Promise<T> {
    return this.attempt(work, { isRepeatable: true });
  }

  /**
   * Work that needs no lease, and that no request holds up; it may come twice. `limit`: milliseconds for each statement.
   */
  underLease<T>(work: Work<T>, limit: number): Promise<T> {
    return this.attempt(work, { isRepeatable: true, limit, purpose: "lease" });
  }

  /** All of it, or nothing. `limit`: milliseconds for each statement; default: the configured ones. */
  transaction<T>(work: Work<T>, limit?: number): Promise<T> {
    const { configuration, term } = this.options;
    const { timeout } = configuration;
    return this.attempt(
      async (connection) => {
        const lease = term.current;
        for (let tries = 1; ; tries += 1) {
          try {
            await connection.query("BEGIN ISOLATION LEVEL READ COMMITTED", [], timeout);
            const result = await work(connection);
            this.demandLease(lease);
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
      { isRepeatable: false, limit },
    );
  }

  /** Ends the connections once their work is done; a server that does not answer is not waited for. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.availability.close();
    const ends = Object.values(this.pools).map((pool) => pool.end());
    await settlesWithin(Promise.all(ends), this.options.configuration.timeout);
  }

  private async attempt<T>(
    work: Work<T>,
    { isRepeatable, limit, purpose = "requests" }: Attempt,
  ): Promise<T> {
    const { timeout } = this.options.configuration;
    const deadline = monotonicTime() + Math.min(timeout, limit ?? timeout);
    for (;;) {
      await this.availability.ready(deadline);
      const pool = this.pools[purpose];
      const client = await this.connected(pool, deadline);
      if (client === undefined) continue;
      try {
        const lease = this.options.term.current;
        if (purpose === "requests") this.demandLease(lease);
        const result = await work(new Connection(client, limit ?? timeout));
        if (purpose === "requests") this.demandLease(lease);
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
      if (this.isClosed) throw engineUnavailable();
      // All connections are at work, so the server answers.
      if (error instanceof StatementTimeout && pool.totalCount === pool.options.max)
        throw engineUnavailable();
      this.lost(error, pool);
      return undefined;
    }
  }

  /** Connections of before are not used any more: they may be dead, or lead to a server that is no longer in charge. */
  private lost(error: unknown, pool: Pool): void {
    // What ends late on connections of before says nothing about those of now.
    const { pools } = this;
    if (this.isClosed || !Object.values(pools).includes(pool) || this.availability.isLost) return;
    this.availability.lost(error);
    this.pools = this.createPools();
    for (const each of Object.values(pools)) each.end().catch(() => undefined);
  }

  /**
   * Throws 503 once other hosts may have gone on without this one: before work begins, before it is committed, before it is
   * answered. `lease`: under which it began.
   */
  private demandLease(lease: number | undefined): void {
    if (lease === undefined || this.options.term.current !== lease) throw engineUnavailable();
  }

  private createPools(): Pools {
    return { requests: this.createPool(this.options.configuration.pool), lease: this.createPool(1) };
  }

  private createPool(max: number): Pool {
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
