import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Those that are there now. */
const folders = new Set<string>();

/** A folder that exists while `use` runs. It is removed however the process ends: a return, an error, `process.exit`, a signal. */
export async function withTemporaryFolder<T>(
  prefix: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = newTemporaryFolder(prefix);
  try {
    return await use(folder);
  } finally {
    await removeTemporaryFolder(folder);
  }
}

/** For those that cannot wrap what they do; to be removed by `removeTemporaryFolder`. */
export function newTemporaryFolder(prefix: string): string {
  if (folders.size === 0) {
    process.on("exit", removeAll);
    for (const signal of signals) process.on(signal, endBySignal);
  }
  // At once, so that no signal comes between the folder and the note of it.
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.add(folder);
  return folder;
}

export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) stopListening();
}

/** Other listeners end the process gracefully. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  stopListening();
  process.kill(process.pid, signal);
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function stopListening(): void {
  process.off("exit", removeAll);
  for (const signal of signals) process.off(signal, endBySignal);
}
