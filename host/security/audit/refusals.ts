import { shownPath } from "../../observability/requests/request-names.js";
import { type Caller, type CallerContext, nameOf } from "../caller.js";
import { networkOf, RateLimit } from "../rate-limit.js";
import type { AuditTrail } from "./audit-trail.js";

/** One entry for each key or address in ten minutes, and thirty of all in an hour. */
const ownWhile = 600;
const wholeWhile = 3600;
const mostInAll = 30;

/**
 * Takes down in the audit trail who was refused: samples, because whoever is refused decides how often that happens, and must
 * neither fill the disk nor push what matters out of the trail. The next entry says how many were left out.
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

  /** Never fails and never waits: the refusal itself goes out at once. */
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
