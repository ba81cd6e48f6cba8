/** What this host offers to the others: new content in its folders, what is gone from these, and other releases. */
import type { Log, RequestError } from "@slipway/sdk";
import { Turns } from "../../system/concurrency.js";
import { engineUnavailable, isEngineUnavailable } from "../../system/request-errors.js";
import { wait } from "../../system/time.js";
import { type AgreementReport, pluginRejected, type Upload } from "../administration/administration.js";
import {
  type Agreement,
  type Candidate,
  type Deployments,
  noAgreement,
  type PluginDeployment,
} from "../deployment/deployment.js";
import { retryPause, type SwitchStore } from "./fleet-contract.js";
import type { FleetSwitch } from "./fleet-switch.js";
import { Busy, type Proposals, Refused, Unprepared, withoutPeriod } from "./proposals.js";

interface OffersOptions {
  store: SwitchStore;
  deployments: Deployments;
  switches: FleetSwitch;
  proposals: Proposals;
  /** Aborted when the host stops. */
  ending: AbortSignal;
  /** Runs in the background, and ends before the host stops. */
  inBackground(work: Promise<void>): void;
  report(error: unknown): void;
  log: Log;
}

/** Milliseconds until hosts are offered again what one of them could not take at that time; doubled each time. */
const reofferPauses = { first: 10_000, longest: 300_000 };

/** Offers plugins one at a time each, until the hosts have agreed or refused. */
export class Offers {
  private readonly turns = new Turns();
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

  constructor(private readonly options: OffersOptions) {}

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
            this.options.report(error);
            // The lease may outlive an outage of the engine, and then nothing else offers what is new.
            if (isEngineUnavailable(error)) this.settleLater("", retryPause);
          }),
      ),
    );
  }

  private settleLater(name: string, pause: number): void {
    const { ending } = this.options;
    if (this.settlingLater.has(name) || ending.aborted) return;
    this.settlingLater.add(name);
    const settled = wait(pause, ending).then(() => {
      this.settlingLater.delete(name);
      return this.settle();
    });
    this.options.inBackground(settled);
  }

  /** Resolves when nothing is being offered. */
  async settled(): Promise<void> {
    await this.turns.settled();
  }

  /** Reports under the last lease of this host are lost. */
  forgetReports(): void {
    this.reported.clear();
  }

  private async settleOne(name: string): Promise<void> {
    const { deployments, store } = this.options;
    const deployment = deployments.named(name);
    for (;;) {
      if (!store.isInService || this.options.ending.aborted || deployment.isStopped) return;
      const offers = deployment.candidates.offers();
      this.rememberAgreed(name, offers);
      await this.reportHeld(name, offers);
      const agreement = this.options.switches.agreement(name)?.agreement ?? noAgreement;
      if (this.refuseClashes(deployment, offers, agreement)) continue;
      const gone = await this.missing(deployment, name, offers, agreement);
      const undecided = offers.filter((each) => deployment.candidates.isUndecided(each));
      const upload = undecided
        .map(({ source }) => this.uploads.get(source))
        .find((each) => each !== undefined);
      const lacksRelease = deployment.candidates.releases.some(
        ({ name: release }) => !Object.hasOwn(agreement.assignment, release),
      );
      if (undecided.length === 0 && gone.length === 0 && !this.reconfigured.has(name) && !lacksRelease)
        return;
      try {
        const agreed = await this.options.proposals.agree(deployment, {
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
          await this.options.switches.waits.settled(name);
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
        for (const candidate of failed) await deployment.candidates.noteFailure(candidate, error.message);
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
      deployment.candidates
        .noteFailure(candidate, reason)
        .catch((error: unknown) => this.options.report(error));
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
    const replaced = deployment.candidates.replaced();
    const sources = [...new Set([...(this.gone.get(name) ?? []), ...replaced])].filter(
      (source) => !here.has(source) && agreement.contents.some((each) => each.source === source),
    );
    if (sources.length === 0) return [];
    const elsewhere = await this.options.store.heldElsewhere(name, sources);
    return sources.filter((source) => !elsewhere.includes(source));
  }

  private rememberAgreed(name: string, offers: readonly Candidate[]): void {
    const { contents } = this.options.switches.agreement(name)?.agreement ?? noAgreement;
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
}

/** The error for an admin whose upload the hosts have not agreed on. */
function answerTo(error: Refused, undecided: readonly Candidate[], uploaded: string): RequestError {
  const { message } = error;
  if (error instanceof Busy || error instanceof Unprepared) return error.toAnswer();
  const { name, version } = undecided.find(({ source }) => source === uploaded)?.snapshot ?? {};
  return pluginRejected(message, { name, version, stage: "failed", reason: message });
}
