import type { EventFacts, Journal } from "../../observability/events/plugin-event.js";

/** Keeps events back until it is known whether there is any news at all. */
export class HeldJournal implements Journal {
  private held: EventFacts[] | undefined = [];

  constructor(private readonly journal: Journal) {}

  note(event: EventFacts): void {
    if (this.held === undefined) this.journal.note(event);
    else this.held.push(event);
  }

  fault(message: string, fields: Record<string, unknown>): void {
    this.journal.fault(message, fields);
  }

  /** There is news: what was held is told, and what follows at once. */
  release(): void {
    for (const event of this.held ?? []) this.journal.note(event);
    this.held = undefined;
  }
}
