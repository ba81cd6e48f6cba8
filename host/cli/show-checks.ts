import { printable, printJson } from "../system/terminal-text.js";
import type { Check } from "./checks/check.js";

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
