import { printable } from "./terminal-text.js";

/** One thing that was looked at. */
export interface Check {
  name: string;
  ok: boolean;
  /** What was found, or what is wrong and how to mend it. */
  detail: string;
  /** Something is all right that could be better. */
  hint?: true;
}

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

function markOf({ ok, hint }: Check): string {
  if (!ok) return "FAIL ";
  return hint === undefined ? "ok   " : "hint ";
}
