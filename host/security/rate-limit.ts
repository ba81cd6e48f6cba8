import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Limit of remembered clients; a client with more addresses cannot be stopped by counting. */
const mostRemembered = 10_000;

/** Uses of all hosts that share an engine. */
export interface SharedUses {
  /**
   * Counts one use; returns the milliseconds to wait when all hosts together have none left, as far as this one knows. `seconds`:
   * length of the window.
   */
  take(name: string, most: number, seconds: number): number | undefined;
}

/** Where the uses of a limit are counted for all hosts. */
interface SharedLimit {
  /** Undefined for an engine of one host. */
  uses: SharedUses | undefined;
  /** Of the limit, such as "requests". */
  name: string;
}

/** A rate limit per client, with a limited number of remembered clients. */
export class RateLimit {
  private readonly limiter = new RateLimiterMemory({ points: 1, duration: 1 });
  private readonly known = new LRUCache<string, true>({
    max: mostRemembered,
    dispose: (_, who) => void this.limiter.delete(who),
  });

  /** Both are read at each use; 0 means unlimited. */
  constructor(
    private readonly most: () => number,
    private readonly seconds: () => number,
    private readonly shared?: SharedLimit,
  ) {}

  /** Counts one use; returns the milliseconds to wait, or undefined when permitted. */
  async take(who: string): Promise<number | undefined> {
    const most = this.most();
    if (most === 0) return undefined;
    this.limiter.points = most;
    if (this.known.get(who) === undefined) this.known.set(who, true);
    try {
      await this.limiter.consume(who, 1, { customDuration: this.seconds() });
      return this.shared?.uses?.take(`${this.shared.name} ${who}`, most, this.seconds());
    } catch (reason) {
      if (reason instanceof RateLimiterRes) return reason.msBeforeNext;
      throw reason;
    }
  }
}

/** The unit of counting for an address: itself, or the /64 network of an IPv6 client. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // Includes IPv4 addresses in IPv6 notation.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString("hex")}/64`;
}
