/** What was thrown as an error; anything can be thrown. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The code that Node.js gives an error, such as "ENOENT" or "Z_DATA_ERROR"; undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Whether an error says that a file or folder is missing, or that a file is in the place of a folder above it. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** What an error says; anything can be thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same with where it was thrown, for a log. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A sentence, such as the reason of another program, with a full stop at its end. */
export function fullStop(sentence: string): string {
  return /[.!?\u2026]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Something about content that others made keeps it from being used; the message says what, for its admin or author. */
export class Rejection extends Error {
  override readonly name = "Rejection";
}
