/** Watches folders for changes. */
import { setTimeout as pause } from "node:timers/promises";
import { type ChokidarOptions, type FSWatcher, watch } from "chokidar";

/** Milliseconds without events before closing: closed during a change, chokidar may leave an open handle. */
const quietTime = 150;
const longestWait = 2000;

export interface FolderWatch {
  readonly watcher: FSWatcher;
  /** Waits until no change is being processed, then closes all handles. */
  close(): Promise<void>;
}

/** Watches the folders; the caller listens to the watcher. */
export function watchFolders(folders: readonly string[], options: ChokidarOptions): FolderWatch {
  const watcher = watch([...folders], { ...options, ignoreInitial: true });
  let lastEvent = performance.now();
  watcher.on("raw", () => {
    lastEvent = performance.now();
  });
  // Without folders there is no "ready" event.
  const ready =
    folders.length === 0
      ? Promise.resolve()
      : new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  return {
    watcher,
    close: async () => {
      const end = performance.now() + longestWait;
      await Promise.race([ready, pause(longestWait, undefined, { ref: false })]);
      while (performance.now() < Math.min(lastEvent + quietTime, end)) await pause(20);
      await watcher.close();
    },
  };
}
