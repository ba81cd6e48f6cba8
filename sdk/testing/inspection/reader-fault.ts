import { RequestError } from "../../errors.js";

/**
 * The readers of project files speak of project files; here they read what a plugin has made. `subject` begins the
 * sentence, such as "The archive".
 */
export function faultOf(error: unknown, subject: string): unknown {
  if (!(error instanceof RequestError)) return error;
  const { what, entry, line, column } = error.toObject().additionalInformation;
  if (typeof what !== "string") return error;
  const place = [
    typeof entry === "string" ? `file ${entry}` : "",
    typeof line === "number" ? `line ${line}` : "",
    typeof column === "number" ? `column ${column}` : "",
  ].filter((part) => part !== "");
  return new Error([subject, ...(place.length > 0 ? [place.join(", ")] : []), what].join(": "), {
    cause: error,
  });
}
