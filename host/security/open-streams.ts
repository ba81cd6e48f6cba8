import type { CallerContext } from "./caller.js";

const lookInterval = 2000;

/**
 * Ends streams of events whose caller may not have them any more: a key that was removed or has expired would otherwise go on
 * to read for as long as its connection lasts. Other answers end by themselves.
 */
export class OpenStreams {
  private readonly open = new Map<CallerContext, () => boolean>();
  private readonly timer = setInterval(() => this.look(), lookInterval).unref();

  /** `may` tells whether the caller of a request still may have its answer. */
  watch(ctx: CallerContext, may: () => boolean): void {
    this.open.set(ctx, may);
    const forget = (): void => void this.open.delete(ctx);
    // Either it is sent, or its client went away.
    ctx.res.once("finish", forget);
    ctx.state.abort.signal.addEventListener("abort", forget, { once: true });
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    for (const [{ res }, may] of this.open) {
      const isStream = String(res.getHeader("Content-Type")).startsWith("text/event-stream");
      if (isStream && !may()) res.destroy();
    }
  }
}
