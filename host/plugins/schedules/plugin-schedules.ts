import type { LivePlugin } from "@slipway/sdk/runtime/host";
import { drainBackground, type WorkingVersion } from "../background/background-work.js";
import type { ScheduleState } from "./schedule-state.js";
import { ScheduledWork, type WorkOptions } from "./scheduled-work.js";

/** The schedules of all live plugins. */
export class PluginSchedules {
  /** By plugin and schedule; they stay, so that a version that comes back does not run beside a run that goes on. */
  private readonly works = new Map<string, Map<string, ScheduledWork>>();
  private live = new Map<string, LivePlugin>();
  private stopped = false;

  constructor(private readonly options: WorkOptions) {}

  /** Takes the version of each live plugin that runs its schedules from now on. */
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

  /** Begins no further run, and ends those that go on after some milliseconds. Resolves when they have ended. */
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
