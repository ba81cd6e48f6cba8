/** Runs the versions of one plugin and decides which one serves each release. */
import type { Log } from "@slipway/sdk";
import type { Release } from "../releases.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import { Candidates, type SourceSnapshots } from "./candidates.js";
import { Fallback, type FallbackDeployment } from "./fallback.js";
import type { Agreement, MemoryChange, RememberedRollout } from "./plugins-memory.js";
import { beginTrial, endOutlivedPins, noteReplaced, prove } from "./rollout.js";
import {
  type RunningVersion,
  RunningVersions,
  type SharedJudgement,
  type VersionOptions,
} from "./running-versions.js";
import {
  type Assignment,
  type Candidate,
  type Change,
  distinct,
  endTrial,
  needed,
  nothing,
  releasesOf,
  restoreStandby,
  switchOver,
} from "./selection.js";

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
  readonly name: string;
  readonly rollout: RememberedRollout;
  readonly candidates: Candidates;
  assignment: Assignment<RunningVersion> = nothing;
  isStopped = false;
  private readonly versions: RunningVersions;
  private turn: Promise<void> = Promise.resolve();
  private nextTurn: Promise<void> | undefined;
  /** Source hashes of versions that keep running although no release asks for them yet. */
  private readonly held = new Map<HoldReason, ReadonlySet<string>>();

  constructor(private readonly options: DeploymentOptions) {
    const { name, rollout, stored, journal, log, configuration } = options;
    this.name = name;
    this.rollout = rollout;
    this.versions = new RunningVersions({
      ...options,
      listener: new Fallback(this, journal, log),
      failed: (candidate, reason) => {
        this.candidates.noteFailure(candidate, reason).catch(logged(log));
        candidate.record.transition("failed", reason);
      },
      retired: () => this.updateIdleStages(),
    });
    this.candidates = new Candidates({
      rollout,
      stored,
      grantsOf: options.grantsOf,
      running: () => this.versions.fit.map(({ candidate }) => candidate),
      journal,
      development: configuration.development,
      fleetSource: options.fleet?.source,
    });
  }

  /** Sets the snapshots of the sources and the releases. Resolves when they are in force. */
  update(contents: readonly SourceSnapshots[], releases: readonly Release[]): Promise<void> {
    this.candidates.update(contents, releases);
    return this.reconcile();
  }

  /** Serves an agreement. Resolves when it is in force, except for versions that do not start. */
  async agree(agreement: Agreement): Promise<void> {
    this.candidates.agree(agreement);
    this.held.delete("switch");
    await this.reconcile();
  }

  /** Shows the reason for candidates that this host will offer to the others again later. */
  postpone(candidates: readonly Candidate[], reason: string): void {
    this.candidates.postpone(candidates, reason);
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

  /** Versions that can serve. */
  get fit(): RunningVersion[] {
    return this.versions.fit;
  }

  /** Versions that serve a release. */
  get live(): RunningVersion[] {
    return [...new Set(this.assignment.serving.values())];
  }

  /** Versions that have a process or are about to get one. */
  get all(): RunningVersion[] {
    return this.versions.all;
  }

  /** Stops all versions and prevents further starts. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.versions.stop();
    await this.turn;
  }

  /** Starts and stops versions until the selected ones run; calls during a run share the next run. */
  reconcile(): Promise<void> {
    this.versions.stopUnwantedStarts(this.candidates.selected().values());
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
    if (this.isStopped) return hostStops;
    const reason = await this.versions.start(candidate, true);
    if (this.isStopped) return hostStops;
    if (reason === undefined) this.candidates.clearFailures(candidate).catch(logged(this.options.log));
    return reason;
  }

  /** The versions that releases would get if those that failed could start. */
  async chosen(): Promise<Candidate[]> {
    await this.candidates.clearAllFailures(undefined);
    return distinct(this.candidates.selected().values());
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
    const { agreement } = this.candidates;
    const changed = Object.fromEntries(
      [...to].map(([release, { snapshot }]) => [
        release,
        { version: snapshot.version, source: snapshot.sourceHash },
      ]),
    );
    this.candidates.agreement = { ...agreement, assignment: { ...agreement.assignment, ...changed } };
    fleet.fellBack(version.candidate, changed, transition);
  }

  private async reconcileNow(): Promise<void> {
    while (!this.isStopped) {
      const chosen = this.candidates.selected();
      const missing = distinct(chosen.values()).filter((each) => this.versions.find(each) === undefined);
      if (missing.length > 0) {
        await Promise.all(missing.map((candidate) => this.startSelected(candidate)));
        continue;
      }
      if (this.candidates.endRetry()) continue;
      this.assign(chosen);
      return;
    }
  }

  private async startSelected(candidate: Candidate): Promise<void> {
    await this.versions.start(candidate, false);
    if (this.versions.find(candidate) !== undefined)
      this.candidates.clearFailures(candidate).catch(logged(this.options.log));
  }

  private assign(chosen: ReadonlyMap<string, Candidate>): void {
    const serving = new Map<string, RunningVersion>();
    for (const [release, candidate] of chosen) {
      const version = this.versions.find(candidate);
      if (version !== undefined) serving.set(release, version);
    }
    const { fit } = this.versions;
    const isFit = (version: RunningVersion): boolean => fit.includes(version);
    const change = switchOver(this.assignment, serving, isFit, this.rollout.current);
    this.take(change.after);
    this.follow(change);
    this.endOutlivedPins();
    const { name, candidates, assignment } = this;
    this.remember((memory) =>
      noteReplaced(memory, name, candidates.releases, assignment.serving, candidates.available()),
    );
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
      const releases = releasesOf(this.assignment, version);
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
      plugin: this.name,
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
      this.remember((memory) => beginTrial(memory, version, this.candidates.isCurrent(version), before));
    }
  }

  private prove(candidate: Candidate): void {
    const { keep } = this.options.configuration;
    this.remember((memory, at) => prove(memory, candidate, this.candidates.isCurrent(candidate), keep, at));
  }

  private remember(transition: MemoryChange): void {
    this.rollout.change(transition).catch(logged(this.options.log));
  }

  private retireUnneeded(): void {
    const wanted = needed(this.assignment);
    const held = new Set([...this.held.values()].flatMap((sources) => [...sources]));
    for (const version of this.versions.fit)
      if (!wanted.has(version) && !held.has(version.snapshot.sourceHash)) this.versions.retire(version);
  }

  /** The pin of a rollback ends once a later version is proven. */
  private endOutlivedPins(): void {
    const { name, candidates, assignment } = this;
    this.remember((memory) =>
      endOutlivedPins(memory, name, candidates.releases, assignment, candidates.available()),
    );
  }

  /** Updates stage and reason of candidates that do not run. */
  updateIdleStages(): void {
    if (this.isStopped) return;
    const busy = new Set(this.versions.all.map(({ candidate }) => candidate.record));
    this.candidates.updateIdleStages(busy).catch(logged(this.options.log));
  }
}

function logged(log: Log): (error: unknown) => void {
  return (error) => log.error("A plugin deployment could not be updated", { error });
}
