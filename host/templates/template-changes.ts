import { basename } from "node:path";
import type { Log } from "@slipway/sdk";
import { watchFolders } from "../system/folder-watch.js";
import { isIgnored } from "./template-folder.js";
import type { TemplateChange } from "./template-service.js";

/** Collects changes of templates and notifies listeners once the changes are in force. */
export class TemplateChanges {
  private readonly listeners = new Set<(change: TemplateChange) => void>();
  private collected: TemplateChange[] = [];

  constructor(private readonly log: Log) {}

  /** Calls the listener for each change; returns a function that unsubscribes it. */
  follow(listener: (change: TemplateChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  add(change: TemplateChange): void {
    this.collected.push(change);
  }

  /** Notifies the listeners of the collected changes. */
  tell(): void {
    for (const change of this.collected.splice(0)) this.tellNow(change);
  }

  /** Notifies the listeners of a change; a failing listener does not affect others. */
  tellNow(change: TemplateChange): void {
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (error) {
        this.log.error("A listener of template changes failed.", { error });
      }
    }
  }
}

/** How the template folders are watched. */
export interface WatchOptions {
  /** Milliseconds without another event before `changed` is called. */
  settlingTime: number;
  /** Milliseconds between calls without an event: network drives and changed links cause no events. */
  rescanInterval: number;
}

/** Maximum delay of a change while others follow, as a multiple of the settling time. */
const patience = 5;

/** Calls `changed` when something in the folders may have changed; returns a function that stops the watch. */
export function watchTemplates(
  folders: readonly string[],
  options: WatchOptions,
  changed: () => void,
  log: Log,
): () => Promise<void> {
  let settling: NodeJS.Timeout | undefined;
  let waitingSince: number | undefined;
  const { watcher, close } = watchFolders(folders, {
    ignored: (path) => !folders.includes(path) && isIgnored(basename(path)),
  });
  const look = () => {
    waitingSince = undefined;
    changed();
  };
  const notice = () => {
    clearTimeout(settling);
    waitingSince ??= performance.now();
    // Continuous changes in one folder must not delay the others.
    const left = waitingSince + patience * options.settlingTime - performance.now();
    settling = setTimeout(look, Math.max(0, Math.min(options.settlingTime, left))).unref();
  };
  watcher.on("all", notice);
  // chokidar reports only the first of several changes within 50 ms; the others would be noticed by the next full scan.
  watcher.on("raw", (_event, name) => {
    if (!isIgnored(basename(name ?? ""))) notice();
  });
  watcher.on("error", (error) => log.warn("Changes of templates are noticed late.", { error }));
  const rescan = setInterval(changed, options.rescanInterval).unref();
  return async () => {
    clearTimeout(settling);
    clearInterval(rescan);
    await close();
  };
}
