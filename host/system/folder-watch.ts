/** Tells when something in folders changes, and ends without leaving anything behind. */
import { setTimeout as pause } from "node:timers/promises";
import { type ChokidarOptions, type FSWatcher, watch } from "chokidar";

/** Closed while it takes in a change, chokidar may leave a handle that nobody closes: it has to be quiet before. */
const quietTime = 150;
const longestWait = 2000;

export interface FolderWatch {
  readonly watcher: FSWatcher;
  /** Waits until no change is being taken in; nothing is left open. */
  close(): Promise<void>;
}

/** Watches the folders; what chokidar tells is for the caller to listen to. */
export function watchFolders(folders: readonly string[], options: ChokidarOptions): FolderWatch {
  const watcher = watch([...folders], { ...options, ignoreInitial: true });
  let lastEvent = performance.now();
  watcher.on("raw", () => {
    lastEvent = performance.now();
  });
  // Nobody says that it is ready where nothing is watched.
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
