import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The existing temporary folders. */
const folders = new Set<string>();

/** Provides a folder while `use` runs. Removes it however the process ends: return, error, `process.exit` or signal. */
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

/** For callers without a scope; removed by `removeTemporaryFolder`. */
export function newTemporaryFolder(prefix: string): string {
  if (folders.size === 0) {
    process.on("exit", removeAll);
    for (const signal of signals) process.on(signal, endBySignal);
  }
  // Synchronous, so that no signal arrives before the folder is registered.
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
