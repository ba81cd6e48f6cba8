/** Warnings about skipped or repaired parts of a file, for the response to its upload. */
import { RequestError } from "../../schema/errors.js";

/** A skipped or repaired part of a file; identical warnings are merged into the first. */
export interface ReadWarning {
  /** For example "basket/topFolder/bskArticle[2]/foo". */
  path: string;
  /** One human-readable sentence. */
  message: string;
  /** Of the first occurrence, from 1. */
  line?: number;
  /** Number of occurrences, if more than one; of the last one of a list that was cut, of those left out. */
  count?: number;
}

const keptWarnings = 200;

/** Collects warnings; those that differ only in the indices of their path are merged. */
export class ReadWarnings {
  private readonly folded = new Map<string, ReadWarning>();
  private left = 0;

  add(path: string, message: string, line?: number): void {
    const key = `${path.replace(/\[\d+\]/g, "")}\n${message}`;
    const known = this.folded.get(key);
    if (known) known.count = (known.count ?? 1) + 1;
    else if (this.folded.size < keptWarnings)
      this.folded.set(key, { path, message, ...(line === undefined ? {} : { line }) });
    else this.left += 1;
  }

  /** In the order of their first occurrence; at most 200, and one without a path with the number of the others. */
  list(): ReadWarning[] {
    const kept = [...this.folded.values()];
    if (this.left === 0) return kept;
    const message = this.left === 1 ? "1 more warning" : `${this.left} more warnings`;
    return [...kept, { path: "", message, ...(this.left > 1 && { count: this.left }) }];
  }
}

// Errors for unreadable files.

/**
 * A place in a file: the entry of the ZIP container (absent for a plain file), and the position in its text.
 */
export interface FilePlace {
  entry?: string;
  /** From 1. */
  line?: number;
  /** From 1. */
  column?: number;
}

/** A 400 `request-bad-request` with the problem and its place. */
export function brokenFile(what: string, place: FilePlace = {}, reason?: unknown): RequestError {
  const where = describePlace(place);
  return new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `The project file cannot be read: ${where === "" ? "" : `${where}: `}${what}.`,
    additionalInformation: { ...place, what },
    reason,
  });
}

function describePlace(place: FilePlace): string {
  const parts = [
    place.entry === undefined ? [] : [`entry ${place.entry}`],
    place.line === undefined ? [] : [`line ${place.line}`],
    place.column === undefined ? [] : [`column ${place.column}`],
  ];
  return parts.flat().join(", ");
}
