import type { Log } from "@slipway/sdk";
import { JsonLineFile, type JsonLineFileOptions } from "../system/json-line-file.js";
import { RecentEntries } from "../system/recent-entries.js";
import { PendingLines } from "./pending-lines.js";

/** What a journal writes, and how the log speaks of it. */
export interface FileJournalOptions<Line> extends JsonLineFileOptions<Line> {
  /** Entries in memory, and lines that wait for being written. */
  capacity: number;
  log: Log;
  /** Lines of the log: what cannot be read, what cannot be written, and that it is written again. */
  messages: { unread: string; unwritten: string; again: string };
}

/** Numbered entries with a file behind them: the latest in memory, and all as lines that survive the host. */
export class FileJournal<Entry extends { id: number }, Line> {
  readonly pending: PendingLines<Line>;
  private readonly file: JsonLineFile<Line>;
  private readonly recent: RecentEntries<Entry>;
  private lastId = 0;

  constructor(private readonly options: FileJournalOptions<Line>) {
    this.file = new JsonLineFile(options);
    this.recent = new RecentEntries(options.capacity);
    const facts = { file: options.file };
    this.pending = new PendingLines({ ...options, facts, append: (lines) => this.file.append(lines) });
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

  list(query: Parameters<RecentEntries<Entry>["list"]>[0]): Entry[] {
    return this.recent.list(query);
  }

  /** Calls for each entry from now on; the result ends that. The listener must not throw. */
  follow(listener: (entry: Entry) => void): () => void {
    return this.recent.follow(listener);
  }
}
