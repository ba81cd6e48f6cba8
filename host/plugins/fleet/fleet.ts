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
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { Rejection } from "../../system/errors.js";
import { isEngineUnavailable } from "../../system/request-errors.js";
import type { AgreementReport } from "../administration/administration.js";
import type { Deployments, FleetOptions, PluginDeployment, StateFile } from "../deployment/deployment.js";
import { assignedTo, sourcesOf, withStanding } from "./agreements.js";
import {
  type CommittedAgreement,
  type OpenSwitch,
  type OutcomeStore,
  refusalOf,
  type SwitchEnd,
  type SwitchStore,
} from "./fleet-contract.js";
import { FleetSwitch, type ServingProblem, type SwitchedPlugins } from "./fleet-switch.js";
import { Offers } from "./offers.js";
import { type Order, Proposals, Refused } from "./proposals.js";
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

export class FleetPlugins implements SwitchedPlugins {
  readonly switches: FleetSwitch;
  readonly offers: Offers;
  private readonly shared: SharedContents;
  private readonly proposals: Proposals;
  private readonly judgement: VersionJudgement;
  private readonly ending = new AbortController();
  private readonly background = new Set<Promise<void>>();

  constructor(private readonly options: FleetPluginsOptions) {
    const { store, log } = options;
    this.shared = new SharedContents(options);
    this.switches = new FleetSwitch({
      store,
      plugins: this,
      log,
      ended: (open, end) => this.noteEnd(open, end),
    });
    const parts = {
      ...options,
      switches: this.switches,
      ending: this.ending.signal,
      inBackground: (work: Promise<void>) => this.inBackground(work),
      report: (error: unknown) => this.report(error),
    };
    this.proposals = new Proposals({ ...parts, shared: this.shared });
    this.offers = new Offers({ ...parts, proposals: this.proposals });
    this.judgement = new VersionJudgement({
      ...parts,
      suspected: (plugin) => this.switches.again(plugin),
    });
  }

  /** Resolves when this host serves the agreements, and the hosts have agreed on what it offers. */
  async start(): Promise<void> {
    await this.switches.start();
    await this.offers.settle();
  }

  /** The other hosts stop waiting for this one, which votes no more. */
  async stop(): Promise<void> {
    this.ending.abort();
    const { store } = this.options;
    if (store.isInService) await store.leave().catch((error: unknown) => this.report(error));
    await this.switches.stop();
    await Promise.allSettled(this.background);
    await this.offers.settled();
  }

  /** Source hashes of what may be needed, for the store of snapshots. */
  get needed(): string[] {
    return this.options.deployments.all.flatMap(({ candidates }) => sourcesOf(candidates.agreement));
  }

  /** Archives that are being unpacked. */
  get archives(): string[] {
    return this.shared.archives;
  }

  async prepare({ plugin, agreement }: OpenSwitch): Promise<void> {
    const deployment = this.options.deployments.named(plugin);
    const contents = assignedTo(deployment, agreement);
    deployment.hold(
      "switch",
      contents.map(({ source }) => source),
    );
    for (const content of contents) {
      const candidate = await this.shared.present(deployment, content);
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
      const known = await this.shared.present(deployment, content).catch((error: unknown) => {
        problems.set(content.source, { reason: refusalOf(error).reason, error });
      });
      // What failed before may start now.
      if (known !== undefined) await deployment.candidates.clearFailures(known).catch(() => undefined);
    }
    this.judgement.forgetOthers(plugin, Object.values(agreement.assignment));
    await deployment.agree(agreement);
    this.inBackground(this.shared.fetchOthers(deployment, agreement, this.ending.signal));
    for (const { name } of deployment.candidates.releases) {
      const content = Object.hasOwn(agreement.assignment, name) ? agreement.assignment[name] : undefined;
      if (content === undefined) continue;
      const suspicion = this.judgement.reasonAgainst(content);
      if (suspicion !== undefined) return { reason: `${content.version}: ${suspicion}` };
      if (deployment.serving(name)?.snapshot.sourceHash === content.source) continue;
      const candidate = deployment.candidates.find(content.source);
      const failure = candidate && deployment.candidates.failureOf(candidate.snapshot.hash);
      const problem = problems.get(content.source) ?? { reason: failure ?? "it does not start" };
      return { ...problem, reason: `${content.version}: ${problem.reason}` };
    }
    return undefined;
  }

  entered(): void {
    this.offers.forgetReports();
    this.inBackground(this.offers.settle());
  }

  /** Changes the agreement on a plugin by an order of an admin. Resolves when all hosts serve it; 409 `plugin-conflict` otherwise. */
  async order(deployment: PluginDeployment, order: Order): Promise<AgreementReport> {
    try {
      return await this.proposals.agree(deployment, order);
    } catch (error) {
      throw error instanceof Refused ? error.toAnswer() : error;
    }
  }

  /** Called when snapshots are in no folder of this host any more. */
  removed(plugin: string, sources: readonly string[]): void {
    this.offers.removed(plugin, sources);
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
