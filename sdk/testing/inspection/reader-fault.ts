import { RequestError } from "../../errors.js";

/** The readers of project files speak of project files; here they read what a plugin has made. */
export function readerFault(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  const { what, entry, line, column } = error.toObject().additionalInformation;
  if (typeof what !== "string") return error;
  const place = [
    ...(typeof entry === "string" ? [`file ${entry}`] : []),
    ...(typeof line === "number" ? [`line ${line}`] : []),
    ...(typeof column === "number" ? [`column ${column}`] : []),
  ];
  return new Error(place.length > 0 ? `${place.join(", ")}: ${what}` : what, { cause: error });
}
