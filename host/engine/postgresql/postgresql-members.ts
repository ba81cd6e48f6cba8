import { randomUUID } from "node:crypto";
import type { Log } from "@slipway/sdk";
import type { MemberFacts, MemberStatus } from "../../observability/host-status.js";
import { logUnlessOutage } from "../../system/request-errors.js";
import { wait } from "../../system/time.js";
import type { MemberDescription, Members } from "../members.js";
import type { Database } from "./database.js";
import { type LeaseTerm, presentMoment } from "./lease-term.js";
import { milliseconds } from "./times.js";

export interface PostgresqlMembersOptions {
  database: Database;
  term: LeaseTerm;
  log: Log;
}

/** Renewals within a lease, so that two may fail. */
const renewals = 3;
/** Milliseconds before another try without a lease. */
const joinPause = 250;

/** SQL for the end of a lease of so many milliseconds from now; `parameter` such as "$2". */
const leaseEnd = (parameter: string): string => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;

/**
 * The hosts as rows, each with a lease that ends by the clock of the database. A lease that is over cannot be renewed: the host
 * joins with a new id, so whatever is bound to the old one stays refused.
 */
export class PostgresqlMembers implements Members {
  private id = randomUUID();
  private host: MemberDescription | undefined;
  /** The facts of this host for the next renewal. */
  private facts: Omit<MemberFacts, "name"> | undefined;
  private refreshing: Promise<void> | undefined;
  private isLossKnown = false;
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PostgresqlMembersOptions) {}

  get name(): string {
    return this.options.database.availability.name;
  }

  /** Undefined before it has joined. */
  get hostName(): string | undefined {
    return this.host?.name();
  }

  /** The id of this host's lease. */
  get ownId(): string {
    return this.id;
  }

  get lease(): number | undefined {
    return this.options.term.current;
  }

  get leaseLeft(): number {
    return this.options.term.left;
  }

  /** Joins, and renews the lease from then on. Rejects with 503 while the engine is away. */
  async open(host: MemberDescription): Promise<void> {
    this.host = host;
    this.facts = await host.facts();
    await this.join();
    this.running = this.renewRegularly();
  }

  async announce(): Promise<void> {
    try {
      await this.readFacts();
      await this.renew();
    } catch (error) {
      this.report(error);
    }
  }

  async list(): Promise<MemberStatus[]> {
    const { rows } = await this.options.database.underLease(
      (connection) =>
        connection.query<{ id: string; facts: MemberFacts; isAlive: boolean; leaseUntil: number }>(
          `SELECT id, facts, lease_until > clock_timestamp() AS "isAlive",
             ${milliseconds("lease_until")} AS "leaseUntil"
           FROM slipway.member ORDER BY facts ->> 'name', lease_until`,
        ),
      this.statementLimit,
    );
    const alive = new Set(rows.flatMap(({ facts, isAlive }) => (isAlive ? [facts.name] : [])));
    return (
      rows
        // A restarted host is not lost.
        .filter(({ facts, isAlive }) => isAlive || !alive.has(facts.name))
        .map(({ id, facts, isAlive, leaseUntil }) => ({
          ...facts,
          id,
          state: isAlive ? "alive" : "lost",
          leaseUntil: new Date(leaseUntil).toISOString(),
          current: id === this.id,
        }))
    );
  }

  /** Gives the lease back, so that the others need not wait for its end. */
  async close(): Promise<void> {
    this.ending.abort();
    await this.running;
    await this.options.database
      .underLease(
        (connection) => connection.query("DELETE FROM slipway.member WHERE id = $1", [this.id]),
        this.statementLimit,
      )
      .catch((error: unknown) => this.report(error));
  }

  /** Milliseconds; a failed renewal must leave time for another one. */
  private get statementLimit(): number {
    return this.options.term.length / renewals;
  }

  private async renewRegularly(): Promise<void> {
    const { term } = this.options;
    const { signal } = this.ending;
    while (!signal.aborted) {
      await wait(term.isOver ? joinPause : term.length / renewals, signal);
      if (signal.aborted) return;
      this.logLoss();
      try {
        if (!(await this.renew())) await this.join();
        this.logLoss();
        this.refreshFacts();
      } catch (error) {
        this.report(error);
      }
    }
  }

  /** False where the lease is over. */
  private async renew(): Promise<boolean> {
    const { database, term } = this.options;
    return await database.underLease(async (connection) => {
      const sent = presentMoment();
      const { rowCount } = await connection.query(
        `UPDATE slipway.member SET lease_until = ${leaseEnd("$2")}, facts = $3
         WHERE id = $1 AND lease_until > clock_timestamp()`,
        [this.id, term.length, this.encodedFacts()],
      );
      if (rowCount !== 1) return false;
      term.renewed(sent);
      return true;
    }, this.statementLimit);
  }

  private async join(): Promise<void> {
    const { database, term } = this.options;
    const before = this.id;
    const id = randomUUID();
    await database.underLease(async (connection) => {
      await connection.query(
        "DELETE FROM slipway.member WHERE id = $1 OR lease_until < clock_timestamp() - interval '1 hour'",
        [before],
      );
      const sent = presentMoment();
      await connection.query(
        `INSERT INTO slipway.member (id, lease_until, facts) VALUES ($1, ${leaseEnd("$2")}, $3)
         ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
        [id, term.length, this.encodedFacts()],
      );
      this.id = id;
      term.begun(sent);
    }, this.statementLimit);
  }

  private encodedFacts(): string {
    return JSON.stringify({ ...this.facts, name: this.hostName });
  }

  /** No renewal waits for it, because the answer may take long. */
  private refreshFacts(): void {
    this.refreshing ??= this.readFacts()
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.refreshing = undefined;
      });
  }

  private async readFacts(): Promise<void> {
    this.facts = await this.host?.facts();
  }

  /** Logs one line when the lease is lost, and one when there is another. */
  private logLoss(): void {
    const { term, log } = this.options;
    const isLost = term.isOver;
    if (isLost === this.isLossKnown) return;
    this.isLossKnown = isLost;
    if (isLost)
      log.warn("The lease of this host is over; what hosts share gets 503 until it has joined again", {
        seconds: Math.round(term.age / 1000),
      });
    else log.info("This host has joined again");
  }

  private report(error: unknown): void {
    logUnlessOutage(this.options.log, "The lease of this host was not renewed", error);
  }
}
