import { basename } from "node:path";
import { type Static, Type } from "@slipway/sdk";
import { changedTemplate, type TemplateChange, type TemplateService } from "../templates/template-service.js";
import type { EventSource } from "./event-stream.js";

/** A change of a template as clients hear of it. */
export const TemplateEvent = Type.Object(
  {
    ...changedTemplate,
    id: Type.Integer({ minimum: 1 }),
    time: Type.String({ format: "date-time", description: "UTC, when it was in force." }),
    saved: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "UTC, when a file of the template, or of what it shares, was last written or moved there.",
      }),
    ),
  },
  { title: "TemplateEvent" },
);
export type TemplateEvent = Static<typeof TemplateEvent>;

const capacity = 500;

/** The last changes of templates, in memory only: who missed more asks for how things stand. */
export class TemplateEvents implements EventSource<TemplateEvent> {
  /** Oldest first. */
  private readonly events: TemplateEvent[] = [];
  private lastId = 0;
  private readonly listeners = new Set<() => void>();

  constructor(follow: TemplateService["follow"]) {
    follow((change) => this.keep(change));
  }

  list({ after, limit }: { after?: number; limit: number }): TemplateEvent[] {
    if (after === undefined) return this.events.slice(-limit);
    const first = this.events.findIndex(({ id }) => id > after);
    return first === -1 ? [] : this.events.slice(first, first + limit);
  }

  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private keep({ changed, ...change }: TemplateChange): void {
    this.lastId += 1;
    this.events.push({
      ...change,
      // Where the folder lies is nothing for clients.
      folder: basename(change.folder),
      id: this.lastId,
      time: new Date().toISOString(),
      ...(changed !== undefined && { saved: new Date(changed).toISOString() }),
    });
    if (this.events.length > capacity) this.events.shift();
    for (const listener of this.listeners) listener();
  }
}
