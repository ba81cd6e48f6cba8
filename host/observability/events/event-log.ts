import { type Log, Validator } from "@slipway/sdk";
import { JsonLineFile } from "../../system/json-line-file.js";
import { RecentEntries } from "../../system/recent-entries.js";
import { logEvent } from "./event-text.js";
import { type EventFacts, type EventLog, PluginEvent } from "./plugin-event.js";

const check = new Validator({ lazy: true }).compile(PluginEvent, "event");

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

/** Milliseconds until what could not be written is tried again. */
const retryPause = 5000;

/** Longer texts, such as the output of a bundler, are cut. */
const longestText = 4000;

/** Events of one append, so that a file does not grow far beyond its limit. */
const mostAtOnce = 100;

/** An event log with a file behind it. Until `open` has ended, it takes events and numbers them then. */
export function createEventLog(options: EventLogOptions): EventLog {
  return new FileEventLog(options);
}

class FileEventLog implements EventLog {
  private readonly file: JsonLineFile<PluginEvent>;
  private readonly capacity: number;
  private readonly recent: RecentEntries<PluginEvent>;
  private lastId = 0;
  /** Noted before the ids of earlier hosts are known. */
  private early: Omit<PluginEvent, "id">[] | undefined = [];
  /** Not in the file yet. */
  private unwritten: PluginEvent[] = [];
  private writing: Promise<void> | undefined;
  private isFailing = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly options: EventLogOptions) {
    this.capacity = options.capacity ?? 2000;
    this.recent = new RecentEntries(this.capacity);
    this.file = new JsonLineFile({
      file: options.file,
      check,
      largest: options.largestFile ?? largestFile,
      older: 1,
    });
  }

  async open(): Promise<void> {
    for (const event of await this.readEarlier()) if (event.id > this.lastId) this.keep(event);
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
    return this.recent.list({ after, limit, isWanted });
  }

  follow(listener: (event: PluginEvent) => void): () => void {
    return this.recent.follow((event) => this.tell(listener, event));
  }

  async close(): Promise<void> {
    await this.written();
    // What could not be written gets one more chance.
    if (this.unwritten.length > 0) this.write();
    await this.written();
  }

  private async written(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
  }

  /** A log of events that cannot be read keeps no host from starting. */
  private async readEarlier(): Promise<PluginEvent[]> {
    try {
      return await this.file.read(this.capacity);
    } catch (error) {
      this.options.log.error("The events of earlier hosts cannot be read", {
        file: this.options.file,
        error,
      });
      return [];
    }
  }

  private take(facts: Omit<PluginEvent, "id">): void {
    const event = { id: this.lastId + 1, ...facts };
    this.keep(event);
    this.unwritten.push(event);
    // While nothing can be written, the oldest are given up.
    if (this.unwritten.length > this.capacity) this.unwritten.shift();
    if (this.writing === undefined) this.write();
  }

  private keep(event: PluginEvent): void {
    this.lastId = event.id;
    this.recent.add(event);
  }

  private tell(listener: (event: PluginEvent) => void, event: PluginEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.options.log.error("A listener of events failed", { error });
    }
  }

  /** One append at a time, each with what has come meanwhile. */
  private write(): void {
    const batch = this.unwritten.splice(0, mostAtOnce);
    this.writing = this.file
      .append(batch)
      .then(
        () => {
          if (this.isFailing) this.options.log.info("Events are written to their file again");
          this.isFailing = false;
        },
        (error: unknown) => {
          this.unwritten = [...batch, ...this.unwritten].slice(-this.capacity);
          this.failed(error);
        },
      )
      .then(() => {
        this.writing = undefined;
        if (!this.isFailing && this.unwritten.length > 0) this.write();
      });
  }

  /** Told once; the next event tries again, and if there is none, time. */
  private failed(error: unknown): void {
    const { log, file } = this.options;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      if (this.writing === undefined && this.unwritten.length > 0) this.write();
    }, retryPause).unref();
    if (!this.isFailing)
      log.error("Events cannot be written to their file; they are still shown", { file, error });
    this.isFailing = true;
  }
}

function shortened(facts: EventFacts): EventFacts {
  const { reason } = facts;
  if (reason === undefined || reason.length <= longestText) return facts;
  return { ...facts, reason: `${reason.slice(0, longestText)}…` };
}
