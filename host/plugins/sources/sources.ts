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
import { resolve } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { settlesWithin } from "../../system/time.js";
import type { SourceOptions } from "./content-attempt.js";
import { DropInFolder } from "./drop-in-folder.js";
import type { PluginSource, SourceState } from "./plugin-source.js";
import { ScanLoop, SourceWatch } from "./source-watch.js";

export type { SourceState } from "./plugin-source.js";
export { discoverSources, takeFingerprint } from "./source-files.js";

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
