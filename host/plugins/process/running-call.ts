import { setMaxListeners } from "node:events";
import { RequestError } from "@slipway/sdk";
import { steadyTime } from "../../steady-time.js";
import type { CallOrigin, ServiceCaller } from "../live-plugin.js";
import { RequestFiles } from "../services/request-files.js";
import { timedOut, unavailable } from "./call-errors.js";

/** For services that go on for a request that has its answer. */
const over = new RequestError({
  id: "plugin-error",
  code: 500,
  message: "The request that this is for is over.",
});

/** A call inside an instance, with one signal for everything that can end it: client, deadline, and the instance itself. */
export class RunningCall implements ServiceCaller {
  readonly chain: readonly string[];
  readonly files: RequestFiles;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /** `what` is the route or the service method; `caller` is there when another plugin asked. */
  constructor(
    readonly origin: CallOrigin,
    readonly plugin: string,
    readonly what: string,
    caller: ServiceCaller | undefined,
  ) {
    this.chain = [...(caller?.chain ?? []), `${plugin} ${what}`];
    this.files = new RequestFiles(caller?.files);
    // A handler may wait for many things at a time.
    setMaxListeners(0, this.controller.signal);
    this.timer = setTimeout(() => this.end(timedOut(plugin)), Math.max(0, origin.deadline - steadyTime()));
    origin.signal.addEventListener("abort", this.given);
    if (origin.signal.aborted) this.given();
  }

  /** Its reason is a `RequestError`. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(reason: RequestError): void {
    this.controller.abort(reason);
  }

  /** To be called when the call is over; services that still work for it end. */
  finish(): void {
    clearTimeout(this.timer);
    this.origin.signal.removeEventListener("abort", this.given);
    this.end(over);
  }

  private readonly given = (): void => {
    const { reason } = this.origin.signal;
    if (reason instanceof RequestError) this.end(reason);
    else
      this.end(
        steadyTime() >= this.origin.deadline ? timedOut(this.plugin) : unavailable(this.plugin, reason),
      );
  };
}
