import type { RunningCall } from "@slipway/sdk/runtime/host";
import { steadyTime } from "../../system/monotonic-time.js";
import { settlesWithin, wait } from "../timing.js";

/** How long after a deadline an instance may keep silent, and a handler may go on. */
const afterDeadline = 2000;

/** The instance in which a call was given up. */
interface AffectedInstance {
  /** Resolves when its process is gone. */
  readonly gone: Promise<unknown>;
  kill(cause: string): void;
  wear(reason: string): void;
}

/**
 * What becomes of a call that was given up: an instance that is still silent after the deadline is killed. `settled`
 * resolves when the handler is done, `ping` when the instance answers.
 */
export async function watchAbandoned(
  { what, origin }: RunningCall,
  settled: Promise<void>,
  instance: AffectedInstance,
  channel: { ping(): Promise<void> },
): Promise<void> {
  const { gone } = instance;
  const over = new AbortController();
  await Promise.race([settled, gone, wait(Math.max(0, origin.deadline - steadyTime()), over.signal)]);
  over.abort();
  const sign = Promise.race([settled, gone, channel.ping()]);
  if (!(await settlesWithin(sign, afterDeadline))) {
    instance.kill(`it did not react for ${afterDeadline} ms after the deadline of ${what}`);
  } else if (!(await settlesWithin(Promise.race([settled, gone]), afterDeadline))) {
    instance.wear(`the handler of ${what} goes on after its request ended`);
  }
}
