import type { SuppressedError } from "@slipway/sdk";
import type { PluginState } from "../plugins/plugin-state.js";
import { printable, printJson } from "../system/terminal-text.js";
import type { Check } from "./checks/check.js";
import { endProgress } from "./standard-output.js";

export type { Check };

/** Writes a line for each check as soon as it is made, and ends: 1 when something is wrong. `ready` is said when nothing is. */
export async function endWithChecks(checks: AsyncIterable<Check>, ready: string): Promise<never> {
  let failures = 0;
  for await (const check of checks) {
    if (!check.ok) failures += 1;
    process.stdout.write(`${markOf(check)} ${check.name.padEnd(14)} ${printable(check.detail)}\n`);
  }
  const count = failures === 1 ? "One thing has" : `${failures} things have`;
  process.stdout.write(failures === 0 ? `\n${ready}\n` : `\n${count} to be mended.\n`);
  process.exit(failures === 0 ? 0 : 1);
}

/** Writes all of them as one JSON object, and ends in the same way. */
export async function endWithJsonChecks(checks: AsyncIterable<Check>): Promise<never> {
  const made: Check[] = [];
  for await (const check of checks) made.push(check);
  const ok = made.every((check) => check.ok);
  printJson({ ok, checks: made });
  process.exit(ok ? 0 : (process.exitCode ?? 1));
}

function markOf({ ok, hint }: Check): string {
  if (!ok) return "FAIL ";
  return hint === undefined ? "ok   " : "hint ";
}

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

/** Where a version stands, and why, on one line. */
export function shownState({ name, version, folder, stage, releases, reason }: PluginState): string {
  const label = name === undefined ? folder : `${name}@${version ?? "?"}`;
  const where = releases.length === 0 ? "" : ` under ${releases.join(", ")}`;
  return printable(`${label} is ${stage}${where}${reason === undefined ? "." : `: ${reason}`}`);
}
