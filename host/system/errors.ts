/** A thrown value as an error. */
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

/** The result of a file operation; undefined when the file does not exist. */
export async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  return await operation.catch((error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw error;
    return undefined;
  });
}

/** The message of a thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same with its stack, for a log. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A sentence, such as the reason of another program, with a final full stop. */
export function fullStop(sentence: string): string {
  return /[.!?\u2026]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Content from outside cannot be used; the message explains this to its admin or author. */
export class Rejection extends Error {
  override readonly name = "Rejection";
}
