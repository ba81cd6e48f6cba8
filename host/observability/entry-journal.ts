import { Type } from "@slipway/sdk";
import type { RecentEntries } from "../system/recent-entries.js";

export const EntryHost = Type.String({
  description: "Machine and port of the host where it happened; where several hosts share an engine.",
});

/** Numbered entries of one host, or of all hosts with the same engine, in one order. */
export interface EntryJournal<Entry extends { id: number }> {
  /** Reads the existing entries; unreadable ones do not prevent the start. */
  open(): Promise<void>;
  /** Adds an entry with the next id; resolves to true if it is stored. Never rejects. */
  add(entry: Omit<Entry, "id">): Promise<boolean>;
  /** Lists recent entries. */
  list(query: Parameters<RecentEntries<Entry>["list"]>[0]): Entry[];
  /** Calls the listener, which must not throw, for each later entry of any host; returns a function that ends this. */
  follow(listener: (entry: Entry) => void): () => void;
  /** Tries once more to store pending entries. */
  close(): Promise<void>;
}
