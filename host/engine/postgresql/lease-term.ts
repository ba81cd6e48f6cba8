import { monotonicTime } from "../../system/time.js";

/** A moment by both clocks: the monotonic one stands still while the machine is suspended, the other one jumps. */
export interface Moment {
  monotonic: number;
  wall: number;
}

export function presentMoment(): Moment {
  return { monotonic: monotonicTime(), wall: Date.now() };
}

/**
 * For how long this host may still act, as it knows itself. Counted from before the lease was asked for, so that it ends here
 * before it ends by the clock of the engine.
 */
export class LeaseTerm {
  private begin: Moment | undefined;
  private count = 0;

  /** `length`: milliseconds. */
  constructor(readonly length: number) {}

  /** Another lease begins, asked for at this moment: what began under the one before must not end under this one. */
  begun(sent: Moment): void {
    this.count += 1;
    this.begin = sent;
  }

  /** The lease goes on, as asked for at this moment. */
  renewed(sent: Moment): void {
    this.begin = sent;
  }

  /** Milliseconds since the request that was granted last; 0 before the first one. */
  get age(): number {
    if (this.begin === undefined) return 0;
    const now = presentMoment();
    return Math.max(now.monotonic - this.begin.monotonic, now.wall - this.begin.wall);
  }

  /** Milliseconds until it is over. */
  get left(): number {
    return Math.max(this.length - this.age, 0);
  }

  /** The number of the lease, with which work begins and has to end; undefined without a lease. */
  get current(): number | undefined {
    return this.isOver ? undefined : this.count;
  }

  /** False before the first one: a host that has not joined yet serves nothing. */
  get isOver(): boolean {
    return this.age >= this.length;
  }
}
