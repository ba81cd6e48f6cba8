import type { Log } from "@slipway/sdk";
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type QueryResult,
  type QueryResultRow,
} from "pg";
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
  /** Work without effects, or whose effects may happen twice. */
  isRepeatable: boolean;
  /** Milliseconds for each statement; default: the configured ones. */
  limit?: number | undefined;
  /** Default: requests. */
  purpose?: keyof Pools;
}

/** Milliseconds that `pg` waits longer than this class, which distinguishes a busy pool from a dead server. */
const slack = 1000;
/**
 * The code of warnings. Only one statement here causes a warning: a commit that stopped waiting for its standby, which still
 * reports success (manual, synchronous replication).
 */
const warning = "01000";
/** Attempts at a transaction that conflicts with concurrent ones. */
const mostTries = 5;
/** Milliseconds; a host that stops in a transaction must not hold the locks of all others. */
const idleInTransaction = 10_000;
/** Milliseconds after which a connection without work is closed. */
const idle = 60_000;
/** Milliseconds for each statement that removes or ends many rows, which takes longer than requests may. */
export const sweepLimit = 30_000;

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

  /** Work without effects, or whose effects may happen twice: repeated when its connection is lost. */
  read<T>(work: Work<T>): Promise<T> {
    return this.attempt(work, { isRepeatable: true });
  }

  /** One statement as `read` work; the type of its rows follows from its text. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.read((connection) => connection.query<Row>(text, values));
  }

  /** One statement as `run` work. */
  execute<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.run((connection) => connection.query<Row>(text, values));
  }

  /**
   * Work that needs no lease and does not wait for requests; it may run twice. `limit`: milliseconds for each statement.
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

  /** One statement that removes many rows, as a transaction. */
  sweep<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.transaction((connection) => connection.query<Row>(text, values), sweepLimit);
  }

  /** Ends the connections once their work is done; does not wait for a server that does not answer. */
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

  /** Undefined when the engine provides no connection; `availability` then knows of the outage. */
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

  /** Replaces all connections: they may be dead, or lead to a former primary server. */
  private lost(error: unknown, pool: Pool): void {
    // Late errors of replaced connections say nothing about the current ones.
    const { pools } = this;
    if (this.isClosed || !Object.values(pools).includes(pool) || this.availability.isLost) return;
    this.availability.lost(error);
    this.pools = this.createPools();
    for (const each of Object.values(pools)) each.end().catch(() => undefined);
  }

  /**
   * Throws 503 once other hosts may have continued without this one; called before work begins, before its commit, and before
   * its answer. `lease`: the lease at its beginning.
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
      // Not awaited: the server may never answer.
      client.end().catch(() => undefined);
    }
  }
}
