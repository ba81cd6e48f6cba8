import type { Log } from "@slipway/sdk";

export interface PendingLinesOptions<Line> {
  /** Appends lines: all of them, or it rejects. */
  append(lines: readonly Line[]): Promise<void>;
  /** Lines that may wait; beyond it the oldest are dropped. */
  capacity: number;
  log: Log;
  /** Log messages: lines cannot be written (with `facts`), and are written again. */
  messages: { unwritten: string; again: string };
  facts?: Record<string, unknown>;
}

/** Milliseconds until the next attempt. */
const retryPause = 5000;

/** Lines of one append, so that a file does not grow far beyond its limit. */
const mostAtOnce = 100;

/** Stores lines in order, one append at a time; keeps lines that cannot be stored and retries. */
export class PendingLines<Line> {
  /** Oldest first. */
  private unwritten: Line[] = [];
  private turn: Promise<void> = Promise.resolve();
  private isFailing = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly options: PendingLinesOptions<Line>) {}

  /** Writes a line after all pending ones; resolves to true if it is stored. Never rejects. */
  async write(line: Line): Promise<boolean> {
    this.unwritten.push(line);
    this.giveUpOldest();
    return await this.writeAll();
  }

  /** Removes waiting lines. */
  withdraw(isMeant: (line: Line) => boolean): void {
    this.unwritten = this.unwritten.filter((line) => !isMeant(line));
  }

  /** Tries once more to write pending lines. */
  async close(): Promise<void> {
    await this.turn;
    if (this.unwritten.length > 0) await this.writeAll();
    clearTimeout(this.retry);
  }

  /** One append at a time, each with all lines since the last one. */
  private writeAll(): Promise<boolean> {
    const written = this.turn.then(() => this.append());
    this.turn = written.then(() => undefined);
    return written;
  }

  private async append(): Promise<boolean> {
    // Lines that arrive meanwhile get a separate append, so that its failure does not count for these lines.
    for (let left = this.unwritten.length; left > 0 && this.unwritten.length > 0; left -= mostAtOnce) {
      const lines = this.unwritten.splice(0, Math.min(left, mostAtOnce));
      try {
        await this.options.append(lines);
      } catch (error) {
        this.unwritten = [...lines, ...this.unwritten];
        this.giveUpOldest();
        this.failed(error);
        return false;
      }
      if (this.isFailing) this.options.log.info(this.options.messages.again);
      this.isFailing = false;
    }
    return true;
  }

  /** Drops the oldest pending lines beyond the capacity. */
  private giveUpOldest(): void {
    const { capacity } = this.options;
    if (this.unwritten.length > capacity) this.unwritten = this.unwritten.slice(-capacity);
  }

  /** Logged once; retried with the next line, or after a pause. */
  private failed(error: unknown): void {
    const { log, facts, messages } = this.options;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.writeAll(), retryPause).unref();
    if (!this.isFailing) log.error(messages.unwritten, { ...facts, error });
    this.isFailing = true;
  }
}
