import { setImmediate } from "node:timers/promises";
import type { Duration } from "../../plugin/route.js";
import type { Clock } from "../../runtime/host.js";
import { milliseconds } from "../../runtime/plugin/prepared-handlers.js";
import type { TestClock } from "../test-host.js";

interface Timer {
  due: number;
  run(): void;
}

/** Turns of the event loop, enough for promises that wait for nothing outside the process to settle. */
const turns = 20;

/** A clock that only moves with `advance`. */
export class FakeClock implements Clock {
  /** In creation order. */
  private readonly timers = new Set<Timer>();

  constructor(private milliseconds: number) {}

  /** The clock's public interface. */
  get shown(): TestClock {
    const now = (): Date => new Date(this.milliseconds);
    return {
      get now() {
        return now();
      },
      advance: (duration) => this.advance(duration),
    };
  }

  now(): number {
    return this.milliseconds;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { due: this.milliseconds + milliseconds, run };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  private async advance(duration: Duration): Promise<void> {
    const end = this.milliseconds + (milliseconds("clock.advance", duration) ?? 0);
    // Work started just before may not have set its timer yet.
    await settled();
    for (let next = this.nextUntil(end); next !== undefined; next = this.nextUntil(end)) {
      this.timers.delete(next);
      this.milliseconds = next.due;
      next.run();
      await settled();
    }
    this.milliseconds = end;
  }

  private nextUntil(end: number): Timer | undefined {
    const due = [...this.timers].filter((timer) => timer.due <= end);
    return due.sort((one, other) => one.due - other.due)[0];
  }
}

/** Lets pending work finish that waits for nothing outside the process. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}
