/** All versions of one plugin: which of them run, and which answers under which release. */
import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import type { SupervisedPlugin } from "../instances/supervised-plugin.js";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import {
  type Assignment,
  type Change,
  endTrial,
  needed,
  nothing,
  releasesOf,
  restoreStandby,
  standingBy,
  switchOver,
} from "./assignment.js";
import {
  type Candidate,
  type Content,
  DeploymentContents,
  distinct,
  isCurrentContent,
  type SourceContent,
} from "./candidates.js";
import { Fallback, type FallbackDeployment } from "./fallback.js";
import { type RunningVersion, RunningVersions, type VersionsOptions } from "./running-versions.js";
import { present } from "./selection.js";
import type { RememberedRollout } from "./state-file.js";
import { VersionSelection } from "./version-selection.js";

export interface DeploymentOptions extends Pick<VersionsOptions, "supervise" | "log"> {
  name: string;
  rollout: RememberedRollout;
  configuration: Pick<PluginsConfiguration, "development" | "probation">;
  /** A stored content by its hash. */
  stored(hash: string): Snapshot | undefined;
  /** Called when a release answers with another version from now on. */
  publish(): void;
  journal: Journal;
}

const hostStops = "The host stops.";

export class PluginDeployment implements FallbackDeployment {
  readonly selection: VersionSelection;
  private readonly contents: DeploymentContents;
  private readonly versions: RunningVersions;
  private assignment: Assignment<RunningVersion> = nothing;
  private turn: Promise<void> = Promise.resolve();
  private nextTurn: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: DeploymentOptions) {
    const { rollout, stored, journal, log } = options;
    const fallBack = new Fallback(this, rollout, journal, log);
    this.contents = new DeploymentContents(journal, options.configuration.development);
    this.versions = new RunningVersions({
      ...options,
      observer: (version) => fallBack.observer(version),
      failed: (candidate, reason) => {
        this.selection.noteFailure(candidate, reason).catch(logged(log));
        candidate.record.transition("failed", reason);
      },
      retired: () => this.updateIdleStages(),
    });
    const running = (): Candidate[] => this.versions.fit.map(({ candidate }) => candidate);
    this.selection = new VersionSelection(this.contents, rollout, stored, running);
  }

  /** Sets the contents of the sources and the releases. Resolves when they are in force. */
  update(contents: readonly SourceContent[], releases: readonly Release[]): Promise<void> {
    this.contents.update(contents);
    this.selection.useReleases(releases);
    return this.reconcile();
  }

  /** The version that answers under a release. */
  serving(release: string): RunningVersion | undefined {
    return this.assignment.serving.get(release);
  }

  /** Releases with the version that answers there. */
  get servedReleases(): Record<string, string> {
    const { serving } = this.assignment;
    return Object.fromEntries([...serving].map(([release, { plugin }]) => [release, plugin.version]));
  }

  releasesOf(version: RunningVersion): string[] {
    return releasesOf(this.assignment, version);
  }

  standingBy(version: RunningVersion): Map<string, RunningVersion> {
    return standingBy(this.assignment, version, this.options.rollout.current);
  }

  /** Aliases of the versions that run or are in the sources. */
  get aliases(): string[] {
    const sources = this.selection.sources();
    return present({ sources }).flatMap(({ snapshot }) => snapshot.aliases);
  }

  /** Everything that has a process, or is about to get one. */
  get all(): RunningVersion[] {
    return this.versions.all;
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Stops all versions and prevents further starts. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.versions.stop();
    await this.turn;
  }

  /** Starts and stops versions until the selected ones run; calls during a run share the next one. */
  reconcile(): Promise<void> {
    this.versions.stopUnwantedStarts(this.selection.chosen().values());
    this.nextTurn ??= this.runExclusive(async () => {
      this.nextTurn = undefined;
      await this.reconcileNow();
    });
    return this.nextTurn;
  }

  /** Runs a task when nothing else changes this deployment. */
  runExclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = this.turn.then(task);
    this.turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Starts a candidate unless it runs, also when it is not selected. Returns why it did not come up; undefined when it did. */
  async bringUp(candidate: Candidate): Promise<string | undefined> {
    if (this.stopped) return hostStops;
    const reason = await this.versions.bringUp(candidate, true);
    if (this.stopped) return hostStops;
    if (reason === undefined) this.selection.clearFailures(candidate).catch(logged(this.options.log));
    return reason;
  }

  restoreStandby(version: RunningVersion, to: ReadonlyMap<string, RunningVersion>): void {
    version.endTrial();
    this.take(restoreStandby(this.assignment, version, to));
  }

  private async reconcileNow(): Promise<void> {
    while (!this.stopped) {
      const chosen = this.selection.chosen();
      const missing = distinct(chosen.values()).filter((each) => this.versions.find(each) === undefined);
      if (missing.length > 0) {
        await Promise.all(missing.map((candidate) => this.start(candidate)));
        continue;
      }
      if (this.selection.endRetry()) continue;
      this.assign(chosen);
      return;
    }
  }

  private async start(candidate: Candidate): Promise<void> {
    await this.versions.bringUp(candidate, false);
    if (this.versions.find(candidate) !== undefined)
      this.selection.clearFailures(candidate).catch(logged(this.options.log));
  }

  private assign(chosen: ReadonlyMap<string, Candidate>): void {
    const serving = new Map<string, RunningVersion>();
    for (const [release, candidate] of chosen) {
      const version = this.versions.find(candidate);
      if (version !== undefined) serving.set(release, version);
    }
    const { fit } = this.versions;
    const isFit = (version: RunningVersion): boolean => fit.includes(version);
    const change = switchOver(this.assignment, serving, isFit, this.options.rollout.current);
    this.take(change.after);
    this.follow(change);
    this.endOutlivedPins();
    this.noteReplaced();
    this.retireUnneeded();
    this.updateIdleStages();
  }

  /** Publishes a new route table: new requests follow it from here on. */
  private take(next: Assignment<RunningVersion>): void {
    const before = this.assignment.serving;
    this.assignment = next;
    if (before !== next.serving) this.publish(before);
  }

  private publish(before: Assignment<RunningVersion>["serving"]): void {
    const now = this.assignment.serving;
    for (const version of this.versions.fit) {
      const releases = this.releasesOf(version);
      version.candidate.record.update({ releases });
      if (releases.length > 0) version.plugin.become("live");
    }
    this.options.publish();
    for (const release of new Set([...before.keys(), ...now.keys()])) {
      const [from, to] = [before.get(release), now.get(release)];
      if (from !== to) this.noteSwitch(release, from?.plugin, to?.plugin);
    }
  }

  private noteSwitch(
    release: string,
    from: SupervisedPlugin | undefined,
    to: SupervisedPlugin | undefined,
  ): void {
    const about = to ?? from;
    this.options.journal.note({
      kind: "switch",
      plugin: this.options.name,
      ...(about && { version: about.version, hash: about.hash }),
      release,
      ...(from && { from: from.version }),
      ...(to && { to: to.version }),
      actor: "host",
    });
  }

  /** Remembers versions that are proven, and begins the probation of new ones. */
  private follow({ after, proven, begun }: Change<RunningVersion>): void {
    const { rollout, configuration, log } = this.options;
    for (const version of this.versions.fit) if (!after.trials.has(version)) version.endTrial();
    for (const { candidate } of proven) this.prove(candidate);
    const answering = new Set(after.serving.values());
    for (const [version, before] of begun) {
      for (const old of new Set(after.trials.get(version)?.values()))
        if (!answering.has(old)) old.plugin.become("standby", `It stands by for ${version.plugin.version}.`);
      version.beginTrial(before, configuration.probation, () => {
        this.assignment = endTrial(this.assignment, version);
        version.endTrial();
        this.prove(version.candidate);
        this.endOutlivedPins();
        this.retireUnneeded();
      });
      rollout.beginTrial(version.candidate, this.isCurrent(version), before?.candidate).catch(logged(log));
    }
  }

  private prove(candidate: Candidate): void {
    const { rollout, log } = this.options;
    rollout.prove(candidate, this.isCurrent(candidate)).catch(logged(log));
  }

  private isCurrent(content: Content): boolean {
    return isCurrentContent(content, this.selection.sources());
  }

  private retireUnneeded(): void {
    const wanted = needed(this.assignment);
    for (const version of this.versions.fit) if (!wanted.has(version)) this.versions.retire(version);
  }

  /** A pin of a rollback ends once a later version is proven. */
  private endOutlivedPins(): void {
    const { rollout, log } = this.options;
    const { serving, trials } = this.assignment;
    const proven = new Map<Release, Candidate>();
    for (const [name, version] of serving) {
      const release = this.selection.release(name);
      if (release !== undefined && !trials.has(version)) proven.set(release, version.candidate);
    }
    rollout.endOutlivedPins(proven, this.selection.available()).catch(logged(log));
  }

  private noteReplaced(): void {
    const { rollout, log } = this.options;
    const { serving } = this.assignment;
    rollout.noteReplaced(this.selection.all, serving, this.selection.available()).catch(logged(log));
  }

  /** Gives contents that do not run their stage and reason. */
  updateIdleStages(): void {
    if (this.stopped) return;
    this.selection.forgetRemoved().catch(logged(this.options.log));
    const busy = new Set(this.versions.all.map(({ candidate }) => candidate.record));
    const sources = this.selection.sources();
    for (const { current } of sources) {
      if (current === undefined || busy.has(current.record)) continue;
      const { stage, reason } = this.selection.idleStage(current);
      current.record.transition(stage, reason);
    }
    for (const { earlier } of sources) for (const { record } of earlier) busy.add(record);
    this.contents.forget(busy);
  }
}

function logged(log: Log): (error: unknown) => void {
  return (error) => log.error("A plugin deployment could not be updated", { error });
}
