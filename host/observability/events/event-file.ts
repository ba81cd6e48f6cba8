import type { Log } from "@slipway/sdk";
import { hostCheck } from "../../system/host-check.js";
import type { EntryJournal } from "../entry-journal.js";
import { FileJournal } from "../file-journal.js";
import type { PluginEvent } from "./plugin-event.js";

export interface EventFileOptions {
  /** Lines of JSON; beside it is the previous file, `<name>.1<ending>`. */
  file: string;
  log: Log;
  /** Limit of events in memory, and of pending ones; default: 2,000. */
  capacity?: number | undefined;
  /** Bytes after which a new file begins; default: 2 MB. */
  largestFile?: number | undefined;
}

/** Bytes of one file; there are at most two. */
export const largestEventFile = 2 * 1024 * 1024;

const check = hostCheck<typeof PluginEvent>("event", "plugin-event");

/** Events in a file of one host. */
export function createEventFile(options: EventFileOptions): EntryJournal<PluginEvent> {
  const journal = new FileJournal<PluginEvent, PluginEvent>({
    file: options.file,
    check,
    largest: options.largestFile ?? largestEventFile,
    older: 1,
    capacity: options.capacity ?? 2000,
    log: options.log,
    messages: {
      unread: "The events of earlier hosts cannot be read",
      unwritten: "Events cannot be written to their file; they are still shown",
      again: "Events are written to their file again",
    },
  });
  return {
    async open() {
      for (const event of await journal.read()) journal.keep(event);
    },
    add(facts) {
      const event = { id: journal.nextId, ...facts };
      journal.keep(event);
      return journal.pending.write(event);
    },
    list: (query) => journal.list(query),
    follow: (listener) => journal.follow(listener),
    close: () => journal.pending.close(),
  };
}
