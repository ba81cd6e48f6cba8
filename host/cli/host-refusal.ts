import type { AbortingError } from "@slipway/sdk";
import { printable } from "../system/terminal-text.js";
import { didYouMean } from "./command-group.js";

/** A host has answered with an error object; the message is that of the host. */
export class HostRefusal extends Error {
  constructor(readonly error: AbortingError) {
    super(printable(error.message));
  }
}

/**
 * What to throw for the error of a request that named something: where the host says what there is instead (under `list`
 * of its error), the name that was probably meant is said too.
 */
export function withSuggestion(error: unknown, given: string | undefined, list: string): unknown {
  if (!(error instanceof HostRefusal) || given === undefined) return error;
  const known = error.error.additionalInformation[list];
  if (!Array.isArray(known)) return error;
  const names = known.filter((name) => typeof name === "string").map(printable);
  return new Error(`${error.message}${didYouMean(given, names)}`, { cause: error });
}
