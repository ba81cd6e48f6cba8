/** What an order has and a format of general trade has no place for. */
import type { Suppression } from "@slipway/sdk";

/** Collects it by kind, and reports each kind once. */
export class Omissions {
  private readonly counts = new Map<string, number>();

  /** `format`: its name, such as "Order-X COMFORT". */
  constructor(readonly format: string) {}

  /** `what`: the kind, in the plural, such as "weights". */
  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Call once, when the file is written: suppressed errors `oex-value-omitted`. */
  report(suppress: (suppression: Suppression) => void): void {
    for (const [what, count] of this.counts)
      suppress({
        id: "oex-value-omitted",
        scope: "WARN",
        message: `${this.format} has no place for ${what}; the export leaves this out${count > 1 ? ` ${count} times` : ""}.`,
        additionalInformation: { format: this.format, what, count },
      });
  }
}
