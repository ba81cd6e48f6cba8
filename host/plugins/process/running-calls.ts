import type { RequestError } from "@slipway/sdk";
import type { RunningCall } from "./running-call.js";

/** The calls that one instance works on, by the number that each has there. */
export class RunningCalls {
  private readonly calls = new Map<number, RunningCall>();
  private lastNumber = 0;
  private idle: () => void = () => undefined;

  /** Gives the number of the call. */
  begin(call: RunningCall): number {
    this.lastNumber += 1;
    this.calls.set(this.lastNumber, call);
    return this.lastNumber;
  }

  /** Ends what still works for the call. */
  finish(number: number): void {
    this.calls.get(number)?.finish();
    this.calls.delete(number);
    if (this.calls.size === 0) this.idle();
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

  /** Gives all of them up. */
  end(reason: RequestError): void {
    for (const each of this.calls.values()) each.end(reason);
  }
}
