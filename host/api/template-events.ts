import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { TemplateChange, TemplateService } from "../templates/template-service.js";
import type { EventSource } from "./event-stream.js";

/** A change of a template as clients hear of it. */
export interface TemplateEvent extends TemplateChange {
  id: number;
  /** UTC, when it was in force. */
  time: string;
  /** UTC, when a file of the template, or of what it may share, was last written to. */
  saved?: string;
}

const capacity = 500;

/** The last changes of templates, in memory only: who missed more asks for how things stand. */
export class TemplateEvents implements EventSource<TemplateEvent> {
  /** Oldest first. */
  private readonly events: TemplateEvent[] = [];
  private lastId = 0;
  private readonly listeners = new Set<() => void>();
  /** Looks at the files one after the other, so that changes stay in their order. */
  private noted: Promise<void> = Promise.resolve();

  constructor(follow: TemplateService["follow"]) {
    follow((change) => {
      const time = new Date().toISOString();
      this.noted = this.noted.then(async () => this.keep(change, time, await lastSaved(change.folder)));
    });
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

  private keep(change: TemplateChange, time: string, saved: string | undefined): void {
    this.lastId += 1;
    // Where the folder lies is nothing for clients.
    const event = { ...change, folder: basename(change.folder), id: this.lastId, time };
    this.events.push(saved === undefined ? event : { ...event, saved });
    if (this.events.length > capacity) this.events.shift();
    for (const listener of this.listeners) listener();
  }
}

/** Of the template's folder and of the shared ones beside it; undefined when they cannot be looked at. */
async function lastSaved(folder: string): Promise<string | undefined> {
  try {
    const beside = dirname(folder);
    const shared = (await readdir(beside)).filter((name) => name.startsWith("_"));
    const folders = [folder, ...shared.map((name) => join(beside, name))];
    const times = await Promise.all(folders.map(newest));
    return new Date(Math.max(...times)).toISOString();
  } catch {
    return undefined; // gone, or being replaced
  }
}

/** Milliseconds since the epoch. */
async function newest(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const places = [folder, ...names.map((name) => join(folder, name))];
  const states = await Promise.all(places.map((place) => stat(place)));
  return Math.max(...states.map(({ mtimeMs }) => mtimeMs));
}
