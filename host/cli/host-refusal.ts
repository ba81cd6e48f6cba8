import type { AbortingError } from "@slipway/sdk";
import { printable } from "../system/terminal-text.js";
import { didYouMean } from "./command-group.js";

/** An error object from a host, with its message. */
export class HostRefusal extends Error {
  constructor(readonly error: AbortingError) {
    super(printable(error.message));
  }
}

/** Adds a suggestion to the error for an unknown name, if the host lists the known names (in `list`). */
export function withSuggestion(error: unknown, given: string | undefined, list: string): unknown {
  if (!(error instanceof HostRefusal) || given === undefined) return error;
  const known = error.error.additionalInformation[list];
  if (!Array.isArray(known)) return error;
  const names = known.filter((name) => typeof name === "string").map(printable);
  return new Error(`${error.message}${didYouMean(given, names)}`, { cause: error });
}
