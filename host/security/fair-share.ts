import { isLoopback } from "../system/addresses.js";
import type { CallerContext } from "./caller.js";

/** How many times as much as is left free a client may have. */
const factor = 2;

/**
 * Shares something scarce among clients. A client has at most twice of what it leaves free: two thirds when it is alone, less
 * where others have some. So there is always something for those who come and want little.
 */
export class FairShare {
  private readonly taken = new Map<unknown, number>();
  private used = 0;

  constructor(private readonly total: () => number) {}

  /** Whether the holder got it; what it got it gives back. */
  take(holder: unknown, amount: number): boolean {
    const own = (this.taken.get(holder) ?? 0) + amount;
    const used = this.used + amount;
    const free = this.total() - used;
    // The last one of a few is for whoever has none.
    if (free < 0 || own > Math.max(1, factor * free)) return false;
    this.taken.set(holder, own);
    this.used = used;
    return true;
  }

  give(holder: unknown, amount: number): void {
    const own = (this.taken.get(holder) ?? 0) - amount;
    if (own > 0) this.taken.set(holder, own);
    else this.taken.delete(holder);
    this.used -= amount;
  }
}

/**
 * Whom what a request takes counts for: its key, else its address. Without a key, a request directly from this machine counts for
 * itself alone, because all users may be behind the program that sends it.
 */
export function holderOf({ state }: CallerContext): unknown {
  const { client, caller, requester } = state;
  const isOwnMachine = caller?.key === undefined && client.isDirect && isLoopback(client.address);
  return isOwnMachine ? state : requester;
}
