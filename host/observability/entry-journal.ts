import { Type } from "@slipway/sdk";
import type { RecentEntries } from "../system/recent-entries.js";

export const EntryHost = Type.String({
  description: "Machine and port of the host where it happened; where several hosts share an engine.",
});

/** Numbered entries in one order, of one host or of all that share an engine. */
export interface EntryJournal<Entry extends { id: number }> {
  /** Reads the entries that are there already; what cannot be read keeps no host from starting. */
  open(): Promise<void>;
  /** Gives an entry the next id and keeps it; resolves with whether it is stored. Never rejects. */
  add(entry: Omit<Entry, "id">): Promise<boolean>;
  /** Of the latest entries. */
  list(query: Parameters<RecentEntries<Entry>["list"]>[0]): Entry[];
  /** Calls for each entry from now on, also for those of other hosts; the result ends that. The listener must not throw. */
  follow(listener: (entry: Entry) => void): () => void;
  /** Resolves when everything is stored that can be. */
  close(): Promise<void>;
}
