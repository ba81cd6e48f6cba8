/** What a benchmark started or made, and how it goes again: at its end, after an error and after Ctrl+C. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pending = new Set<() => Promise<unknown>>();
let closing = false;

/** Calls `end` with all others at the end of the program. The result does so before, and once. */
export function atEnd(end: () => Promise<unknown>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const once = (): Promise<void> => {
    ended ??= Promise.resolve(end()).then(() => {
      pending.delete(once);
    });
    return ended;
  };
  pending.add(once);
  // It came after the others went.
  if (closing) void once().catch(() => undefined);
  return once;
}

/** A folder for as long as the benchmark runs. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "slipway-bench-"));
  return { path, remove: atEnd(() => rm(path, { recursive: true, force: true, maxRetries: 5 })) };
}

/** Ends everything that is left, the last first. Rejects with the first failure, after all others had their turn. */
export async function cleanUp(): Promise<void> {
  closing = true;
  const failures: unknown[] = [];
  for (let [end] = [...pending].reverse(); end !== undefined; [end] = [...pending].reverse()) {
    await end().catch((error: unknown) => failures.push(error));
    pending.delete(end);
  }
  if (failures.length > 0) throw failures[0];
}
