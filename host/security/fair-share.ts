import { isLoopback } from "../system/addresses.js";
import type { CallerContext } from "./caller.js";

/** Maximum share of a client, as a multiple of the free rest. */
const factor = 2;

/**
 * Shares a resource among clients. A client gets at most twice the amount that it leaves free: two thirds when it is
 * alone, less when others use some. So small requests of other clients always find space.
 */
export class FairShare {
  private readonly taken = new Map<unknown, number>();
  private used = 0;

  constructor(private readonly total: () => number) {}

  /** Returns whether the amount was reserved; the holder has to release it. */
  take(holder: unknown, amount: number): boolean {
    const own = (this.taken.get(holder) ?? 0) + amount;
    const used = this.used + amount;
    const free = this.total() - used;
    // A holder without any may take the last unit.
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
 * The holder of a request's resources: its key, else its address. A direct local request without a key is its own
 * holder, because all users may share that program.
 */
export function holderOf({ state }: CallerContext): unknown {
  const { client, caller, requester } = state;
  const isOwnMachine = caller?.key === undefined && client.isDirect && isLoopback(client.address);
  return isOwnMachine ? state : requester;
}
