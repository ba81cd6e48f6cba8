import { Worker } from "node:worker_threads";

/**
 * Ends this process when its parent is gone, even while the event loop is blocked, which then never sees that its
 * channel closed. A thread of its own looks at the parent, because the main thread may never look again. `end` must not
 * refer to anything outside of itself: the thread gets its text.
 */
export function guardAgainstOrphanhood(parent: number, end: () => void = endProcess): void {
  const guard = new Worker(`setInterval(() => { if (process.ppid !== ${parent}) (${end})(); }, 1000);`, {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  guard.unref();
}

/** Ends this process at once. */
function endProcess(): void {
  process.kill(process.pid, "SIGKILL");
}

/** Ends this process at once, and with it what it started: for a process that leads a group of its own. */
export function endProcessGroup(): void {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
}
