import type { RequestContext } from "../http/request-state.js";
import { FairShare, holderOf } from "../security/fair-share.js";
import { overloaded } from "../system/request-errors.js";

/** Limits the memory of all projects being uploaded and opened, with fair shares per client. */
export class UploadRoom {
  private readonly share: FairShare;

  constructor(maximumBytes: () => number) {
    this.share = new FairShare(maximumBytes);
  }

  /**
   * Runs a task that reserves memory in steps and releases all of it at its end. `take` throws 503 `request-overloaded`
   * when the client's share is used up.
   */
  async during<T>(ctx: RequestContext, task: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    const holder = holderOf(ctx);
    let taken = 0;
    const take = (bytes: number): void => {
      if (!this.share.take(holder, bytes)) throw overloaded("Too many projects are being uploaded.", 5);
      taken += bytes;
    };
    try {
      return await task(take);
    } finally {
      this.share.give(holder, taken);
    }
  }
}
