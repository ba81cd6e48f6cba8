import { RequestError } from "@slipway/sdk";
import { timedOut, unavailable } from "./call-errors.js";
import type { PluginCall } from "./live-plugin.js";

/** For services that go on for a request that has its answer. */
const over = new RequestError({
  id: "plugin-error",
  code: 500,
  message: "The request that this is for is over.",
});

/** A request inside an instance, with one signal for everything that can end it: client, deadline, and the instance itself. */
export class RunningCall {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    readonly call: PluginCall,
    private readonly plugin: string,
  ) {
    this.timer = setTimeout(() => this.end(timedOut(plugin)), Math.max(0, call.deadline - Date.now()));
    call.signal.addEventListener("abort", this.given);
    if (call.signal.aborted) this.given();
  }

  /** Its reason is a `RequestError`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(reason: RequestError): void {
    this.controller.abort(reason);
  }

  /** To be called when the request is over; services that still work for it end. */
  finish(): void {
    clearTimeout(this.timer);
    this.call.signal.removeEventListener("abort", this.given);
    this.end(over);
  }

  private readonly given = (): void => {
    const { reason } = this.call.signal;
    if (reason instanceof RequestError) this.end(reason);
    else
      this.end(Date.now() >= this.call.deadline ? timedOut(this.plugin) : unavailable(this.plugin, reason));
  };
}
