import { basename, join, sep } from "node:path";
import type { Log } from "@slipway/sdk";
import { type FolderWatch, watchFolders } from "../../system/folder-watch.js";
import { isIgnored } from "../packages/discovery.js";

/**
 * Tells when something may have changed in drop-in folders and in what links there lead to. Folders are watched, not
 * each of their files, and links are not followed: what has been re-pointed is told by its folder.
 */
export class PlaceWatch {
  /** Identities of the folders, by their paths without symbolic links. */
  private readonly covered = new Map<string, string>();
  private readonly watch: FolderWatch;

  /** `changed` gets the path, without symbolic links. */
  constructor(changed: (path: string) => void, log: Log) {
    this.watch = watchFolders([], {
      followSymlinks: false,
      ignored: (path, stats) =>
        !this.covered.has(path) && (isUnwatched(path) || stats?.isDirectory() === false),
    });
    this.watch.watcher.on("raw", (_event, name, details) => {
      const folder = watchedPath(details);
      if (folder === undefined) return;
      if (typeof name !== "string") changed(folder);
      else if (!isIgnored(basename(name))) changed(join(folder, name));
    });
    // There may be one for every folder, when the system watches no more of them.
    this.watch.watcher.once("error", (error) => {
      log.warn("Changes of plugins are noticed late.", { error });
      this.watch.watcher.on("error", () => undefined);
    });
  }

  /** Watches these folders with what is in them, and nothing else; another folder under the same path counts as new. */
  cover(folders: ReadonlyMap<string, string>): void {
    const { watcher } = this.watch;
    for (const path of [...this.covered.keys()].filter((each) => !folders.has(each))) {
      this.covered.delete(path);
      if (!this.isInside(path)) watcher.unwatch(path);
    }
    for (const [path, identity] of folders) {
      const before = this.covered.get(path);
      if (before === identity) continue;
      if (before !== undefined) watcher.unwatch(path);
      const isNew = before !== undefined || !this.isInside(path);
      this.covered.set(path, identity);
      if (isNew) watcher.add(path);
    }
  }

  /** Nothing is left open. */
  async close(): Promise<void> {
    await this.watch.close();
  }

  /** Whether a folder around it is watched. */
  private isInside(path: string): boolean {
    return [...this.covered.keys()].some((folder) => path.startsWith(folder + sep));
  }
}

/** What a plugin's packages consist of changes rarely, and in thousands of folders; looks find it. */
function isUnwatched(path: string): boolean {
  const name = basename(path);
  return name === "node_modules" || isIgnored(name);
}

/** Of what chokidar tells beside an event. */
function watchedPath(details: unknown): string | undefined {
  if (typeof details !== "object" || details === null || !("watchedPath" in details)) return undefined;
  return typeof details.watchedPath === "string" ? details.watchedPath : undefined;
}
