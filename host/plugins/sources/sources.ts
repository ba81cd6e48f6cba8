/**
 * Sources: the folders, links and archives in the drop-in folders, each of which may be a plugin.
 *
 * Goes in: the paths of the drop-in folders, and `staging`, which makes snapshots. Comes out: a `SourceState` for each
 * source: its path, its state record and, once its content is complete and valid, its snapshot.
 *
 * Owns the watches and scans of the drop-in folders, and the decision when a content is complete. Does not know which
 * sources run: a source is the same whether a release asks for it or not.
 */
import { availableParallelism } from "node:os";
import { basename, join, resolve, sep } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { type FolderWatch, watchFolders } from "../../system/folder-watch.js";
import { settlesWithin } from "../../system/time.js";
import { DropInFolder } from "./drop-in-folder.js";
import type { PluginSource, SourceOptions, SourceState } from "./plugin-source.js";

export { discoverSources } from "./drop-in-folder.js";
export type { SourceState } from "./plugin-source.js";
export { takeFingerprint } from "./source-content.js";

interface SourcesOptions extends SourceOptions {
  /** The drop-in folders, in the order of their sources. */
  folders: readonly string[];
  configuration: SourceOptions["configuration"] & Pick<PluginsConfiguration, "watch">;
}

/** Sources staged concurrently. */
const parallel = Math.max(2, availableParallelism());

/** Milliseconds from the first event to a scan, because copying causes many events. */
const eventPause = 50;

/** The pause after a full scan is at least this multiple of its duration: there may be many files. */
const restAfterScan = 10;

/** Full scans without a change after which they become rarer, because events tell of changes. */
const quietScans = 10;
/** How much rarer. */
const quietFactor = 30;

/** Interval of full scans in milliseconds while a development host cannot watch files. */
const unwatchedInterval = 1000;

/** Message of the log line for watches that the system refuses. */
export const watchingFailed = "File watching failed; changes of plugins are found by the next scan.";

/** Milliseconds that a start waits for sources that are still being copied. */
const pendingTimeout = 3000;

/** The plugins in the drop-in folders, kept up to date. */
export class PluginSources {
  private readonly folders: DropInFolder[];
  private readonly scans = new ScanLoop((requested) => this.scanOnce(requested));
  /** Sources that are being processed. */
  private readonly running = new Set<Promise<void>>();
  private watch: SourceWatch | undefined;
  /** Paths of events since the last scan. */
  private events = new Set<string>();
  /** When the next full scan is due, by `performance.now()`. */
  private nextFullScan = 0;
  /** Full scans since the last event or change. */
  private scansWithoutChange = 0;
  private started = false;
  private isUnwatched = false;
  private noteChange: () => void = () => undefined;
  private stopped = false;

  constructor(private readonly options: SourcesOptions) {
    const changed = (): void => {
      this.scansWithoutChange = 0;
      this.noteChange();
      options.changed();
    };
    const paths = new Set(options.folders.map((folder) => resolve(folder)));
    this.folders = [...paths].map((path) => new DropInFolder(path, { ...options, changed }));
  }

  /** Resolves when every present source is staged, refused, or found incomplete. */
  async start(): Promise<void> {
    await this.scan();
    this.started = true;
    if (this.stopped || this.options.configuration.watch === "polling") return;
    this.watch = new SourceWatch(
      (path) => {
        this.events.add(path);
        this.scans.wakeIn(eventPause);
      },
      (error) => this.scanInstead(error),
    );
    // What changed between the scan and the beginning of the watch caused no event.
    this.watch.ready(() => {
      this.nextFullScan = 0;
      this.scans.wakeIn(0);
    });
    this.cover();
  }

  /** Ordered by folder, then by name. A source stays while it may be under replacement. */
  sources(): readonly SourceState[] {
    return this.kept().map(({ state }) => state);
  }

  /** Scans everything now; resolves when every source present at the call is staged, refused, or found incomplete. */
  async scan(): Promise<void> {
    await this.scans.ask();
    await Promise.all(this.running);
  }

  /** The host has removed the file at a path. If the path is free, the next scan forgets the source at once. */
  withdraw(path: string): void {
    for (const source of this.kept()) if (source.path === path) source.withdraw();
  }

  /**
   * Resolves when no source is being copied, or after a timeout. Without it, clients would find no plugin after a
   * start.
   */
  async waitForPendingSources(): Promise<void> {
    const end = performance.now() + pendingTimeout;
    while (this.hasPending() && performance.now() < end) {
      const change = new Promise<void>((resolve) => {
        this.noteChange = resolve;
      });
      await settlesWithin(change, Math.max(0, end - performance.now()));
    }
  }

  /** Stops staging. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const source of this.kept()) source.end();
    await this.scans.stop();
    await Promise.all(this.running);
    await this.watch?.close();
  }

  private scanInstead(error: unknown): void {
    this.options.log.warn(watchingFailed, { error });
    this.isUnwatched = true;
    this.nextFullScan = Math.min(this.nextFullScan, performance.now() + this.scanInterval);
    this.scans.wakeIn(this.pause());
  }

  /** Milliseconds. An author must not wait for the rare scans of a host that receives events. */
  private get scanInterval(): number {
    const { rescanInterval, development } = this.options.configuration;
    if (this.isUnwatched) return development ? Math.min(rescanInterval, unwatchedInterval) : rescanInterval;
    const isQuiet = this.watch !== undefined && this.scansWithoutChange >= quietScans;
    return isQuiet ? quietFactor * rescanInterval : rescanInterval;
  }

  private kept(): PluginSource[] {
    return this.folders.flatMap((folder) => folder.sources());
  }

  private hasPending(): boolean {
    return this.sources().some(({ record }) => record.current.stage === "waiting");
  }

  /** One scan; returns the milliseconds until the next one. */
  private async scanOnce(requested: boolean): Promise<number> {
    const began = performance.now();
    const full = requested || began >= this.nextFullScan;
    const events = [...this.events];
    this.events = new Set();
    if (events.length > 0) this.scansWithoutChange = 0;
    else if (full) this.scansWithoutChange += 1;
    try {
      const scan = { full, requested, starting: !this.started, events };
      await Promise.all(this.folders.map((folder) => folder.scan(scan)));
      if (!this.stopped) this.process();
      this.cover();
    } catch (error) {
      this.options.log.error("The plugin folders could not be scanned", { error });
    }
    const now = performance.now();
    if (full) this.nextFullScan = now + Math.max(this.scanInterval, restAfterScan * (now - began));
    return this.pause();
  }

  /** Processes sources that are due, concurrently with further scans. */
  private process(): void {
    const due = this.kept().filter((source) => source.claim());
    if (due.length === 0) return;
    const process = (source: PluginSource): Promise<void> =>
      source.process().catch((error: unknown) => {
        this.options.log.error("A plugin source could not be processed", { place: source.path, error });
      });
    const work = mapConcurrent(due, parallel, process).then(() => {
      this.running.delete(work);
      this.scans.wakeIn(this.pause());
    });
    this.running.add(work);
  }

  private pause(): number {
    const untilFull = Math.max(0, this.nextFullScan - performance.now());
    return Math.min(untilFull, ...this.kept().map((source) => source.nextScan()));
  }

  private cover(): void {
    if (this.stopped) return;
    this.watch?.cover(new Map(this.folders.flatMap((folder) => [...folder.watched()])));
  }
}

/**
 * Reports possible changes in drop-in folders and in the targets of links there. Watches folders, not single files, and
 * does not follow links: the folder of a link reports a new target.
 */
class SourceWatch {
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
class ScanLoop {
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
