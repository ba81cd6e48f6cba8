/**
 * Schedules: the work that plugins do by the clock.
 *
 * Goes in: the working versions, after each change of the route table. Comes out: runs of their schedules, at most one of
 * a schedule at a time and none twice for the same due time; and the state of each schedule for admins.
 *
 * Owns the timers and `var/plugin-schedules`, which has the last run of each schedule.
 */
import type { LivePlugin, LiveSchedule } from "@slipway/sdk/runtime/host";
import { type BackgroundOptions, drainBackground, type WorkingVersion } from "../background-work.js";
import type { ScheduleState } from "../plugin-state.js";
import { CronTimes } from "./cron-times.js";
import { RunFiles } from "./run-files.js";
import { ScheduledWork, type WorkOptions } from "./scheduled-work.js";

/** The schedules of all live plugins. */
export class PluginSchedules {
  /** By plugin and schedule. They stay, so that a version that returns does not start a run beside an unfinished one. */
  private readonly works = new Map<string, Map<string, ScheduledWork>>();
  private live = new Map<string, LivePlugin>();
  private stopped = false;

  private readonly options: WorkOptions;

  /** `folder`: for the last runs. */
  constructor({ folder, ...options }: BackgroundOptions & { folder: string }) {
    this.options = { ...options, files: new RunFiles(folder, options.log) };
  }

  /** Sets the version of each live plugin that runs its schedules from now on. */
  follow(versions: readonly WorkingVersion[]): void {
    if (this.stopped) return;
    const live = new Map<string, LivePlugin>();
    const left = new Set([...this.works.values()].flatMap((works) => [...works.values()]));
    for (const { plugin, release } of versions) {
      live.set(plugin.name, plugin);
      for (const schedule of plugin.schedules) {
        const work = this.work(plugin.name, schedule.name);
        left.delete(work);
        work.follow({ plugin, schedule, release });
      }
    }
    for (const work of left) work.leave();
    this.live = live;
  }

  /** The schedules of a version by the hash of its snapshot; undefined when it has none or another version runs them. */
  states(plugin: string | undefined, hash: string | undefined): ScheduleState[] | undefined {
    const live = this.live.get(plugin ?? "");
    if (live === undefined || live.hash !== hash || live.schedules.length === 0) return undefined;
    return live.schedules.flatMap(({ name }) => this.works.get(live.name)?.get(name)?.state ?? []);
  }

  /** Starts no further run; ends the running ones after some milliseconds. Resolves when they have ended. */
  async drain(milliseconds: number): Promise<void> {
    this.stopped = true;
    const works = [...this.works.values()].flatMap((each) => [...each.values()]);
    for (const work of works) work.leave();
    await drainBackground(works, milliseconds);
  }

  private work(plugin: string, schedule: string): ScheduledWork {
    const works = this.works.get(plugin) ?? new Map<string, ScheduledWork>();
    this.works.set(plugin, works);
    const work = works.get(schedule) ?? new ScheduledWork(plugin, schedule, this.options);
    works.set(schedule, work);
    return work;
  }
}

/** Throws with a sentence when the expression or the time zone is not valid, or when the schedule is never due. */
export function requireValidSchedule(schedule: LiveSchedule): void {
  new CronTimes(schedule);
}
