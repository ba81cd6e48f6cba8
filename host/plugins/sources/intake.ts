/** Looks after the drop-in folders: what lies there, what is complete, what has been staged. */
import { availableParallelism } from "node:os";
import { basename, join, resolve, sep } from "node:path";
import type { Log } from "@slipway/sdk";
import { eachInTurn } from "../../system/each-in-turn.js";
import { type FolderWatch, watchFolders } from "../../system/folder-watch.js";
import { isIgnored } from "../packages/discovery.js";
import { settlesWithin } from "../timing.js";
import { DropInFolder } from "./drop-in-folder.js";
import type { KeptPlace } from "./plugin-source.js";
import type { Intake, IntakeOptions, Place } from "./source-state.js";

export type { IntakeOptions } from "./source-state.js";

/** Places that are staged at one time. */
const parallel = Math.max(2, availableParallelism());

/** Copying causes many events; a look follows the first of them so many milliseconds later. */
const eventPause = 50;

/** Between two looks at everything there is so many times the time that one takes: files may be many. */
const restAfterLooking = 10;

/** Keeps up with what lies in the drop-in folders. */
export function createIntake(options: IntakeOptions): Intake {
  return new FolderIntake(options);
}

class FolderIntake implements Intake {
  private readonly folders: DropInFolder[];
  private readonly rounds = new Rounds((asked) => this.round(asked));
  /** What is being taken in. */
  private readonly running = new Set<Promise<void>>();
  private watch: PlaceWatch | undefined;
  /** Paths of events since the last look. */
  private woken = new Set<string>();
  /** When everything has to be looked at again, by `performance.now()`. */
  private nextFullLook = 0;
  private started = false;
  private stopped = false;

  constructor(private readonly options: IntakeOptions) {
    const paths = new Set(options.folders.map((folder) => resolve(folder)));
    this.folders = [...paths].map((path) => new DropInFolder(path, options));
  }

  async start(): Promise<void> {
    await this.look();
    this.started = true;
    if (this.stopped || this.options.configuration.watch === "polling") return;
    this.watch = new PlaceWatch((path) => {
      this.woken.add(path);
      this.rounds.wakeIn(eventPause);
    }, this.options.log);
    this.cover();
  }

  places(): readonly Place[] {
    return this.kept().map(({ place }) => place);
  }

  async look(): Promise<void> {
    await this.rounds.ask();
    await Promise.all(this.running);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const place of this.kept()) place.end();
    await this.rounds.stop();
    await Promise.all(this.running);
    await this.watch?.close();
  }

  private kept(): KeptPlace[] {
    return this.folders.flatMap((folder) => folder.places());
  }

  /** One look; gives the milliseconds until the next one. */
  private async round(asked: boolean): Promise<number> {
    const began = performance.now();
    const full = asked || began >= this.nextFullLook;
    const woken = [...this.woken];
    this.woken = new Set();
    try {
      const look = { full, asked, starting: !this.started, woken };
      await Promise.all(this.folders.map((folder) => folder.look(look)));
      if (!this.stopped) this.takeIn();
      this.cover();
    } catch (error) {
      this.options.log.error("The plugin folders could not be looked at", { error });
    }
    const now = performance.now();
    const { rescanInterval } = this.options.configuration;
    if (full) this.nextFullLook = now + Math.max(rescanInterval, restAfterLooking * (now - began));
    return this.pause();
  }

  /** Lets what can be decided be decided, beside further looks. */
  private takeIn(): void {
    const due = this.kept().filter((place) => place.claim());
    if (due.length === 0) return;
    const takeIn = (place: KeptPlace): Promise<void> =>
      place.takeIn().catch((error: unknown) => {
        this.options.log.error("A plugin could not be taken in", { place: place.path, error });
      });
    const work = eachInTurn(due, parallel, takeIn).then(() => {
      this.running.delete(work);
      this.rounds.wakeIn(this.pause());
    });
    this.running.add(work);
  }

  private pause(): number {
    const untilFull = Math.max(0, this.nextFullLook - performance.now());
    return Math.min(untilFull, ...this.kept().map((place) => place.nextLook()));
  }

  private cover(): void {
    if (this.stopped) return;
    this.watch?.cover(new Map(this.folders.flatMap((folder) => [...folder.watched()])));
  }
}

/**
 * Tells when something may have changed in drop-in folders and in what links there lead to. Folders are watched, not
 * each of their files, and links are not followed: what has been re-pointed is told by its folder.
 */
class PlaceWatch {
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

/**
 * Does the same thing again and again, never twice at a time: when somebody asks, when something wakes it, and when the
 * time has come that the round before has named.
 */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  /** Of the timer, by `performance.now()`. */
  private due = Number.POSITIVE_INFINITY;
  private running: Promise<void> | undefined;
  private following: Promise<void> | undefined;
  /** The timer has come while a round was running. */
  private wakeAfterwards = false;
  private stopped = false;

  /** `round` never rejects; it gives the milliseconds until the next one, at the latest. */
  constructor(private readonly round: (asked: boolean) => Promise<number>) {}

  /** Resolves at the end of a round that has begun after the call; many that ask meanwhile share it. */
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

  /** The next round begins in so many milliseconds, or earlier. */
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

  /** Nothing begins any more; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.following;
    await this.running;
  }

  private run(asked: boolean): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.running = this.round(asked).then((pause) => {
      this.running = undefined;
      this.wakeIn(this.wakeAfterwards ? 0 : pause);
      this.wakeAfterwards = false;
    });
    return this.running;
  }
}

/** How long a start waits for what is still being copied, in milliseconds. */
const longest = 3000;

/** What was copied just before the start is worth a moment: clients would find nothing otherwise. */
export class Patience {
  private changed: () => void = () => undefined;

  /** Something that lies in the places has come to something. */
  noteChange(): void {
    this.changed();
  }

  /** Resolves when nothing is being copied any more, or when that takes too long. */
  async settled(intake: Intake): Promise<void> {
    const end = performance.now() + longest;
    while (isWaiting(intake) && performance.now() < end) {
      const change = new Promise<void>((resolve) => {
        this.changed = resolve;
      });
      await settlesWithin(change, Math.max(0, end - performance.now()));
    }
  }
}

function isWaiting(intake: Intake): boolean {
  return intake.places().some(({ record }) => record.current.stage === "waiting");
}
