import { monotonicTime } from "../../system/time.js";

/** A moment by both clocks: the monotonic clock stops while the machine is suspended, the wall clock jumps. */
export interface Moment {
  monotonic: number;
  wall: number;
}

export function presentMoment(): Moment {
  return { monotonic: monotonicTime(), wall: Date.now() };
}

/**
 * How long this host may still act. Counted from the moment before the request for the lease, so that it ends here before it
 * ends by the clock of the engine.
 */
export class LeaseTerm {
  private begin: Moment | undefined;
  private count = 0;

  /** `length`: milliseconds. */
  constructor(readonly length: number) {}

  /** A new lease, requested at this moment: work of the previous lease must not end under it. */
  begun(sent: Moment): void {
    this.count += 1;
    this.begin = sent;
  }

  /** The lease was renewed by a request of this moment. */
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
