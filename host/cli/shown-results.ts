import type { SuppressedError } from "@slipway/sdk";
import type { AgreementReport } from "../plugins/administration/administration.js";
import type { PluginState } from "../plugins/plugin-state.js";
import { printable, printJson } from "../system/terminal-text.js";
import type { Check } from "./checks/check.js";
import { endProgress } from "./standard-output.js";

export type { Check };

/** Prints each check as it completes, then exits: 1 if a check failed. Prints `ready` if none did. */
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

/** Prints all checks as one JSON object, then exits with the same code. */
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

/** Prints a limited number of lines to standard error: standard output has only result paths. */
export function showWarnings(lines: readonly string[]): void {
  if (lines.length > 0) endProgress();
  const more = lines.length - shownWarnings;
  const shown = more > 0 ? [...lines.slice(0, shownWarnings), `… and ${more} more`] : lines;
  for (const line of shown) process.stderr.write(`${indentation(line)}${printable(line)}\n`);
}

/** Prints suppressed errors like warnings. */
export function showErrors(errors: readonly SuppressedError[]): void {
  showWarnings(errors.map(({ scopes, message }) => `${scopes.join()}: ${message}`));
}

/** Keeps the indentation of continuation lines. */
function indentation(line: string): string {
  return " ".repeat(line.length - line.trimStart().length);
}

/** Formats what hosts that share an engine have agreed on, as lines. */
export function shownAgreement(agreed: AgreementReport | undefined): string[] {
  if (agreed === undefined) return [];
  const { generation, hosts, waiting } = agreed;
  const serving = `Generation ${generation} is served by ${hosts.join(", ") || "no host"}.`;
  return [serving, ...(waiting.length === 0 ? [] : [`Not yet by ${waiting.join(", ")}.`])].map(printable);
}

/** Formats the state of a version as one line. */
export function shownState({ name, version, folder, stage, releases, reason }: PluginState): string {
  const label = name === undefined ? folder : `${name}@${version ?? "?"}`;
  const where = releases.length === 0 ? "" : ` under ${releases.join(", ")}`;
  return printable(`${label} is ${stage}${where}${reason === undefined ? "." : `: ${reason}`}`);
}
