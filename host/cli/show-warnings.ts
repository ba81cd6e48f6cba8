import type { SuppressedError } from "@slipway/sdk";
import { printable } from "../system/terminal-text.js";
import { endProgress } from "./progress.js";

const shownWarnings = 20;

/** On standard error, bounded: standard output belongs to the paths of what a command makes. */
export function showWarnings(lines: readonly string[]): void {
  if (lines.length > 0) endProgress();
  const more = lines.length - shownWarnings;
  const shown = more > 0 ? [...lines.slice(0, shownWarnings), `… and ${more} more`] : lines;
  for (const line of shown) process.stderr.write(`${indentation(line)}${printable(line)}\n`);
}

/** Suppressed errors, as warnings are shown. */
export function showErrors(errors: readonly SuppressedError[]): void {
  showWarnings(errors.map(({ scopes, message }) => `${scopes.join()}: ${message}`));
}

/** What belongs to the line before is set in. */
function indentation(line: string): string {
  return " ".repeat(line.length - line.trimStart().length);
}
