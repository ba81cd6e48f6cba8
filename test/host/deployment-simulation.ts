/**
 * One plugin's deployment without processes: the functions with which the host decides, driven as the host drives them. What
 * the host waits for has happened at once here. Uses the part itself: ten thousand sequences over HTTP would take hours.
 */
import { Validator } from "@slipway/sdk";
import type { Releases } from "../../host/configuration/plugins-configuration.js";
import { leftBy, pinOf, plans } from "../../host/plugins/deployment/orders.js";
import {
  earlierOf,
  failureOf,
  PluginsMemory,
  type RolloutState,
  rolloutOf,
} from "../../host/plugins/deployment/plugins-memory.js";
import * as rollout from "../../host/plugins/deployment/rollout.js";
import {
  type Assignment,
  type Available,
  distinct,
  endTrial,
  idleStage,
  isCurrent,
  keyOf,
  needed,
  nothing,
  type PluginVersion,
  present,
  releasesOf,
  restoreStandby,
  selectAll,
  standingBy,
  substitutes,
  switchOver,
} from "../../host/plugins/deployment/selection.js";
import { StateRecord } from "../../host/plugins/plugin-state.js";
import { type Release, readReleases } from "../../host/plugins/releases.js";
import { failOnFault } from "../stage-faults.js";

export const pluginName = "Sample";

/** A content in the pool: one for each version. */
export interface SimulatedContent {
  version: string;
  /** Whether it starts. */
  starts: boolean;
}

interface Version extends PluginVersion {
  readonly record: StateRecord;
  crashes: number;
  /** Its instance is being replaced. */
  isDown?: boolean;
}

/** A release that falls back. */
export interface FellBack {
  release: string;
  from: string;
  to: string;
  /** What answered before `from`, when it stands by. */
  stoodBy: string | undefined;
}

const check = new Validator().compile(PluginsMemory, "memory");

const journal = { note: () => undefined, fault: failOnFault };

/** Crashes after which one that has proven itself is given up. */
const mostCrashes = 3;
const keep = 5;

export class Simulation {
  memory: PluginsMemory = { format: 1, plugins: {}, places: {} };
  /** What lies in the places; undefined: what cannot be bundled. */
  readonly folder = new Map<string, SimulatedContent | undefined>();
  readonly fellBack: FellBack[] = [];
  private readonly complete = new Map<string, Version>();
  private untried = new Set<string>();
  private readonly running = new Map<string, Version>();
  private readonly records = new Map<string, StateRecord>();
  private assignment: Assignment<Version> = nothing;
  private releases: Release[];
  private clock = 0;

  constructor(
    /** All that there is, by version. */
    private readonly pool: ReadonlyMap<string, SimulatedContent>,
    releases: Releases,
  ) {
    this.releases = readReleases(releases, "1.0.0");
  }

  get rollout(): RolloutState {
    return rolloutOf(this.memory, pluginName);
  }

  /** Release to version. */
  get serving(): Record<string, string> {
    const { serving } = this.assignment;
    return Object.fromEntries([...serving].map(([release, { snapshot }]) => [release, snapshot.version]));
  }

  /** Versions on trial. */
  get onTrial(): string[] {
    return [...this.assignment.trials.keys()].map(({ snapshot }) => snapshot.version);
  }

  get isDisabled(): boolean {
    return this.rollout.disabled !== undefined;
  }

  /** What lies there, what served from there, and what is kept, as far as it is in the store. */
  knows(version: string): boolean {
    return this.available().known(hashOf(version)) !== undefined;
  }

  /** Whether a version was tried and did not start. */
  hasFailed(version: string): boolean {
    return this.failureOf(hashOf(version)) !== undefined;
  }

  /** Whether a content is refused because it is taken from another place. */
  isTakenElsewhere(place: string, version: string): boolean {
    const there = [...this.complete].map(([other, { snapshot }]) => [other, snapshot.version] as const);
    const remembered = Object.entries(this.memory.places).flatMap(([other, each]) =>
      earlierOf(each, pluginName).map((earlier) => [other, earlier.version] as const),
    );
    return [...there, ...remembered].some(([other, taken]) => other !== place && taken === version);
  }

  drop(place: string, version: string): void {
    const content = this.pool.get(version);
    if (content === undefined) throw new Error(version);
    this.folder.set(place, content);
    this.complete.set(place, this.newVersion(place, content));
    this.settle();
  }

  /** Something that cannot be bundled takes the place. */
  dropBroken(place: string): void {
    this.folder.set(place, undefined);
    this.settle();
  }

  remove(place: string): void {
    this.folder.delete(place);
    this.complete.delete(place);
    const { [place]: _, ...places } = this.memory.places;
    this.remember({ ...this.memory, places });
    this.settle();
  }

  use(releases: Releases): void {
    this.releases = readReleases(releases, "1.0.0");
    this.settle();
  }

  disable(): void {
    this.remember(rollout.disable(this.memory, pluginName, "test", this.now()));
    this.settle();
  }

  enable(version?: string): void {
    this.remember(rollout.enable(this.memory, pluginName, version));
    this.clearFailures((failed) => version === undefined || failed.version === version);
    this.settle();
  }

  /** Throws as the host answers. */
  rollback(order: {
    release?: string;
    version?: string;
  }): { release: string; from: string | undefined; to: string }[] {
    try {
      const made = plans(this.situation(), { plugin: pluginName, actor: "test", ...order });
      for (const { to } of made) if (!this.bringUp(to)) throw new Error("It does not start.");
      const situation = this.situation();
      for (const plan of made) {
        const pin = { ...pinOf(plan, situation, "test"), at: this.now() };
        this.remember(rollout.rollBack(this.memory, pluginName, plan.release.name, pin, leftBy(plan)));
      }
      return made.map(({ release, from, to }) => ({
        release: release.name,
        from: from?.snapshot.version,
        to: to.snapshot.version,
      }));
    } finally {
      this.settle();
    }
  }

  /** The version that answers under a release crashes. */
  crash(release: string): void {
    const version = this.assignment.serving.get(release);
    if (version === undefined) return;
    version.crashes += 1;
    version.isDown = true;
    version.record.transition("starting", "Its instance was lost.");
    const isOnTrial = this.assignment.trials.has(version);
    if (isOnTrial || version.crashes >= mostCrashes) this.fallBack(version, "It crashed.");
    version.isDown = false;
    if (this.running.get(keyOf(version)) !== version) return;
    version.record.transition("probing");
    version.record.transition(this.isServing(version) ? "live" : "standby");
  }

  /** The version that answers under a release fails at its requests. */
  failRequests(release: string): void {
    const version = this.assignment.serving.get(release);
    if (version !== undefined && this.assignment.trials.has(version)) this.fallBack(version, "It failed.");
  }

  /** The trial of the version that answers under a release is over. */
  prove(release: string): void {
    const version = this.assignment.serving.get(release);
    if (version === undefined || !this.assignment.trials.has(version)) return;
    this.assignment = endTrial(this.assignment, version);
    this.proven(version);
    this.endOutlivedPins();
    this.retireUnneeded();
  }

  /** What is not on disk is gone. */
  restart(): void {
    const read = check(JSON.parse(JSON.stringify(this.memory)));
    if (!read.ok) throw new Error(JSON.stringify(read.violations));
    this.memory = read.value;
    for (const held of [this.complete, this.running, this.records]) held.clear();
    this.untried = new Set(this.rollout.failed?.map(({ hash }) => hash));
    this.assignment = nothing;
    for (const [place, content] of this.folder)
      if (content !== undefined) this.complete.set(place, this.newVersion(place, content));
    this.settle();
  }

  settle(): void {
    for (;;) {
      const chosen = selectAll(this.releases, this.available(), this.rollout);
      const missing = distinct(chosen.values()).filter((each) => !this.running.has(keyOf(each)));
      if (missing.length === 0) {
        if (this.untried.size === 0) {
          this.assign(chosen);
          return;
        }
        this.untried.clear();
      }
      for (const candidate of missing) this.bringUp(candidate);
    }
  }

  private bringUp(candidate: Version): boolean {
    const key = keyOf(candidate);
    if (this.running.has(key)) return true;
    candidate.record.transition("starting");
    if (this.pool.get(candidate.snapshot.version)?.starts !== true) {
      this.untried.delete(candidate.snapshot.hash);
      this.remember(rollout.fail(this.memory, candidate, "It does not start."));
      candidate.record.transition("failed", "It does not start.");
      return false;
    }
    candidate.record.transition("probing");
    this.running.set(key, { ...candidate, crashes: 0 });
    this.untried.delete(candidate.snapshot.hash);
    this.clearFailures(({ hash }) => hash === candidate.snapshot.hash);
    return true;
  }

  private assign(chosen: ReadonlyMap<string, Version>): void {
    const serving = new Map<string, Version>();
    for (const [release, candidate] of chosen) {
      const version = this.running.get(keyOf(candidate));
      if (version !== undefined) serving.set(release, version);
    }
    const isFit = (version: Version): boolean => this.running.get(keyOf(version)) === version;
    const { after, proven, begun } = switchOver(this.assignment, serving, isFit, this.rollout);
    this.take(after);
    for (const version of proven) this.proven(version);
    for (const [version, before] of begun) {
      for (const old of after.trials.get(version)?.values() ?? [])
        if (!this.isServing(old))
          old.record.transition("standby", `It stands by for ${version.snapshot.version}.`);
      this.remember(rollout.beginTrial(this.memory, version, this.lies(version), before));
    }
    this.endOutlivedPins();
    const { releases } = this;
    this.remember(
      rollout.noteReplaced(this.memory, pluginName, releases, this.assignment.serving, this.available()),
    );
    this.retireUnneeded();
    this.updateIdleStages();
  }

  private fallBack(version: Version, reason: string): void {
    const releases = releasesOf(this.assignment, version);
    const standby = standingBy(this.assignment, version, this.rollout);
    const isComplete = standby.size === releases.length;
    this.noteFallBack(version, standby, standby, isComplete ? reason : undefined);
    this.take(restoreStandby(this.assignment, version, standby));
    if (!isComplete) {
      const found = new Map<string, Version>();
      for (const name of releasesOf(this.assignment, version)) {
        const substitute = this.substitute(name, version);
        if (substitute !== undefined) found.set(name, substitute);
      }
      const all = found.size === releasesOf(this.assignment, version).length;
      this.noteFallBack(version, found, standby, all ? reason : undefined);
    }
    this.settle();
  }

  private noteFallBack(
    from: Version,
    to: ReadonlyMap<string, Version>,
    standby: ReadonlyMap<string, Version>,
    reason: string | undefined,
  ): void {
    const targets = new Map(
      this.releases.flatMap((each) => {
        const target = to.get(each.name);
        return target === undefined ? [] : [[each, target] as const];
      }),
    );
    const order = { from, to: targets, reason, available: this.available(), at: this.now() };
    this.remember(rollout.fallBack(this.memory, order));
    for (const [release, target] of to)
      this.fellBack.push({
        release,
        from: from.snapshot.version,
        to: target.snapshot.version,
        stoodBy: standby.get(release)?.snapshot.version,
      });
  }

  private substitute(name: string, { snapshot }: Version): Version | undefined {
    const release = this.releases.find((each) => each.name === name);
    if (release === undefined) return undefined;
    const possible = substitutes(release, snapshot.hash, this.available(), this.rollout);
    return possible.find((each) => this.bringUp(each));
  }

  private take(next: Assignment<Version>): void {
    this.assignment = next;
    for (const version of this.running.values())
      if (this.isServing(version) && version.isDown !== true) version.record.transition("live");
  }

  private proven(version: Version): void {
    this.remember(rollout.prove(this.memory, version, this.lies(version), keep, this.now()));
  }

  private lies(version: Version): boolean {
    return isCurrent(version, this.available().sources);
  }

  private endOutlivedPins(): void {
    const { memory, releases, assignment } = this;
    this.remember(rollout.endOutlivedPins(memory, pluginName, releases, assignment, this.available()));
  }

  private retireUnneeded(): void {
    const wanted = needed(this.assignment);
    for (const [key, version] of this.running) {
      if (wanted.has(version)) continue;
      this.running.delete(key);
      version.record.transition("draining");
      version.record.transition("stopped");
    }
    this.updateIdleStages();
  }

  private updateIdleStages(): void {
    const { kept, pins } = this.rollout;
    const there = [
      ...present(this.available()).map(({ snapshot }) => snapshot),
      ...kept,
      ...Object.values(pins),
    ];
    this.clearFailures(({ hash }) => there.every((each) => each.hash !== hash));
    const busy = new Set([...this.running.values()].map(({ record }) => record));
    for (const version of this.complete.values()) {
      if (busy.has(version.record)) continue;
      const failure = this.failureOf(version.snapshot.hash);
      const { stage, reason } = idleStage(version, { failure, ungranted: undefined }, this.rollout);
      version.record.transition(stage, reason);
    }
  }

  private isServing(version: Version): boolean {
    return releasesOf(this.assignment, version).length > 0;
  }

  private situation() {
    return {
      releases: this.releases,
      serving: (release: string) => this.assignment.serving.get(release),
      available: this.available(),
      rollout: this.rollout,
    };
  }

  private available(): Available<Version> {
    const running = [...this.running.values()];
    const sources = [...this.folder.keys()].map((place) => {
      const lies = this.complete.get(place);
      const same = lies && this.running.get(keyOf(lies));
      const earlier = earlierOf(this.memory.places[place], pluginName).flatMap(
        ({ version }) => this.stored(version, place) ?? [],
      );
      return { source: place, current: same ?? lies, earlier };
    });
    const known = (hash: string): Version | undefined => {
      const near = [...running, ...present({ sources })].find(({ snapshot }) => snapshot.hash === hash);
      if (near !== undefined) return near;
      const [first] = sources;
      const content = [...this.pool.values()].find(({ version }) => hashOf(version) === hash);
      const found = first && content && this.stored(content.version, first.source);
      return found;
    };
    return { sources, failed: (hash) => this.failureOf(hash) !== undefined, known };
  }

  private failureOf(hash: string): string | undefined {
    return this.untried.has(hash) ? undefined : failureOf(this.rollout, hash);
  }

  private clearFailures(isCleared: Parameters<typeof rollout.clearFailures>[2]): void {
    this.remember(rollout.clearFailures(this.memory, pluginName, isCleared));
  }

  private stored(version: string, place: string): Version | undefined {
    const content = this.pool.get(version);
    if (content === undefined) return undefined;
    const key = keyOf({ snapshot: { hash: hashOf(version) }, source: place });
    const record = this.records.get(key) ?? new StateRecord(place, journal);
    this.records.set(key, record);
    return { snapshot: snapshotOf(content), source: place, record, crashes: 0 };
  }

  private newVersion(place: string, content: SimulatedContent): Version {
    const record = new StateRecord(place, journal);
    record.transition("verified");
    record.transition("staged");
    return { snapshot: snapshotOf(content), source: place, record, crashes: 0 };
  }

  private remember(memory: PluginsMemory): void {
    this.memory = memory;
  }

  private now(): string {
    this.clock += 1000;
    return new Date(this.clock).toISOString();
  }
}

export function hashOf(version: string): string {
  return `hash of ${version}`;
}

function snapshotOf({ version }: SimulatedContent): Version["snapshot"] {
  return { name: pluginName, aliases: [], version, hash: hashOf(version), sourceHash: hashOf(version) };
}
