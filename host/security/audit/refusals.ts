import { shownPath } from "../../observability/requests/request-names.js";
import { type Caller, type CallerContext, nameOf } from "../caller.js";
import { networkOf, RateLimit } from "../rate-limit.js";
import type { AuditTrail } from "./audit-trail.js";

/** Limits: one entry per key or address in ten minutes, thirty in total per hour. */
const ownWhile = 600;
const wholeWhile = 3600;
const mostInAll = 30;

/**
 * Records samples of refused requests in the audit trail: their senders could otherwise fill the disk or displace
 * important entries. The next entry has the number of omitted ones.
 */
export class Refusals {
  private readonly own = new RateLimit(
    () => 1,
    () => ownWhile,
  );
  private readonly all = new RateLimit(
    () => mostInAll,
    () => wholeWhile,
  );
  private leftOut = 0;

  constructor(private readonly audit: Pick<AuditTrail, "note">) {}

  /** Returns at once and never throws: the refusal is not delayed. */
  note(ctx: CallerContext, caller: Caller, message: string): void {
    void this.take(ctx, caller, message);
  }

  private async take(ctx: CallerContext, caller: Caller, message: string): Promise<void> {
    const who = caller.key ?? networkOf(caller.address);
    const isTooMuch = (await this.own.take(who)) ?? (await this.all.take("all"));
    if (isTooMuch !== undefined) {
      this.leftOut += 1;
      return;
    }
    const leftOut = this.leftOut;
    this.leftOut = 0;
    await this.audit.note({
      actor: nameOf(caller),
      ...(caller.key !== undefined && { key: caller.key }),
      address: caller.address,
      action: "access",
      target: `${ctx.method} ${shownPath(ctx.path)}`,
      requestId: ctx.state.requestId,
      outcome: "refused",
      message,
      ...(leftOut > 0 && { details: { leftOut } }),
    });
  }
}
