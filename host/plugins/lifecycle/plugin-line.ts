/** All versions of one plugin: which of them run, and which answers under which release. */
import type { Log } from "@slipway/sdk";
import type { Journal } from "../events/plugin-event.js";
import type { PluginsConfiguration } from "../plugins-configuration.js";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import { type Candidate, distinct } from "./candidate.js";
import { FallBack, type FallibleLine } from "./fall-back.js";
import { LineChoice } from "./line-choice.js";
import { LineContents, type PlaceContent } from "./line-contents.js";
import { LineEvents } from "./line-events.js";
import { LineVersions, type VersionsOptions } from "./line-versions.js";
import type { RememberedStanding } from "./remembered-standing.js";
import type { Predecessors, RunningVersion } from "./running-version.js";

export interface LineOptions extends Pick<VersionsOptions, "supervise" | "log"> {
  name: string;
  standing: RememberedStanding;
  configuration: Pick<PluginsConfiguration, "development" | "probation">;
  /** A stored content by its hash. */
  stored(hash: string): Snapshot | undefined;
  /** Called when a release answers with another version from now on. */
  publish(): void;
  journal: Journal;
}

/** Release name to the version that answers there. */
type Assignment = ReadonlyMap<string, RunningVersion>;

const hostStops = "The host stops.";

export class PluginLine implements FallibleLine {
  readonly choice: LineChoice;
  readonly events: LineEvents;
  private readonly contents: LineContents;
  private readonly versions: LineVersions;
  private assigned: Assignment = new Map();
  private turn: Promise<void> = Promise.resolve();
  private nextTurn: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: LineOptions) {
    const { name, standing, stored, journal, log } = options;
    this.events = new LineEvents(name, journal);
    const fallBack = new FallBack(this, standing, log);
    this.contents = new LineContents(journal, options.configuration.development);
    this.versions = new LineVersions({
      ...options,
      observer: (version) => fallBack.observer(version),
      failed: (candidate, reason) => {
        this.choice.noteFailure(candidate, reason);
        candidate.record.enter("failed", reason);
      },
      retired: () => this.noteIdle(),
    });
    const running = (): Candidate[] => this.versions.fit.map(({ candidate }) => candidate);
    this.choice = new LineChoice(this.contents, standing, stored, running);
  }

  /** What lies in the places, and what the releases ask for, from now on. Resolves when it is in force. */
  update(contents: readonly PlaceContent[], releases: readonly Release[]): Promise<void> {
    this.contents.update(contents);
    this.choice.useReleases(releases);
    return this.settle();
  }

  /** The version that answers under a release. */
  serving(release: string): RunningVersion | undefined {
    return this.assigned.get(release);
  }

  /** Releases with the version that answers there. */
  get servedReleases(): Record<string, string> {
    return Object.fromEntries([...this.assigned].map(([release, { plugin }]) => [release, plugin.version]));
  }

  releasesOf(version: RunningVersion): string[] {
    return [...this.assigned].filter(([, each]) => each === version).map(([release]) => release);
  }

  /** Other names of what runs or lies in the places. */
  get aliases(): string[] {
    const present = this.choice.contributions().flatMap(({ current, fallback }) => [current, fallback]);
    return present.flatMap((candidate) => candidate?.snapshot.aliases ?? []);
  }

  /** Everything that has a process, or is about to get one. */
  get all(): RunningVersion[] {
    return this.versions.all;
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Ends everything; nothing is started any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.versions.stop();
    await this.turn;
  }

  /** Brings what runs in line with what is wanted; calls during a run share the next one. */
  settle(): Promise<void> {
    this.versions.abandonOthers(this.choice.chosen().values());
    this.nextTurn ??= this.inTurn(async () => {
      this.nextTurn = undefined;
      await this.bringInLine();
    });
    return this.nextTurn;
  }

  /** Runs a task when nothing else changes this line. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.turn.then(task);
    this.turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Starts a candidate unless it runs, whatever is chosen. Gives why it did not come up; undefined when it did. */
  async bringUp(candidate: Candidate): Promise<string | undefined> {
    if (this.stopped) return hostStops;
    const reason = await this.versions.bringUp(candidate, true);
    if (this.stopped) return hostStops;
    if (reason === undefined) this.choice.forgive(candidate);
    return reason;
  }

  /** Has releases answer with versions that run, at once. */
  switchBack(versions: Predecessors): void {
    this.switchTo(new Map([...this.assigned, ...versions]));
  }

  private async bringInLine(): Promise<void> {
    while (!this.stopped) {
      const chosen = this.choice.chosen();
      const missing = distinct(chosen.values()).filter((each) => this.versions.find(each) === undefined);
      if (missing.length > 0) {
        await Promise.all(missing.map((candidate) => this.versions.bringUp(candidate, false)));
        continue;
      }
      this.assign(chosen);
      return;
    }
  }

  private assign(chosen: ReadonlyMap<string, Candidate>): void {
    const before = this.assigned;
    const next = new Map<string, RunningVersion>();
    for (const [release, candidate] of chosen) {
      const version = this.versions.find(candidate);
      if (version !== undefined) next.set(release, version);
    }
    this.switchTo(next);
    const served = new Set(before.values());
    for (const version of new Set(next.values())) if (!served.has(version)) this.welcome(version, before);
    this.dropOutlivedPins(chosen);
    this.retireUnneeded();
    this.noteIdle();
  }

  /** One new table: from here on new requests go where it says. */
  private switchTo(next: Assignment): void {
    const before = this.assigned;
    this.assigned = next;
    for (const version of this.versions.fit) {
      const releases = this.releasesOf(version);
      version.candidate.record.learn({ releases });
      if (releases.length > 0) version.plugin.become("live");
    }
    this.options.publish();
    for (const release of new Set([...before.keys(), ...next.keys()])) {
      const [from, to] = [before.get(release), next.get(release)];
      if (from !== to) this.events.switched(release, from, to);
    }
  }

  /** A version that never served before is on trial while those that it replaced stand by. */
  private welcome(version: RunningVersion, before: Assignment): void {
    const { standing, configuration, log } = this.options;
    const replaced = [...this.assigned].flatMap(([release, each]) => {
      const old = each === version ? before.get(release) : undefined;
      return old !== undefined && this.versions.fit.includes(old) ? [[release, old] as const] : [];
    });
    const [first] = replaced;
    if (first === undefined || standing.current.kept.some(({ hash }) => hash === version.plugin.hash)) {
      this.prove(version);
      return;
    }
    const predecessors = new Map(replaced);
    for (const old of new Set(predecessors.values())) {
      // It served without failing until it was replaced.
      if (old.predecessors.length > 0) this.prove(old);
      if (![...this.assigned.values()].includes(old))
        old.plugin.become("standby", `It stands by for ${version.plugin.version}.`);
    }
    version.beginTrial(predecessors, configuration.probation, () => {
      this.prove(version);
      this.retireUnneeded();
    });
    standing.remember(version.candidate.place, first[1].candidate).catch(logged(log));
  }

  private prove(version: RunningVersion): void {
    version.endTrial();
    this.options.standing.keepVersion(version.candidate).catch(logged(this.options.log));
  }

  private retireUnneeded(): void {
    const needed = new Set(this.assigned.values());
    for (const { predecessors } of [...needed]) for (const old of predecessors) needed.add(old);
    for (const version of this.versions.fit) if (!needed.has(version)) this.versions.retire(version);
  }

  /** A rollback ends with what came later. */
  private dropOutlivedPins(chosen: ReadonlyMap<string, Candidate>): void {
    const { standing, log } = this.options;
    for (const [release, pin] of Object.entries(standing.current.pins)) {
      const taken = chosen.get(release);
      if (taken === undefined || taken.snapshot.hash === pin.hash) continue;
      const left = this.choice.outlived(pin, release, taken);
      const changed = left === undefined ? standing.unpin(release) : standing.pin(release, left);
      changed.catch(logged(log));
    }
  }

  /** What lies in the places and does not run says why. */
  noteIdle(): void {
    if (this.stopped) return;
    this.choice.forgetGone();
    const busy = new Set(this.versions.all.map(({ candidate }) => candidate.record));
    const contributions = this.choice.contributions();
    for (const { current } of contributions) {
      if (current === undefined || busy.has(current.record)) continue;
      const { stage, reason } = this.choice.idleStage(current);
      current.record.enter(stage, reason);
    }
    for (const { fallback } of contributions) if (fallback !== undefined) busy.add(fallback.record);
    this.contents.forget(busy);
  }
}

function logged(log: Log): (error: unknown) => void {
  return (error) => log.error("The life of a plugin was disturbed", { error });
}
