import type { Duration } from "../plugin/route.js";

/** The clock of a test host. It stands still until it is told to go on. */
export interface TestClock {
  /** What `host.now()` gives to plugins. */
  readonly now: Date;
  /**
   * Lets time pass: deadlines of requests and service methods that lie on the way end them, one after the other. What they
   * set off has settled as far as it does not wait for anything outside of this process.
   */
  advance(duration: Duration): Promise<void>;
}
