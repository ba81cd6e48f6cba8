import type { Log } from "@slipway/sdk";
import { JsonLineFile, type JsonLineFileOptions } from "../system/json-line-file.js";
import { RecentEntries } from "../system/recent-entries.js";

/** What a journal writes, and how the log speaks of it. */
export interface JournalOptions<Line> extends JsonLineFileOptions<Line> {
  /** Entries in memory, and lines that wait for being written. */
  capacity: number;
  log: Log;
  /** Lines of the log: what cannot be read, what cannot be written, and that it is written again. */
  messages: { unread: string; unwritten: string; again: string };
}

/** Milliseconds until what could not be written is tried again. */
const retryPause = 5000;

/** Lines of one append, so that a file does not grow far beyond its limit. */
const mostAtOnce = 100;

/** Numbered entries with a file behind them: the latest in memory, and all as lines that survive the host. */
export class FileJournal<Entry extends { id: number }, Line> {
  private readonly file: JsonLineFile<Line>;
  private readonly recent: RecentEntries<Entry>;
  private lastId = 0;
  /** Not in the file yet, oldest first. */
  private unwritten: Line[] = [];
  private turn: Promise<void> = Promise.resolve();
  private isFailing = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly options: JournalOptions<Line>) {
    this.file = new JsonLineFile(options);
    this.recent = new RecentEntries(options.capacity);
  }

  /** What earlier hosts have written, oldest first. A file that cannot be read keeps no host from starting. */
  async read(): Promise<Line[]> {
    const { log, file, capacity, messages } = this.options;
    return await this.file.read(capacity).catch((error: unknown) => {
      log.error(messages.unread, { file, error });
      return [];
    });
  }

  /** One more than the highest of all entries. */
  get nextId(): number {
    return this.lastId + 1;
  }

  /** Shows an entry to those who list and follow, unless a later one is there already. */
  keep(entry: Entry): void {
    if (entry.id <= this.lastId) return;
    this.lastId = entry.id;
    this.recent.add(entry);
  }

  /** Writes a line behind all that could not be written before; says whether it is in the file. Never rejects. */
  async write(line: Line): Promise<boolean> {
    this.unwritten.push(line);
    this.giveUpOldest();
    return await this.writeAll();
  }

  /** Takes lines back that could not be written. */
  withdraw(isMeant: (line: Line) => boolean): void {
    this.unwritten = this.unwritten.filter((line) => !isMeant(line));
  }

  list(query: Parameters<RecentEntries<Entry>["list"]>[0]): Entry[] {
    return this.recent.list(query);
  }

  /** Calls for each entry from now on; the result ends that. The listener must not throw. */
  follow(listener: (entry: Entry) => void): () => void {
    return this.recent.follow(listener);
  }

  /** Ends when everything is written that can be: what could not be written gets one more chance. */
  async close(): Promise<void> {
    await this.turn;
    if (this.unwritten.length > 0) await this.writeAll();
    clearTimeout(this.retry);
  }

  /** One append at a time, each with what has come meanwhile. */
  private writeAll(): Promise<boolean> {
    const written = this.turn.then(() => this.append());
    this.turn = written.then(() => undefined);
    return written;
  }

  private async append(): Promise<boolean> {
    // What comes meanwhile has an append of its own, or its failure would count for these lines.
    for (let left = this.unwritten.length; left > 0 && this.unwritten.length > 0; left -= mostAtOnce) {
      const lines = this.unwritten.splice(0, Math.min(left, mostAtOnce));
      try {
        await this.file.append(lines);
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

  /** While nothing can be written. */
  private giveUpOldest(): void {
    const { capacity } = this.options;
    if (this.unwritten.length > capacity) this.unwritten = this.unwritten.slice(-capacity);
  }

  /** Told once; the next line tries again, and if there is none, time. */
  private failed(error: unknown): void {
    const { log, file, messages } = this.options;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.writeAll(), retryPause).unref();
    if (!this.isFailing) log.error(messages.unwritten, { file, error });
    this.isFailing = true;
  }
}
