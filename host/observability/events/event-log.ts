import type { Log } from "@slipway/sdk";
import { hostCheck } from "../../system/host-check.js";
import { FileJournal } from "../journal.js";
import { logEvent } from "./event-text.js";
import type { EventFacts, EventLog, PluginEvent } from "./plugin-event.js";

const check = hostCheck<typeof PluginEvent>("event", "plugin-event");

/** Beyond it the file becomes the old one; two of them bound what events take on disk. */
const largestFile = 2 * 1024 * 1024;

export interface EventLogOptions {
  /** Lines of JSON; the file before it lies beside it as `<name>.1<ending>`. */
  file: string;
  /** The host's log, which gets a line for each event. */
  log: Log;
  /** Events in memory, and those that wait for being written; default: 2,000. */
  capacity?: number | undefined;
  /** Bytes beyond which a new file is begun; default: 2 MB. */
  largestFile?: number | undefined;
}

/** Longer texts, such as the output of a bundler, are cut. */
const longestText = 4000;

/** An event log with a file behind it. Until `open` has ended, it takes events and numbers them then. */
export function createEventLog(options: EventLogOptions): EventLog {
  return new FileEventLog(options);
}

class FileEventLog implements EventLog {
  private readonly journal: FileJournal<PluginEvent, PluginEvent>;
  private readonly capacity: number;
  /** Noted before the ids of earlier hosts are known. */
  private early: Omit<PluginEvent, "id">[] | undefined = [];

  constructor(private readonly options: EventLogOptions) {
    this.capacity = options.capacity ?? 2000;
    this.journal = new FileJournal({
      file: options.file,
      check,
      largest: options.largestFile ?? largestFile,
      older: 1,
      capacity: this.capacity,
      log: options.log,
      messages: {
        unread: "The events of earlier hosts cannot be read",
        unwritten: "Events cannot be written to their file; they are still shown",
        again: "Events are written to their file again",
      },
    });
  }

  async open(): Promise<void> {
    for (const event of await this.journal.read()) this.journal.keep(event);
    const early = this.early ?? [];
    this.early = undefined;
    for (const event of early) this.take(event);
  }

  note(facts: EventFacts): void {
    logEvent(this.options.log, facts);
    const event = { time: new Date().toISOString(), ...shortened(facts) };
    if (this.early === undefined) this.take(event);
    else if (this.early.length < this.capacity) this.early.push(event);
  }

  fault(message: string, fields: Record<string, unknown>): void {
    this.options.log.error(message, fields);
  }

  list({ after, plugin, limit }: Parameters<EventLog["list"]>[0]): PluginEvent[] {
    const isWanted = plugin === undefined ? undefined : (event: PluginEvent) => event.plugin === plugin;
    return this.journal.list({ after, limit, isWanted });
  }

  follow(listener: (event: PluginEvent) => void): () => void {
    return this.journal.follow((event) => this.tell(listener, event));
  }

  async close(): Promise<void> {
    await this.journal.close();
  }

  private take(facts: Omit<PluginEvent, "id">): void {
    const event = { id: this.journal.nextId, ...facts };
    this.journal.keep(event);
    void this.journal.write(event);
  }

  private tell(listener: (event: PluginEvent) => void, event: PluginEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.options.log.error("A listener of events failed", { error });
    }
  }
}

function shortened(facts: EventFacts): EventFacts {
  const { reason } = facts;
  if (reason === undefined || reason.length <= longestText) return facts;
  return { ...facts, reason: `${reason.slice(0, longestText)}…` };
}
