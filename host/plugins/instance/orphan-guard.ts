import { Worker } from "node:worker_threads";

/**
 * Ends this process when the host is gone, even while the plugin blocks the event loop, which then never sees that its
 * channel closed. A thread of its own looks at the parent, because the main thread may never look again.
 */
export function guardAgainstOrphanhood(hostProcess: number): void {
  const guard = new Worker(
    `setInterval(() => { if (process.ppid !== ${hostProcess}) (${endProcessGroup})(); }, 1000);`,
    {
      eval: true,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
    },
  );
  guard.unref();
}

/** Ends this process at once, and with it what the plugin started: an instance leads a process group of its own. */
export function endProcessGroup(): void {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
}
