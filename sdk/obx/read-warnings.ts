/** What a reader skipped or repaired, for the answer of the request that brought the file. */
import { RequestError } from "../errors.js";

/** One thing in a file that was skipped or repaired; equal ones are folded into the first. */
export interface ReadWarning {
  /** Such as "basket/topFolder/bskArticle[2]/foo". */
  path: string;
  /** One sentence for people. */
  message: string;
  /** Of the first place, from 1. */
  line?: number;
  /** How many equal ones there were, when more than one. */
  count?: number;
}

const keptWarnings = 200;

/** Collects warnings; those that differ only in the indices of their path are one. */
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

  /** In the order of their first places; at most 200 and one that counts the others. */
  list(): ReadWarning[] {
    const kept = [...this.folded.values()];
    return this.left === 0 ? kept : [...kept, { path: "", message: `${this.left} more warnings` }];
  }
}

// What a reader says of a file that it cannot read.

/** A place in a file: the entry of the ZIP container (absent for a plain file), and where in its text. */
export interface FilePlace {
  entry?: string;
  /** From 1. */
  line?: number;
  /** From 1. */
  column?: number;
}

/** A 400 `request-bad-request` that says where the file is broken and what is wrong there. */
export function brokenFile(what: string, place: FilePlace = {}, reason?: unknown): RequestError {
  const where = describePlace(place);
  return new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `The project file cannot be read: ${where === "" ? "" : `${where}: `}${what}`,
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
