/** When the drop-in folders are scanned: on events of the file system, on request, and after a pause. */
import { basename, join, sep } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import { type FolderWatch, watchFolders } from "../../system/folder-watch.js";

/**
 * Reports possible changes in drop-in folders and in the targets of links there. Watches folders, not single files, and
 * does not follow links: the folder of a link reports a new target.
 */
export class SourceWatch {
  /** Identities of the folders, by their paths without symbolic links. */
  private readonly covered = new Map<string, string>();
  private readonly watch: FolderWatch;

  /** `changed` receives the path without symbolic links; `failed` is called once. */
  constructor(changed: (path: string) => void, failed: (error: unknown) => void) {
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
    // There may be one error per folder when the system limits watches.
    this.watch.watcher.once("error", (error) => {
      this.watch.watcher.on("error", () => undefined);
      failed(error);
    });
  }

  /** Calls back once the folders that were covered first are watched. */
  ready(watched: () => void): void {
    this.watch.watcher.once("ready", watched);
  }

  /** Watches exactly these folders with their content; another folder under the same path counts as new. */
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

  async close(): Promise<void> {
    await this.watch.close();
  }

  /** Whether a parent folder is watched. */
  private isInside(path: string): boolean {
    return [...this.covered.keys()].some((folder) => path.startsWith(folder + sep));
  }
}

/** Installed packages have thousands of folders and change rarely; scans find changes there. */
function isUnwatched(path: string): boolean {
  const name = basename(path);
  return name === "node_modules" || isIgnored(name);
}

/** The watched path in the details of a chokidar event. */
function watchedPath(details: unknown): string | undefined {
  if (typeof details !== "object" || details === null || !("watchedPath" in details)) return undefined;
  return typeof details.watchedPath === "string" ? details.watchedPath : undefined;
}

/**
 * Repeats a scan, one at a time: on request, when woken by an event, and after the pause that the previous scan
 * returned.
 */
export class ScanLoop {
  private timer: NodeJS.Timeout | undefined;
  /** When the timer is due, by `performance.now()`. */
  private due = Number.POSITIVE_INFINITY;
  private running: Promise<void> | undefined;
  private following: Promise<void> | undefined;
  /** The timer fired during a scan. */
  private wakeAfterwards = false;
  private stopped = false;

  /** `scan` never rejects; it returns the maximum number of milliseconds until the next scan. */
  constructor(private readonly scan: (requested: boolean) => Promise<number>) {}

  /** Resolves at the end of a scan that began after the call; concurrent calls share it. */
  ask(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    if (this.following !== undefined) return this.following;
    if (this.running === undefined) return this.run(true);
    this.following = this.running.then(() => {
      this.following = undefined;
      return this.run(true);
    });
    return this.following;
  }

  /** Starts the next scan within the given milliseconds. */
  wakeIn(milliseconds: number): void {
    const due = performance.now() + milliseconds;
    if (this.stopped || due >= this.due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => {
      this.due = Number.POSITIVE_INFINITY;
      if (this.running === undefined) void this.run(false);
      else this.wakeAfterwards = true;
    }, Math.ceil(milliseconds)).unref();
  }

  /** Prevents further scans; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.following;
    await this.running;
  }

  private run(requested: boolean): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.running = this.scan(requested).then((pause) => {
      this.running = undefined;
      this.wakeIn(this.wakeAfterwards ? 0 : pause);
      this.wakeAfterwards = false;
    });
    return this.running;
  }
}
