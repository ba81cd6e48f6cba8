/** Notices changes in the folders of templates. */
import { basename } from "node:path";
import type { Log } from "@slipway/sdk";
import { watchFolders } from "../folder-watch.js";
import { isIgnored } from "./template-folder.js";

export interface WatchOptions {
  /** Milliseconds without another event before `changed` is called. */
  settlingTime: number;
  /** Milliseconds between calls without any event: network drives and re-pointed links cause none. */
  rescanInterval: number;
}

/** Calls `changed` when something in the folders may have changed; gives what ends it. */
export function watchTemplates(
  folders: readonly string[],
  options: WatchOptions,
  changed: () => void,
  log: Log,
): () => Promise<void> {
  let settling: NodeJS.Timeout | undefined;
  const { watcher, close } = watchFolders(folders, {
    ignored: (path) => !folders.includes(path) && isIgnored(basename(path)),
  });
  watcher.on("all", () => {
    clearTimeout(settling);
    settling = setTimeout(changed, options.settlingTime).unref();
  });
  watcher.on("error", (error) => log.warn("Changes of templates are noticed late.", { error }));
  const rescan = setInterval(changed, options.rescanInterval).unref();
  return async () => {
    clearTimeout(settling);
    clearInterval(rescan);
    await close();
  };
}
