import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Of whom something is remembered at one time; who asks with more addresses than these is not stopped by counting them. */
const mostRemembered = 10_000;

/** Lets everybody have something so many times in a while; remembers a bounded number of them. */
export class RateLimit {
  private readonly limiter = new RateLimiterMemory({ points: 1, duration: 1 });
  private readonly known = new LRUCache<string, true>({
    max: mostRemembered,
    dispose: (_, who) => void this.limiter.delete(who),
  });

  /** Both are asked each time; 0 stands for any number. */
  constructor(
    private readonly most: () => number,
    private readonly seconds: () => number,
  ) {}

  /** Counts; gives the milliseconds after which there is more, and undefined when there is some now. */
  async take(who: string): Promise<number | undefined> {
    const most = this.most();
    if (most === 0) return undefined;
    this.limiter.points = most;
    if (this.known.get(who) === undefined) this.known.set(who, true);
    try {
      await this.limiter.consume(who, 1, { customDuration: this.seconds() });
      return undefined;
    } catch (reason) {
      if (reason instanceof RateLimiterRes) return reason.msBeforeNext;
      throw reason;
    }
  }
}

/** Whom an address counts for: itself, or the network of 64 bits that every client of IPv6 has for itself. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // Also what is written as IPv6 and is an address of IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString("hex")}/64`;
}
