import type { ProjectDocument } from "../../project/document.js";

/** A large project: minimum bytes of its JSON, and milliseconds that it is kept unused. */
const large = { bytes: 1024 ** 2, idleTime: 30_000 };

interface Entry {
  project: Promise<ProjectDocument>;
  bytes: number;
  /** Ends the entry of a large project. */
  end?: NodeJS.Timeout;
}

/**
 * A cache of parsed projects in this instance that evicts the least recently used first. Limited by the bytes
 * of their JSON; a parsed project takes several times as much, so a large unused one is dropped.
 */
export class ProjectCache {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly maximumBytes: number) {}

  /** The project of a session at a revision; concurrent callers share one `read`. */
  project(session: string, revision: number, read: () => Promise<Uint8Array>): Promise<ProjectDocument> {
    const key = `${session} ${revision}`;
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      known.end?.refresh();
      // The first reader may have been cancelled; that must not fail the others.
      return known.project.catch(() => this.project(session, revision, read));
    }
    return this.load(key, read);
  }

  private load(key: string, read: () => Promise<Uint8Array>): Promise<ProjectDocument> {
    const entry: Entry = { bytes: 0, project: read().then((content) => this.parse(key, entry, content)) };
    this.entries.set(key, entry);
    entry.project.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return entry.project;
  }

  private parse(key: string, entry: Entry, content: Uint8Array): ProjectDocument {
    const project: ProjectDocument = JSON.parse(
      Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("utf8"),
    );
    if (this.entries.get(key) === entry) {
      entry.bytes = content.byteLength;
      this.bytes += content.byteLength;
      if (entry.bytes >= large.bytes)
        entry.end = setTimeout(() => this.remove(key, entry), large.idleTime).unref();
      this.shrink();
    }
    return deepFrozen(project);
  }

  private shrink(): void {
    for (const [key, entry] of this.entries) {
      if (this.bytes <= this.maximumBytes) return;
      this.remove(key, entry);
    }
  }

  private remove(key: string, entry: Entry): void {
    clearTimeout(entry.end);
    this.bytes -= entry.bytes;
    this.entries.delete(key);
  }
}

/** Handlers share the project, so it is frozen. */
function deepFrozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) deepFrozen(each);
  }
  return value;
}
