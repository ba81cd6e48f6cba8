import type { MemberFacts, MemberStatus } from "../observability/host-status.js";

/** What a host tells the others of itself; asked regularly. */
export interface MemberDescription {
  /** Machine and port. */
  name(): string;
  facts(): Promise<Omit<MemberFacts, "name">>;
}

/** The hosts that share an engine, this one among them. */
export interface Members {
  /** Of the engine, for admins, such as "PostgreSQL at db1:5432/slipway". */
  readonly name: string;
  /**
   * The number of this host's lease, undefined without one. What began without it, or under another one, must not be answered:
   * the others may have gone on without this host. It gets another lease by itself.
   */
  readonly lease: number | undefined;
  /** Milliseconds until the lease is over unless it is renewed. */
  readonly leaseLeft: number;
  /** Tells the others at once what this host is now, such as its port. Where that fails, the next renewal tells it. */
  announce(): Promise<void>;
  /** By name; those that ended without a word within the last hour, too. Rejects with 503 while the engine is away. */
  list(): Promise<MemberStatus[]>;
}
