import { RequestError } from "../../schema/errors.js";

/**
 * What `load` imports. Rejects with what to install where the package is missing; the SDK itself does not need it.
 * `purpose` begins the sentence, such as "Reading PDFs".
 */
export async function optionalPeer<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new Error(
      `${purpose} needs the package "${name}", which is not installed: npm install --save-dev ${name}`,
      { cause: error },
    );
  }
}

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
