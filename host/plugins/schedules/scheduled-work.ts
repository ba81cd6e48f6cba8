import { RequestError } from "@slipway/sdk";
import { type LiveSchedule, runTimeout } from "@slipway/sdk/runtime/host";
import { monotonicTime } from "../../system/time.js";
import {
  type Background,
  type BackgroundOptions,
  backgroundOrigin,
  type WorkingVersion,
} from "../background-work.js";
import type { LastRun, ScheduleState } from "../plugin-state.js";
import { CronTimes, mostMissed } from "./cron-times.js";
import type { RunFiles } from "./run-files.js";

/** Milliseconds: a longer timer would not notice that the machine slept or its clock was set. */
const longestPause = 30_000;

/** Milliseconds after its due time in which a run may start; later, it is missed. */
const latest = 60_000;

/** The live version of a plugin and one of its schedules. */
interface Followed extends WorkingVersion {
  schedule: LiveSchedule;
}

export interface WorkOptions extends BackgroundOptions {
  files: RunFiles;
}

/** One schedule of a plugin over its versions: at most one run at a time, and no due time twice. */
export class ScheduledWork implements Background {
  private followed: (Followed & { times: CronTimes }) | undefined;
  private lastRun: LastRun | undefined;
  private missed = 0;
  /** Due times up to this one are done or missed. */
  private done = 0;
  private running: Promise<void> | undefined;
  /** Of the current run. */
  private ending = new AbortController();
  private hasToldOverlap = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly opened: Promise<void>;

  constructor(
    private readonly plugin: string,
    private readonly name: string,
    private readonly options: WorkOptions,
  ) {
    this.opened = options.files.read(plugin, name).then((run) => {
      this.lastRun = run;
    });
  }

  /** Runs with this version from now on; a run of the previous version continues. */
  follow(followed: Followed): void {
    const before = this.followed;
    const { cron, timeZone } = followed.schedule;
    const isSame = before?.schedule.cron === cron && before.schedule.timeZone === timeZone;
    const times = before !== undefined && isSame ? before.times : new CronTimes(followed.schedule);
    this.followed = { ...followed, times };
    if (isSame) return;
    if (before !== undefined) this.begin();
    else void this.opened.then(() => this.catchUp());
  }

  /** No live version has the schedule; a run continues. */
  leave(): void {
    this.followed = undefined;
    clearTimeout(this.timer);
  }

  /** Ends the current run: the host stops. */
  end(): void {
    this.ending.abort();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    await this.running;
  }

  get state(): ScheduleState | undefined {
    if (this.followed === undefined) return undefined;
    const { schedule, times } = this.followed;
    const { name, cron, timeZone, summary } = schedule;
    const nextRun = times.next(Date.now());
    return { name, cron, timeZone, summary, nextRun, lastRun: this.lastRun, missed: this.missed };
  }

  /** Runs that were due while the host did not run are missed; they are not made up for. */
  private catchUp(): void {
    if (this.followed === undefined) return;
    if (this.lastRun !== undefined) {
      this.missed = this.followed.times.between(this.lastRun.due, Date.now()).count;
      if (this.missed > 0) this.warn("A schedule was due while it could not run", { missed: this.missed });
    }
    this.begin();
  }

  /** Waits for what is due from now on. */
  private begin(): void {
    this.done = Date.now();
    this.waitForNext();
  }

  private waitForNext(): void {
    clearTimeout(this.timer);
    const next = this.followed?.times.next(this.done);
    if (next === undefined) return;
    const pause = Math.min(Math.max(next - Date.now(), 1), longestPause);
    this.timer = setTimeout(() => this.look(), pause).unref();
  }

  private look(): void {
    const now = Date.now();
    // The machine's clock was set back.
    if (now < this.done - latest) this.done = now;
    const { count = 0, last } = this.followed?.times.between(this.done, now) ?? {};
    if (last !== undefined) {
      this.done = count === mostMissed ? now : last;
      this.miss(count - 1);
      if (now - last > latest) {
        this.miss(1);
        this.warn("A schedule was due while the machine slept", { missed: this.missed });
      } else this.due(last);
    }
    this.waitForNext();
  }

  private due(due: number): void {
    if (this.followed === undefined) return;
    if (this.running !== undefined) {
      this.miss(1);
      if (!this.hasToldOverlap) this.warn("A schedule is due while its last run goes on", { due });
      this.hasToldOverlap = true;
      return;
    }
    this.hasToldOverlap = false;
    this.running = this.run(this.followed, due).finally(() => {
      this.running = undefined;
    });
  }

  private async run({ plugin, schedule, release }: Followed, due: number): Promise<void> {
    const { files } = this.options;
    const { missed } = this;
    this.missed = 0;
    const fields = { plugin: `${plugin.name}@${plugin.version}` };
    // Before the first await, so that a version that is replaced meanwhile still does this run.
    const letGo = plugin.hold();
    const ending = new AbortController();
    this.ending = ending;
    const started = Date.now();
    const from = monotonicTime();
    const origin = backgroundOrigin(this.options, {
      release,
      signal: ending.signal,
      timeout: schedule.timeout ?? runTimeout,
      fields: { schedule: this.name },
    });
    const { log } = origin.work;
    let outcome = "done";
    this.lastRun = { due, started };
    try {
      // On disk first, so that a killed host does not run it twice.
      await files.write(this.plugin, this.name, this.lastRun);
      await plugin.run({ ...origin, schedule: this.name, due, missed });
      log.debug("A schedule ran", fields);
    } catch (error) {
      outcome = error instanceof RequestError ? error.id : "internal-error";
      log.error("A run of a schedule failed", { ...fields, error });
    } finally {
      letGo();
    }
    this.lastRun = { due, started, duration: Math.round(monotonicTime() - from), outcome };
    await files.write(this.plugin, this.name, this.lastRun);
  }

  private miss(count: number): void {
    this.missed = Math.min(this.missed + count, mostMissed);
  }

  private warn(message: string, fields: Record<string, unknown>): void {
    this.options.log.warn(message, { plugin: this.plugin, schedule: this.name, ...fields });
  }
}
