/** Runs the versions of one plugin and decides which one serves each release. */
import type { Log } from "@slipway/sdk";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshots.js";
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
  CandidatePool,
  distinct,
  isCurrent,
  type PluginVersion,
  type SourceSnapshots,
} from "./candidates.js";
import { Fallback, type FallbackDeployment } from "./fallback.js";
import { beginTrial, endOutlivedPins, noteReplaced, prove } from "./rollout.js";
import type { Agreement } from "./rollout-state.js";
import {
  type RunningVersion,
  RunningVersions,
  type SharedJudgement,
  type VersionOptions,
} from "./running-versions.js";
import { idleStage, present, selectAll } from "./selection.js";
import { SelectionState } from "./selection-state.js";
import type { MemoryChange, RememberedRollout } from "./state-file.js";

interface DeploymentOptions extends VersionOptions {
  name: string;
  rollout: RememberedRollout;
  /** By source hash or hash. */
  stored(id: string): Snapshot | undefined;
  /** Called when a release has a new version. */
  publish(): void;
  /** On a host in a fleet. */
  fleet?: FleetOptions | undefined;
}

/** Why versions keep running before a release asks for them: a switch of all hosts, or an order that may become one. */
type HoldReason = "switch" | "order";

export interface FleetOptions extends SharedJudgement {
  /** The source to show for versions of other hosts. */
  source: string;
  /** A version was found unfit; the agreement is ahead of the other hosts. `transition`: what is remembered of it. */
  fellBack(version: Candidate, to: Agreement["assignment"], transition: MemoryChange): void;
}

const hostStops = "The host stops.";

export class PluginDeployment implements FallbackDeployment {
  readonly selection: SelectionState;
  private readonly contents: CandidatePool;
  private readonly versions: RunningVersions;
  private assignment: Assignment<RunningVersion> = nothing;
  private turn: Promise<void> = Promise.resolve();
  private nextTurn: Promise<void> | undefined;
  private stopped = false;
  /** Source hashes of versions that keep running although no release asks for them yet. */
  private readonly held = new Map<HoldReason, ReadonlySet<string>>();
  /** By hash: why a snapshot without an agreement waits. */
  private readonly postponed = new Map<string, string>();

  constructor(private readonly options: DeploymentOptions) {
    const { rollout, stored, journal, log } = options;
    this.contents = new CandidatePool(journal, options.configuration.development);
    this.versions = new RunningVersions({
      ...options,
      listener: new Fallback(this, rollout, journal, log),
      failed: (candidate, reason) => {
        this.selection.noteFailure(candidate, reason).catch(logged(log));
        candidate.record.transition("failed", reason);
      },
      retired: () => this.updateIdleStages(),
    });
    const running = (): Candidate[] => this.versions.fit.map(({ candidate }) => candidate);
    const { source } = options.fleet ?? {};
    this.selection = new SelectionState(this.contents, rollout, stored, running, source);
  }

  /** Sets the snapshots of the sources and the releases. Resolves when they are in force. */
  update(contents: readonly SourceSnapshots[], releases: readonly Release[]): Promise<void> {
    this.contents.update(contents);
    this.selection.releases = releases;
    return this.reconcile();
  }

  /** Serves an agreement. Resolves when it is in force, except for versions that do not start. */
  async agree(agreement: Agreement): Promise<void> {
    this.selection.agreement = agreement;
    this.held.delete("switch");
    this.postponed.clear();
    await this.reconcile();
  }

  /** Shows the reason for candidates that this host will offer to the others again later. */
  postpone(candidates: readonly Candidate[], reason: string): void {
    for (const { snapshot } of candidates) this.postponed.set(snapshot.hash, reason);
    this.updateIdleStages();
  }

  /** Keeps versions running, by their source hashes, until the next call; for a switch only until the next agreement. */
  hold(holder: HoldReason, sources: readonly string[]): void {
    this.held.set(holder, new Set(sources));
  }

  /** The version that serves a release. */
  serving(release: string): RunningVersion | undefined {
    return this.assignment.serving.get(release);
  }

  /** Releases with the version that serves them. */
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

  /** Versions that can serve. */
  get fit(): RunningVersion[] {
    return this.versions.fit;
  }

  /** Versions that serve a release. */
  get live(): RunningVersion[] {
    return [...new Set(this.assignment.serving.values())];
  }

  /** Aliases of the versions that run or are in the sources. */
  get aliases(): string[] {
    const sources = this.selection.admitSources();
    return present({ sources }).flatMap(({ snapshot }) => snapshot.aliases);
  }

  /** Versions that have a process or are about to get one. */
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

  /** Starts and stops versions until the selected ones run; calls during a run share the next run. */
  reconcile(): Promise<void> {
    this.versions.stopUnwantedStarts(this.selected().values());
    this.nextTurn ??= this.runExclusive(async () => {
      this.nextTurn = undefined;
      await this.reconcileNow();
    });
    return this.nextTurn;
  }

  /** Runs a task while nothing else changes this deployment. */
  runExclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = this.turn.then(task);
    this.turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Starts a candidate unless it runs, selected or not. Returns the reason when the start fails. */
  async ensureRunning(candidate: Candidate): Promise<string | undefined> {
    if (this.stopped) return hostStops;
    const reason = await this.versions.start(candidate, true);
    if (this.stopped) return hostStops;
    if (reason === undefined) this.selection.clearFailures(candidate).catch(logged(this.options.log));
    return reason;
  }

  /** The versions that releases would get if those that failed could start. */
  async chosen(): Promise<Candidate[]> {
    await this.selection.clearAllFailures(undefined);
    return distinct(this.selected().values());
  }

  /** Retires a version that was started but is not needed. */
  abandon(candidate: Candidate): void {
    const version = this.versions.find(candidate);
    if (version !== undefined && !this.live.includes(version)) this.versions.retire(version);
  }

  /** Publishes a new route table: what a version offers may have changed. */
  republish(): void {
    this.options.publish();
  }

  restoreStandby(version: RunningVersion, to: ReadonlyMap<string, RunningVersion>): void {
    version.endTrial();
    this.take(restoreStandby(this.assignment, version, to));
  }

  /** Releases have fallen back to other versions. */
  fellBack(version: RunningVersion, to: ReadonlyMap<string, Candidate>, transition: MemoryChange): void {
    const { fleet } = this.options;
    if (fleet === undefined || to.size === 0) return;
    const { agreement } = this.selection;
    const changed = Object.fromEntries(
      [...to].map(([release, { snapshot }]) => [
        release,
        { version: snapshot.version, source: snapshot.sourceHash },
      ]),
    );
    this.selection.agreement = { ...agreement, assignment: { ...agreement.assignment, ...changed } };
    fleet.fellBack(version.candidate, changed, transition);
  }

  /** The selected candidates, by release. */
  private selected(): Map<string, Candidate> {
    if (this.options.fleet !== undefined) return this.selection.agreed();
    return selectAll(this.selection.releases, this.selection.available(), this.options.rollout.current);
  }

  private async reconcileNow(): Promise<void> {
    while (!this.stopped) {
      const chosen = this.selected();
      const missing = distinct(chosen.values()).filter((each) => this.versions.find(each) === undefined);
      if (missing.length > 0) {
        await Promise.all(missing.map((candidate) => this.startSelected(candidate)));
        continue;
      }
      if (this.selection.endRetry()) continue;
      this.assign(chosen);
      return;
    }
  }

  private async startSelected(candidate: Candidate): Promise<void> {
    await this.versions.start(candidate, false);
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

  /** Publishes a new route table for new requests. */
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
      if (from !== to) this.noteSwitch(release, from, to);
    }
  }

  private noteSwitch(release: string, from?: RunningVersion, to?: RunningVersion): void {
    const about = (to ?? from)?.snapshot;
    this.options.journal.note({
      kind: "switch",
      plugin: this.options.name,
      ...(about && { version: about.version, hash: about.hash }),
      release,
      ...(from && { from: from.snapshot.version }),
      ...(to && { to: to.snapshot.version }),
      actor: "host",
    });
  }

  /** Remembers proven versions and begins the probation of new ones. */
  private follow({ after, proven, begun }: Change<RunningVersion>): void {
    const { probation } = this.options.configuration;
    for (const version of this.versions.fit) if (!after.trials.has(version)) version.endTrial();
    for (const { candidate } of proven) this.prove(candidate);
    const answering = new Set(after.serving.values());
    for (const [version, before] of begun) {
      for (const old of new Set(after.trials.get(version)?.values()))
        if (!answering.has(old)) old.plugin.become("standby", `It stands by for ${version.plugin.version}.`);
      version.beginTrial(before, probation, () => {
        this.assignment = endTrial(this.assignment, version);
        version.endTrial();
        this.prove(version.candidate);
        this.endOutlivedPins();
        this.retireUnneeded();
      });
      this.remember((memory) => beginTrial(memory, version, this.isCurrent(version), before));
    }
  }

  private prove(candidate: Candidate): void {
    const { keep } = this.options.configuration;
    this.remember((memory, at) => prove(memory, candidate, this.isCurrent(candidate), keep, at));
  }

  private remember(transition: MemoryChange): void {
    this.options.rollout.change(transition).catch(logged(this.options.log));
  }

  private isCurrent(content: PluginVersion): boolean {
    return isCurrent(content, this.selection.admitSources());
  }

  private retireUnneeded(): void {
    const wanted = needed(this.assignment);
    const held = new Set([...this.held.values()].flatMap((sources) => [...sources]));
    for (const version of this.versions.fit)
      if (!wanted.has(version) && !held.has(version.snapshot.sourceHash)) this.versions.retire(version);
  }

  /** The pin of a rollback ends once a later version is proven. */
  private endOutlivedPins(): void {
    const { serving, trials } = this.assignment;
    const proven = new Map<Release, Candidate>();
    for (const [name, version] of serving) {
      const release = this.selection.release(name);
      if (release !== undefined && !trials.has(version)) proven.set(release, version.candidate);
    }
    const { options, selection } = this;
    this.remember((memory) => endOutlivedPins(memory, options.name, proven, selection.available()));
  }

  private noteReplaced(): void {
    const { options, selection, assignment } = this;
    this.remember((memory) =>
      noteReplaced(memory, options.name, selection.releases, assignment.serving, selection.available()),
    );
  }

  /** Updates stage and reason of candidates that do not run. */
  updateIdleStages(): void {
    if (this.stopped) return;
    this.selection.forgetRemoved().catch(logged(this.options.log));
    const busy = new Set(this.versions.all.map(({ candidate }) => candidate.record));
    const sources = this.selection.admitSources();
    for (const { current } of sources) {
      if (current === undefined || busy.has(current.record)) continue;
      const failure = this.selection.failureOf(current.snapshot.hash);
      if (failure === undefined && this.selection.isUndecided(current)) {
        const reason = this.postponed.get(current.snapshot.hash);
        if (reason !== undefined) current.record.update({ reason });
        continue;
      }
      const { stage, reason } = idleStage(current, failure, this.options.rollout.current);
      current.record.transition(stage, reason);
    }
    for (const { earlier } of sources) for (const { record } of earlier) busy.add(record);
    this.contents.forget(busy);
  }
}

function logged(log: Log): (error: unknown) => void {
  return (error) => log.error("A plugin deployment could not be updated", { error });
}
