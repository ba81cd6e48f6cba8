/** What went wrong with single prices while the rest could be computed. */
import type { Suppression } from "../schema/errors.js";

/** Suppressed errors `item-price-error` of one calculation; the same message for the same item is kept once. */
export class PriceErrors {
  private readonly found = new Map<string, Suppression>();

  /** `itemId` is undefined for what concerns the whole project. Returns undefined, for the value that is missing. */
  add(itemId: string | undefined, message: string, options: { scope?: "WARN" | "ERROR" } = {}): undefined {
    const key = `${itemId ?? ""} ${message}`;
    if (this.found.has(key)) return undefined;
    this.found.set(key, {
      id: "item-price-error",
      message: /[.!?]$/.test(message) ? message : `${message}.`,
      scope: options.scope ?? "ERROR",
      additionalInformation: itemId === undefined ? {} : { itemId },
    });
    return undefined;
  }

  list(): Suppression[] {
    return [...this.found.values()];
  }
}
