/** Notices changes in the folders of templates. */
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "@slipway/sdk";
import { type FSWatcher, watch } from "chokidar";
import { isIgnored } from "./template-folder.js";

export interface WatchOptions {
  /** Milliseconds without another event before `changed` is called. */
  settlingTime: number;
  /** Milliseconds between calls without any event: network drives and re-pointed links cause none. */
  rescanInterval: number;
}

/** Closed while it takes in a change, chokidar may leave a handle that nobody closes: it has to be quiet before. */
const quietTime = 150;
const longestWait = 2000;

/** Calls `changed` when something in the folders may have changed; gives what ends it. */
export function watchTemplates(
  folders: readonly string[],
  options: WatchOptions,
  changed: () => void,
  log: Log,
): () => Promise<void> {
  let settling: NodeJS.Timeout | undefined;
  const watcher: FSWatcher = watch([...folders], {
    ignoreInitial: true,
    ignored: (path) => !folders.includes(path) && isIgnored(basename(path)),
  });
  watcher.on("all", () => {
    clearTimeout(settling);
    settling = setTimeout(changed, options.settlingTime).unref();
  });
  let lastEvent = performance.now();
  watcher.on("raw", () => {
    lastEvent = performance.now();
  });
  const ready = new Promise<void>((resolve) => watcher.once("ready", resolve));
  watcher.on("error", (error) => log.warn("Changes of templates are noticed late.", { error }));
  const rescan = setInterval(changed, options.rescanInterval).unref();
  return async () => {
    clearTimeout(settling);
    clearInterval(rescan);
    const end = performance.now() + longestWait;
    await Promise.race([ready, pause(longestWait, undefined, { ref: false })]);
    while (performance.now() < Math.min(lastEvent + quietTime, end)) await pause(20);
    await watcher.close();
  };
}
