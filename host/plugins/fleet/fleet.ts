/**
 * Fleet: hosts that share a database agree on their plugins.
 *
 * Goes in: the candidates in the folders of this host, orders of admins, and the agreements that the database has. Comes
 * out: one agreement for each plugin, which all hosts serve; a new one is in force on all hosts or on none. A host
 * proposes, each living host prepares and votes, and any host commits. There is no leader.
 *
 * Owns the archives that hosts give to each other, and `SwitchStore`, `PluginShelf` and `OutcomeStore`: what `engine` has
 * to implement. A host by itself has none of this.
 */
import type { RequestError } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { Turns } from "../../system/concurrency.js";
import { Rejection } from "../../system/errors.js";
import { engineUnavailable, isEngineUnavailable } from "../../system/request-errors.js";
import { wait } from "../../system/time.js";
import { type AgreementReport, pluginRejected, type Upload } from "../administration/administration.js";
import {
  type Agreement,
  type Candidate,
  type Deployments,
  type FleetOptions,
  noAgreement,
  type PluginDeployment,
  type StateFile,
} from "../deployment/deployment.js";
import { assignedTo, sourcesOf, withStanding } from "./agreements.js";
import {
  type CommittedAgreement,
  type OpenSwitch,
  type OutcomeStore,
  refusalOf,
  retryPause,
  type SwitchEnd,
  type SwitchStore,
} from "./fleet-contract.js";
import { FleetSwitch, type ServingProblem, type SwitchedPlugins } from "./fleet-switch.js";
import { Busy, type Order, Proposals, Refused, Unprepared, withoutPeriod } from "./proposals.js";
import { SharedContents, type SharedContentsOptions } from "./shared-archives.js";
import { VersionJudgement } from "./version-judgement.js";

export type {
  AbortCause,
  FleetState,
  OutcomeStore,
  PluginShelf,
  Proposal,
  Refusal,
  SwitchEnd,
  SwitchOrder,
  SwitchStore,
} from "./fleet-contract.js";

interface FleetPluginsOptions extends SharedContentsOptions {
  store: SwitchStore;
  outcomes: OutcomeStore;
  deployments: Deployments;
  file: StateFile;
  configuration: Pick<PluginsConfiguration, "archives" | "startTimeout" | "keep">;
}

/** Milliseconds until hosts are offered again what one of them could not take at that time; doubled each time. */
const reofferPauses = { first: 10_000, longest: 300_000 };

export class FleetPlugins implements SwitchedPlugins {
  readonly switches: FleetSwitch;
  private readonly turns = new Turns();
  private readonly shared: SharedContents;
  private readonly proposals: Proposals;
  private readonly judgement: VersionJudgement;
  private readonly uploads = new Map<string, Upload & { outcome?: AgreementReport | Error }>();
  /** By plugin: source hashes that were in folders of this host and no longer are. */
  private readonly gone = new Map<string, Set<string>>();
  /** By plugin: the source hashes that were reported last. */
  private readonly reported = new Map<string, string>();
  /** Plugins for which the releases of this host have changed since it offered them. */
  private readonly reconfigured = new Set<string>();
  /** Plugins to offer later; "" for all of them. */
  private readonly settlingLater = new Set<string>();
  /** By plugin: how many offers in a row have failed. */
  private readonly vainOffers = new Map<string, number>();
  private readonly ending = new AbortController();
  private readonly background = new Set<Promise<void>>();

  constructor(private readonly options: FleetPluginsOptions) {
    const { store, outcomes, log } = options;
    this.shared = new SharedContents(options);
    this.switches = new FleetSwitch({
      store,
      plugins: this,
      log,
      ended: (open, end) => this.noteEnd(open, end),
    });
    this.proposals = new Proposals({
      ...options,
      switches: this.switches,
      shared: this.shared,
      ending: this.ending.signal,
      inBackground: (work) => this.inBackground(work),
      report: (error) => this.report(error),
    });
    this.judgement = new VersionJudgement({
      outcomes,
      suspected: (plugin) => this.switches.again(plugin),
      report: (error) => this.report(error),
      ending: this.ending.signal,
    });
  }

  /** Resolves when this host serves the agreements, and the hosts have agreed on what it offers. */
  async start(): Promise<void> {
    await this.switches.start();
    await this.settle();
  }

  /** The other hosts stop waiting for this one, which votes no more. */
  async stop(): Promise<void> {
    this.ending.abort();
    const { store } = this.options;
    if (store.isInService) await store.leave().catch((error: unknown) => this.report(error));
    await this.switches.stop();
    await Promise.allSettled(this.background);
    await this.turns.settled();
  }

  /** Source hashes of what may be needed, for the store of snapshots. */
  get needed(): string[] {
    return this.options.deployments.all.flatMap(({ selection }) => sourcesOf(selection.agreement));
  }

  /** Archives that are being unpacked. */
  get archives(): string[] {
    return this.shared.archives;
  }

  /** Called when snapshots are in no folder of this host any more. */
  removed(plugin: string, sources: readonly string[]): void {
    const gone = this.gone.get(plugin) ?? new Set();
    for (const source of sources) gone.add(source);
    this.gone.set(plugin, gone);
  }

  /** An upload is about to be found in its folder. Throws 503 while this host cannot offer it to the others. */
  expect(upload: Upload): void {
    if (!this.options.store.isInService) throw engineUnavailable();
    this.uploads.set(upload.source, upload);
  }

  /** The outcome of an upload: undefined if the hosts had agreed on it before, or this host has refused it. Throws 409 `plugin-conflict`. */
  taken(source: string): AgreementReport | undefined {
    const outcome = this.uploads.get(source)?.outcome;
    this.uploads.delete(source);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** Offers new snapshots of this host to the others. `isReconfigured`: releases have changed. */
  async settle(isReconfigured = false): Promise<void> {
    const { deployments, store } = this.options;
    if (isReconfigured) for (const name of deployments.names) this.reconfigured.add(name);
    if (!store.isInService) return;
    await Promise.all(
      deployments.names.map((name) =>
        this.turns
          .take(name, () => this.settleOne(name))
          .catch((error: unknown) => {
            this.report(error);
            // The lease may outlive an outage of the engine, and then nothing else offers what is new.
            if (isEngineUnavailable(error)) this.settleLater("", retryPause);
          }),
      ),
    );
  }

  private settleLater(name: string, pause: number): void {
    const { signal } = this.ending;
    if (this.settlingLater.has(name) || signal.aborted) return;
    this.settlingLater.add(name);
    const settled = wait(pause, signal).then(() => {
      this.settlingLater.delete(name);
      return this.settle();
    });
    this.inBackground(settled);
  }

  async prepare({ plugin, agreement }: OpenSwitch): Promise<void> {
    const deployment = this.options.deployments.named(plugin);
    const contents = assignedTo(deployment, agreement);
    deployment.hold(
      "switch",
      contents.map(({ source }) => source),
    );
    for (const content of contents) {
      const candidate = await this.shared.present(deployment, plugin, content);
      const reason = await deployment.ensureRunning(candidate);
      if (reason !== undefined) throw new Rejection(`${plugin} ${content.version}: ${reason}`);
    }
  }

  release(plugin: string): void {
    const deployment = this.options.deployments.named(plugin);
    deployment.hold("switch", []);
    deployment.reconcile().catch((error: unknown) => this.report(error));
  }

  async obey({ plugin, agreement }: CommittedAgreement): Promise<ServingProblem | undefined> {
    const { deployments, file, configuration } = this.options;
    const { keep } = configuration;
    const deployment = deployments.named(plugin);
    const memory = withStanding(file.current, plugin, agreement, keep);
    // It is in force even if it cannot be written; the file logs that.
    file.update(() => memory).catch(() => undefined);
    // As an agreement of a newer version of the host may be.
    if (file.current !== memory) return { reason: "this host does not understand what was agreed on" };
    const problems = new Map<string, ServingProblem>();
    for (const content of assignedTo(deployment, agreement)) {
      const known = await this.shared.present(deployment, plugin, content).catch((error: unknown) => {
        problems.set(content.source, { reason: refusalOf(error).reason, error });
      });
      // What failed before may start now.
      if (known !== undefined) await deployment.selection.clearFailures(known).catch(() => undefined);
    }
    this.judgement.forgetOthers(plugin, Object.values(agreement.assignment));
    await deployment.agree(agreement);
    this.inBackground(this.shared.fetchOthers(deployment, plugin, agreement, this.ending.signal));
    for (const { name } of deployment.selection.releases) {
      const content = Object.hasOwn(agreement.assignment, name) ? agreement.assignment[name] : undefined;
      if (content === undefined) continue;
      const suspicion = this.judgement.reasonAgainst(content);
      if (suspicion !== undefined) return { reason: `${content.version}: ${suspicion}` };
      if (deployment.serving(name)?.snapshot.sourceHash === content.source) continue;
      const candidate = deployment.selection.find(content.source);
      const failure = candidate && deployment.selection.failureOf(candidate.snapshot.hash);
      const problem = problems.get(content.source) ?? { reason: failure ?? "it does not start" };
      return { ...problem, reason: `${content.version}: ${problem.reason}` };
    }
    return undefined;
  }

  entered(): void {
    // Reports under the last lease of this host are lost.
    this.reported.clear();
    this.inBackground(this.settle());
  }

  /** Changes the agreement on a plugin by an order of an admin. Resolves when all hosts serve it; 409 `plugin-conflict` otherwise. */
  async order(deployment: PluginDeployment, name: string, order: Order): Promise<AgreementReport> {
    try {
      return await this.proposals.agree(deployment, name, order);
    } catch (error) {
      throw error instanceof Refused ? error.toAnswer() : error;
    }
  }

  private async settleOne(name: string): Promise<void> {
    const { deployments, store } = this.options;
    const deployment = deployments.named(name);
    for (;;) {
      if (!store.isInService || this.ending.signal.aborted || deployment.isStopped) return;
      const offers = deployment.selection.offers();
      this.rememberAgreed(name, offers);
      await this.reportHeld(name, offers);
      const agreement = this.switches.agreement(name)?.agreement ?? noAgreement;
      if (this.refuseClashes(deployment, offers, agreement)) continue;
      const gone = await this.missing(deployment, name, offers, agreement);
      const undecided = offers.filter((each) => deployment.selection.isUndecided(each));
      const upload = undecided
        .map(({ source }) => this.uploads.get(source))
        .find((each) => each !== undefined);
      const lacksRelease = deployment.selection.releases.some(
        ({ name: release }) => !Object.hasOwn(agreement.assignment, release),
      );
      if (undecided.length === 0 && gone.length === 0 && !this.reconfigured.has(name) && !lacksRelease)
        return;
      try {
        const agreed = await this.proposals.agree(deployment, name, {
          gone,
          isForced: upload?.isForced ?? false,
        });
        if (upload !== undefined) upload.outcome = agreed;
        if (gone.length > 0) this.gone.delete(name);
        this.reconfigured.delete(name);
        this.vainOffers.delete(name);
        return;
      } catch (error) {
        if (error instanceof Busy && upload === undefined) {
          await this.switches.settled(name);
          continue;
        }
        if (!(error instanceof Refused)) {
          if (upload !== undefined && error instanceof Error) upload.outcome = error;
          throw error;
        }
        if (upload !== undefined) upload.outcome = answerTo(error, undecided, upload.source);
        const isOfContent = !(error instanceof Busy || error instanceof Unprepared);
        // A refused upload is removed, so it is not offered again.
        const failed = isOfContent ? undecided : undecided.filter(({ source }) => source === upload?.source);
        for (const candidate of failed) await deployment.selection.noteFailure(candidate, error.message);
        // Versions that were started for it end first.
        deployment.updateIdleStages();
        if (isOfContent) this.reconfigured.delete(name);
        if (failed.length > 0) continue;
        this.options.log.warn("The hosts have not agreed", { plugin: name, reason: error.message });
        if (!isOfContent) this.offerLater(deployment, name, undecided, error.message);
        return;
      }
    }
  }

  private offerLater(
    deployment: PluginDeployment,
    name: string,
    undecided: readonly Candidate[],
    reason: string,
  ): void {
    const vain = this.vainOffers.get(name) ?? 0;
    this.vainOffers.set(name, vain + 1);
    const { first, longest } = reofferPauses;
    const pause = Math.min(first * 2 ** vain, longest);
    const again = `the hosts are asked again in ${pause / 1000} seconds.`;
    deployment.postpone(undecided, `${withoutPeriod(reason)}; ${again}`);
    this.settleLater(name, pause);
  }

  /** Refuses another snapshot with a version that the hosts know: the version would not identify the code any more. */
  private refuseClashes(
    deployment: PluginDeployment,
    offers: readonly Candidate[],
    agreement: Agreement,
  ): boolean {
    const known = [...agreement.contents, ...Object.values(agreement.assignment)];
    const clashes = offers.filter(({ snapshot }) =>
      known.some(({ version, source }) => version === snapshot.version && source !== snapshot.sourceHash),
    );
    for (const candidate of clashes) {
      const { name, version } = candidate.snapshot;
      const reason = `The hosts have different content with the name and version ${name}@${version}. Changed content needs a new version number.`;
      deployment.selection.noteFailure(candidate, reason).catch((error: unknown) => this.report(error));
    }
    if (clashes.length > 0) deployment.updateIdleStages();
    return clashes.length > 0;
  }

  /** Source hashes of the agreement that are in no folder any more: they were in one of this host, and no other host has them. */
  private async missing(
    deployment: PluginDeployment,
    name: string,
    offers: readonly Candidate[],
    agreement: Agreement,
  ): Promise<string[]> {
    const here = new Set(offers.map(({ snapshot }) => snapshot.sourceHash));
    const replaced = deployment.selection.replaced();
    const sources = [...new Set([...(this.gone.get(name) ?? []), ...replaced])].filter(
      (source) => !here.has(source) && agreement.contents.some((each) => each.source === source),
    );
    if (sources.length === 0) return [];
    const elsewhere = await this.options.store.heldElsewhere(name, sources);
    return sources.filter((source) => !elsewhere.includes(source));
  }

  private rememberAgreed(name: string, offers: readonly Candidate[]): void {
    const { contents } = this.switches.agreement(name)?.agreement ?? noAgreement;
    const agreed = offers.filter(({ snapshot }) =>
      contents.some(({ source }) => source === snapshot.sourceHash),
    );
    this.options.deployments.noteHeld(agreed);
  }

  private async reportHeld(name: string, offers: readonly Candidate[]): Promise<void> {
    const held = offers.map(({ snapshot }) => snapshot.sourceHash);
    const text = held.join(" ");
    if (this.reported.get(name) === text || (held.length === 0 && !this.reported.has(name))) return;
    await this.options.store.holds(name, held);
    this.reported.set(name, text);
  }

  /** The part of the fleet that a deployment uses. */
  optionsOf(name: string): FleetOptions {
    return {
      source: this.shared.sourceOf(name),
      fellBack: (version, to, transition) =>
        this.inBackground(this.proposals.takeBack(version, to, transition)),
      compare: (version, seen) => this.judgement.compare(version, seen),
      crashesOften: (version, memory) => this.judgement.crashesOften(version, memory),
    };
  }

  private noteEnd({ plugin, generation }: OpenSwitch, { state, reason }: SwitchEnd): void {
    const { journal } = this.options;
    journal.note({
      kind: "generation",
      plugin,
      to: state,
      reason: `Generation ${generation}${reason === undefined ? "." : `: ${reason}`}`,
      actor: "host",
    });
  }

  private inBackground(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.report(error))
      .finally(() => this.background.delete(done));
    this.background.add(done);
  }

  private report(error: unknown): void {
    // An outage of the engine has its own line in the log.
    if (isEngineUnavailable(error) || this.ending.signal.aborted) return;
    this.options.log.error("The hosts could not be told of a change of plugins", { error });
  }
}

/** The error for an admin whose upload the hosts have not agreed on. */
function answerTo(error: Refused, undecided: readonly Candidate[], uploaded: string): RequestError {
  const { message } = error;
  if (error instanceof Busy || error instanceof Unprepared) return error.toAnswer();
  const { name, version } = undecided.find(({ source }) => source === uploaded)?.snapshot ?? {};
  return pluginRejected(message, { name, version, stage: "failed", reason: message });
}
