import { setMaxListeners } from "node:events";
import { RequestError } from "../../errors.js";
import { requestOver, timedOut, unavailable } from "./call-errors.js";
import type { CallOrigin, ServiceCaller } from "./live-plugin.js";
import { RequestFiles } from "./request-files.js";
import { type Clock, monotonicClock } from "./work.js";

/** A call inside an instance, with one signal for everything that can end it: client, deadline, and the instance itself. */
export class RunningCall implements ServiceCaller {
  readonly chain: readonly string[];
  readonly files: RequestFiles;
  private readonly controller = new AbortController();
  private readonly stopTimer: () => void;

  /** `what` is the route or the service method; `caller` is there when another plugin asked. */
  constructor(
    readonly origin: CallOrigin,
    readonly plugin: string,
    readonly what: string,
    caller: ServiceCaller | undefined,
    readonly clock: Clock = monotonicClock,
  ) {
    this.chain = [...(caller?.chain ?? []), `${plugin} ${what}`];
    this.files = new RequestFiles(caller?.files);
    // A handler may wait for many things at a time.
    setMaxListeners(0, this.controller.signal);
    this.stopTimer = clock.after(Math.max(0, origin.deadline - clock.now()), () =>
      this.end(timedOut(plugin)),
    );
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
    this.stopTimer();
    this.origin.signal.removeEventListener("abort", this.given);
    this.end(requestOver());
  }

  private readonly given = (): void => {
    const { reason } = this.origin.signal;
    if (reason instanceof RequestError) this.end(reason);
    else
      this.end(
        this.clock.now() >= this.origin.deadline ? timedOut(this.plugin) : unavailable(this.plugin, reason),
      );
  };
}
