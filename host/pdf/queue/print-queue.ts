import { overloaded } from "../print-errors.js";

export interface QueueLimits {
  /** Documents at once. */
  running: number;
  /** Waiting documents, and the sum of their bytes. */
  length: number;
  bytes: number;
}

export interface Entry {
  bytes: number;
  large: boolean;
  /** Ends the waiting. */
  signal: AbortSignal;
}

interface Waiting extends Entry {
  admit(): void;
}

/**
 * Lets a bounded number of documents print and a bounded number wait, first come, first served. Where several may
 * print, one more place is kept for small documents: when large ones hold a place, a small one need not wait for them.
 */
export class PrintQueue {
  private readonly waiting: Waiting[] = [];
  private waitingBytes = 0;
  private runningSmall = 0;
  private runningLarge = 0;
  private averageMilliseconds = 250;

  constructor(private readonly limits: QueueLimits) {}

  /** Places that documents can hold at the same time. */
  get places(): number {
    return this.limits.running + (this.limits.running >= 2 ? 1 : 0);
  }

  get running(): number {
    return this.runningSmall + this.runningLarge;
  }

  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Waits for a place and returns the function that gives it back. Rejects with 503 when too many wait already, and
   * with the reason of the signal when that ends the waiting.
   */
  enter(entry: Entry): Promise<() => void> {
    entry.signal.throwIfAborted();
    if (this.waiting.length === 0 && this.hasPlace()) return Promise.resolve(this.occupy(entry));
    if (this.hasExpressPlace(entry.large)) return Promise.resolve(this.occupy(entry));
    if (this.waiting.length >= this.limits.length || this.waitingBytes + entry.bytes > this.limits.bytes) {
      throw overloaded(this.secondsToWait());
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { ...entry, admit: () => admit() };
      const leave = (): void => {
        this.remove(waiting);
        reject(entry.signal.reason);
      };
      const admit = (): void => {
        entry.signal.removeEventListener("abort", leave);
        this.remove(waiting);
        resolve(this.occupy(entry));
      };
      entry.signal.addEventListener("abort", leave, { once: true });
      this.waiting.push(waiting);
      this.waitingBytes += entry.bytes;
    });
  }

  private occupy(entry: Entry): () => void {
    const begun = performance.now();
    if (entry.large) this.runningLarge++;
    else this.runningSmall++;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      if (entry.large) this.runningLarge--;
      else this.runningSmall--;
      this.averageMilliseconds += (performance.now() - begun - this.averageMilliseconds) / 16;
      this.admitNext();
    };
  }

  private admitNext(): void {
    const first = this.waiting[0];
    if (first !== undefined && this.hasPlace()) first.admit();
    else this.waiting.find((waiting) => this.hasExpressPlace(waiting.large))?.admit();
  }

  private hasPlace(): boolean {
    return this.running < this.limits.running;
  }

  private hasExpressPlace(large: boolean): boolean {
    return (
      !large && this.runningLarge > 0 && this.running >= this.limits.running && this.running < this.places
    );
  }

  private remove(waiting: Waiting): void {
    const index = this.waiting.indexOf(waiting);
    if (index === -1) return;
    this.waiting.splice(index, 1);
    this.waitingBytes -= waiting.bytes;
  }

  private secondsToWait(): number {
    const seconds = ((this.waiting.length + 1) * this.averageMilliseconds) / this.limits.running / 1000;
    return Math.min(60, Math.max(1, Math.ceil(seconds)));
  }
}
