/**
 * What hosts have acknowledged, written down with what it has to be. Nothing in it comes from a later look: bytes of files
 * follow from their requests, projects from a project that was read before the first fault.
 */
import { createHash } from "node:crypto";

/** A session that was acknowledged. One client at a time replaces its project. */
export interface KnownSession {
  id: string;
  /** Of the request that opened it; the name of its project begins with it. */
  opening: string;
  shape: string;
  /** What was acknowledged last: the number of the replacement and the revision. */
  replacement: number;
  revision: number;
  /** The highest number that was sent: what got no answer may be stored, or not. */
  sent: number;
}

export interface KnownFile {
  path: string;
  sha256: string;
}

/** What must not happen. */
export type Breach = "lost" | "torn" | "doubled" | "wrong answer";

export class Ledger {
  readonly sessions: KnownSession[] = [];
  readonly files: KnownFile[] = [];
  /** Acknowledged requests that stored something. */
  acknowledged = 0;
  private readonly breaches = new Map<Breach, string[]>();

  note(breach: Breach, what: string): void {
    const noted = this.breaches.get(breach) ?? [];
    noted.push(what);
    this.breaches.set(breach, noted);
  }

  count(breach: Breach): number {
    return this.breaches.get(breach)?.length ?? 0;
  }

  /** Sentences for people: the first of each kind. */
  get problems(): string[] {
    return [...this.breaches].flatMap(([breach, all]) => all.slice(0, 5).map((what) => `${breach}: ${what}`));
  }

  session(known: Omit<KnownSession, "replacement" | "revision" | "sent">): void {
    this.acknowledged += 1;
    this.sessions.push({ ...known, replacement: 0, revision: 1, sent: 0 });
  }

  file(known: KnownFile): void {
    this.acknowledged += 1;
    this.files.push(known);
  }
}

/** Of one length, so that nothing else of a project differs. */
export function projectName(opening: string, replacement: number): string {
  return `${opening}/${String(replacement).padStart(6, "0")}`;
}

/** The number of the replacement in the name of a project; undefined where the name is of another session. */
export function replacementIn(name: string, opening: string): number | undefined {
  const [, number] = name.startsWith(`${opening}/`) ? name.split("/") : [];
  return number === undefined ? undefined : Number(number);
}

export const sha256 = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("hex");
