/** What a reader says of a file that it cannot read. */
import { RequestError } from "../errors.js";

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
