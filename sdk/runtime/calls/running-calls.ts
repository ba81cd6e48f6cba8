import type { RequestError } from "../../errors.js";
import type { Log } from "../../plugin/log.js";
import type { RunningCall } from "./running-call.js";

const keptLogs = 200;

/** The calls that one instance works on, by the number that each has there. */
export class RunningCalls {
  private readonly calls = new Map<number, RunningCall>();
  private lastNumber = 0;
  /** Of calls that ended a moment ago: what they printed may come after their answer. */
  private readonly lastLogs = new Map<number, Log>();
  private idle: () => void = () => undefined;

  /** Does the work of a call, which gets its number. Nothing is left of the files of one that fails. */
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

  /** Names the request of a call, also when that is just over. */
  logOf(number: number): Log | undefined {
    return this.calls.get(number)?.origin.work.log ?? this.lastLogs.get(number);
  }

  /** All that run, in the order in which they began. */
  get all(): RunningCall[] {
    return [...this.calls.values()];
  }

  get(number: number): RunningCall | undefined {
    return this.calls.get(number);
  }

  /** The number of the call that runs alone. */
  get single(): number | undefined {
    const [only] = this.calls.keys();
    return this.calls.size === 1 ? only : undefined;
  }

  /** Resolves when nothing runs any more. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.idle = resolve;
      if (this.calls.size === 0) resolve();
    });
  }

  /** Ends what still works for the call. */
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

  /** Gives all of them up. */
  end(reason: RequestError): void {
    for (const each of this.calls.values()) each.end(reason);
  }
}
