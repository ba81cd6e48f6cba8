import type { MemberFacts, MemberStatus } from "../observability/host-status.js";

/** How a host describes itself to the others; read regularly. */
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
   * The number of this host's lease, undefined without one. Work that began without this lease must not be answered: the other
   * hosts may have continued without this one. The host gets a new lease by itself.
   */
  readonly lease: number | undefined;
  /** Milliseconds until the lease is over unless it is renewed. */
  readonly leaseLeft: number;
  /** Publishes the current description of this host, such as its port, at once; if that fails, with the next renewal. */
  announce(): Promise<void>;
  /** By name, including hosts that were lost within the last hour. Rejects with 503 during an outage of the engine. */
  list(): Promise<MemberStatus[]>;
}
