import type { EventFacts, Journal } from "../../observability/events/plugin-event.js";
import { Rejection } from "../../system/errors.js";
import { StorageRejection, storageProblem } from "../../system/request-errors.js";
import { describeProblem } from "../packages/plugin-file.js";

/** Why a content was not staged. */
export interface Refusal {
  /** For admins. */
  reason: string;
  /** The content is at fault and has to change; the host, which tries again when somebody asks; or its disk, which may have room soon. */
  fault: "content" | "host" | "disk";
}

/** What an error of staging means. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof StorageRejection)
    return { reason: `${error.message}; it is tried again`, fault: "disk" };
  const problem = storageProblem(error) ?? (error instanceof Error ? storageProblem(error.cause) : undefined);
  if (problem !== undefined)
    return { reason: `${problem} to store the plugin; it is tried again`, fault: "disk" };
  if (error instanceof Rejection) return { reason: error.message, fault: "content" };
  return { reason: `it could not be staged: ${describeProblem(error)}`, fault: "host" };
}

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
