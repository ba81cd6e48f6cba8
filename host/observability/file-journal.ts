import type { Log } from "@slipway/sdk";
import { JsonLineFile, type JsonLineFileOptions } from "../system/json-line-file.js";
import { RecentEntries } from "../system/recent-entries.js";
import { PendingLines } from "./pending-lines.js";

/** The file of a journal, and its log messages. */
export interface FileJournalOptions<Line> extends JsonLineFileOptions<Line> {
  /** Limit of entries in memory, and of pending lines. */
  capacity: number;
  log: Log;
  /** Log messages: entries cannot be read, cannot be written, are written again. */
  messages: { unread: string; unwritten: string; again: string };
}

/** Numbered entries: the latest in memory, all as lines of a file. */
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

  /** The entries of earlier hosts, oldest first. An unreadable file does not prevent the start. */
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

  /** Shows an entry, unless a later one is shown already. */
  keep(entry: Entry): void {
    if (entry.id <= this.lastId) return;
    this.lastId = entry.id;
    this.recent.add(entry);
  }

  list(query: Parameters<RecentEntries<Entry>["list"]>[0]): Entry[] {
    return this.recent.list(query);
  }

  /** Calls the listener, which must not throw, for each later entry; returns a function that ends this. */
  follow(listener: (entry: Entry) => void): () => void {
    return this.recent.follow(listener);
  }
}
