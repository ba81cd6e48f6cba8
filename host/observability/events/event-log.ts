import type { Log } from "@slipway/sdk";
import type { EntryJournal } from "../entry-journal.js";
import { logEvent } from "./event-text.js";
import type { EventFacts, EventLog, PluginEvent } from "./plugin-event.js";

export interface EventLogOptions {
  /** Keeps the events. */
  journal: EntryJournal<PluginEvent>;
  /** The host's log, which gets a line for each event. */
  log: Log;
}

/** Events that may be noted before the journal is open. */
const mostEarly = 2000;

/** Longer texts, such as the output of a bundler, are cut. */
const longestText = 4000;

/** An event log in a journal. It accepts events before `open`, which numbers them. */
export function createEventLog(options: EventLogOptions): EventLog {
  return new JournalEventLog(options);
}

class JournalEventLog implements EventLog {
  /** Events without an id, because the journal is not open yet. */
  private early: Omit<PluginEvent, "id">[] | undefined = [];

  private readonly ownListeners = new Set<(event: EventFacts) => void>();

  constructor(private readonly options: EventLogOptions) {}

  async open(): Promise<void> {
    await this.options.journal.open();
    const early = this.early ?? [];
    this.early = undefined;
    for (const event of early) this.take(event);
  }

  note(facts: EventFacts): void {
    logEvent(this.options.log, facts);
    for (const listener of this.ownListeners) this.tell(listener, facts);
    const event = { time: new Date().toISOString(), ...shortened(facts) };
    if (this.early === undefined) this.take(event);
    else if (this.early.length < mostEarly) this.early.push(event);
  }

  fault(message: string, fields: Record<string, unknown>): void {
    this.options.log.error(message, fields);
  }

  list({ after, plugin, limit }: Parameters<EventLog["list"]>[0]): PluginEvent[] {
    const isWanted = plugin === undefined ? undefined : (event: PluginEvent) => event.plugin === plugin;
    return this.options.journal.list({ after, limit, isWanted });
  }

  followOwn(listener: (event: EventFacts) => void): () => void {
    this.ownListeners.add(listener);
    return () => void this.ownListeners.delete(listener);
  }

  follow(listener: (event: PluginEvent) => void): () => void {
    return this.options.journal.follow((event) => this.tell(listener, event));
  }

  async close(): Promise<void> {
    await this.options.journal.close();
  }

  private take(event: Omit<PluginEvent, "id">): void {
    void this.options.journal.add(event);
  }

  private tell<Event>(listener: (event: Event) => void, event: Event): void {
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
