import { setMaxListeners } from "node:events";
import type { Log } from "../../plugin/handler-context.js";
import { RequestError } from "../../schema/errors.js";
import type { CallOrigin, ServiceCaller } from "./live-plugin.js";
import { requestOver, timedOut, unavailable } from "./request-errors.js";
import { RequestFiles } from "./request-files.js";
import { type Clock, monotonicClock } from "./work.js";

/** Shared by all calls: a new error with its stack would cost more than the rest of ending a call. */
const over = requestOver();

/** A running call in an instance, with one signal for the client, the deadline and the instance. */
export class RunningCall implements ServiceCaller {
  readonly chain: readonly string[];
  readonly files: RequestFiles;
  private readonly controller = new AbortController();
  private readonly stopTimer: () => void;

  /** `what` is the route or the service method; `caller` is set if another plugin made the call. */
  constructor(
    readonly origin: CallOrigin,
    readonly plugin: string,
    readonly what: string,
    caller: ServiceCaller | undefined,
    readonly clock: Clock = monotonicClock,
  ) {
    this.chain = [...(caller?.chain ?? []), `${plugin} ${what}`];
    this.files = new RequestFiles(caller?.files);
    // A handler may add any number of listeners.
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

  /** Must be called at the end of the call; aborts the services that still run for it. */
  finish(): void {
    this.stopTimer();
    this.origin.signal.removeEventListener("abort", this.given);
    this.end(over);
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

const keptLogs = 200;

/** The running calls of one instance by their numbers. */
export class RunningCalls {
  private readonly calls = new Map<number, RunningCall>();
  private lastNumber = 0;
  /** Loggers of calls that ended recently: their output may arrive after their answer. */
  private readonly lastLogs = new Map<number, Log>();
  private idle: () => void = () => undefined;

  /** Runs a call under a new number. The files of a failed call are removed. */
  async run<A>(call: RunningCall, work: (request: number) => Promise<A>): Promise<A> {
    this.lastNumber += 1;
    const request = this.lastNumber;
    this.calls.set(request, call);
    try {
      return await work(request);
    } catch (error) {
      call.files.discard();
      throw error;
    } finally {
      this.finish(request);
    }
  }

  /** The log with the request's fields, even if the call ended recently. */
  logOf(number: number): Log | undefined {
    return this.calls.get(number)?.origin.work.log ?? this.lastLogs.get(number);
  }

  /** All running calls, oldest first. */
  get all(): RunningCall[] {
    return [...this.calls.values()];
  }

  get(number: number): RunningCall | undefined {
    return this.calls.get(number);
  }

  /** The number of the call if it is the only one. */
  get single(): number | undefined {
    const [only] = this.calls.keys();
    return this.calls.size === 1 ? only : undefined;
  }

  /** Resolves when no call is running. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.idle = resolve;
      if (this.calls.size === 0) resolve();
    });
  }

  /** Aborts what still runs for the call. */
  private finish(number: number): void {
    const call = this.calls.get(number);
    call?.finish();
    this.calls.delete(number);
    if (call !== undefined) this.keepLog(number, call.origin.work.log);
    if (this.calls.size === 0) this.idle();
  }

  private keepLog(number: number, log: Log): void {
    this.lastLogs.set(number, log);
    const [oldest] = this.lastLogs.keys();
    if (this.lastLogs.size > keptLogs && oldest !== undefined) this.lastLogs.delete(oldest);
  }

  /** Aborts all calls. */
  end(reason: RequestError): void {
    for (const each of this.calls.values()) each.end(reason);
  }
}
