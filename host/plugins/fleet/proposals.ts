/** Proposes agreements on plugins to all hosts, on an order of an admin, a new content, or a version that was found unfit. */
import { isDeepStrictEqual } from "node:util";
import type { RequestError } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { Rejection } from "../../system/errors.js";
import { engineUnavailable, overloaded } from "../../system/request-errors.js";
import { wait } from "../../system/time.js";
import { type AgreementReport, conflict } from "../administration/administration.js";
import {
  type Agreement,
  type Candidate,
  type MemoryChange,
  noAgreement,
  type PluginDeployment,
  type StateFile,
} from "../deployment/deployment.js";
import {
  isSameAgreement,
  needsNoPreparation,
  nextAgreement,
  sourcesOf,
  standingOf,
  withStanding,
} from "./agreements.js";
import { type PluginShelf, retryPause } from "./fleet-contract.js";
import type { FleetSwitch } from "./fleet-switch.js";
import type { SharedContents } from "./shared-archives.js";

/** The change to propose. */
export interface Order {
  transition?: MemoryChange;
  /** Ends an open switch, which would otherwise refuse this one. */
  supersedes?: boolean;
  isForced?: boolean;
  /** Source hashes that are in no folder any more. */
  gone?: readonly string[];
  /** The version that must start here first; others are left out where they do not. */
  demanded?: readonly Candidate[];
}

/** Milliseconds in addition to the start timeout: for the archive and its bundling. */
const preparation = 30_000;
/** Seconds until an admin may try the same again. */
const retryAfter = 60;

/** An order ended without an agreement, because of the version. */
export class Refused extends Error {
  toAnswer(): RequestError {
    return conflict(this.message);
  }
}

/** Another switch of the plugin is open. */
export class Busy extends Refused {}

/** Hosts could not take it at that time; the version is not the reason. */
export class Unprepared extends Refused {
  override toAnswer(): RequestError {
    return overloaded(`${withoutPeriod(this.message)}; nothing was changed.`, retryAfter);
  }
}

interface ProposalsOptions {
  switches: FleetSwitch;
  shared: SharedContents;
  shelf: PluginShelf;
  file: StateFile;
  configuration: Pick<PluginsConfiguration, "startTimeout" | "keep">;
  /** Aborted when the host stops. */
  ending: AbortSignal;
  /** Runs in the background, and ends before the host stops. */
  inBackground(work: Promise<void>): void;
  report(error: unknown): void;
}

export class Proposals {
  constructor(private readonly options: ProposalsOptions) {}

  /**
   * Proposes what follows from an order, and waits until all hosts serve it. Rejects with `Refused`, `Busy` or `Unprepared` when
   * nothing has changed.
   */
  async agree(deployment: PluginDeployment, order: Order): Promise<AgreementReport> {
    try {
      return await this.proposed(deployment, order);
    } finally {
      deployment.hold("order", []);
      this.options.inBackground(deployment.reconcile());
    }
  }

  private async proposed(
    deployment: PluginDeployment,
    {
      transition = (memory) => memory,
      supersedes = false,
      isForced = false,
      gone = [],
      demanded = [],
    }: Order,
  ): Promise<AgreementReport> {
    const { switches, shelf, file, configuration } = this.options;
    const { name, candidates } = deployment;
    const patience = configuration.startTimeout + preparation;
    for (;;) {
      if (deployment.isStopped || this.options.ending.aborted) throw engineUnavailable();
      const before = switches.agreement(name);
      const agreement = before?.agreement ?? noAgreement;
      const memory = transition(file.current, new Date().toISOString());
      const chosen = candidates.chosen(memory, gone);
      // One that cannot even serve here never gets to the others.
      const started = await this.startHere(deployment, [...chosen.values()], demanded);
      if (!started) continue;
      const next = nextAgreement({ agreement, deployment, chosen, memory, gone });
      const isChanged = !isDeepStrictEqual(standingOf(memory, name), standingOf(file.current, name));
      if (!isChanged && isSameAgreement(agreement, next)) {
        const generation = before?.generation ?? 0;
        return { generation, ...(await this.servedBy(name, generation, 0)) };
      }
      for (const candidate of [...candidates.offers(), ...chosen.values()]) await this.put(name, candidate);
      const proposal = await switches.propose({
        plugin: name,
        base: before?.generation ?? 0,
        agreement: next,
        isPrepared: !needsNoPreparation(agreement, next),
        supersedes,
        isForced,
        patience,
      });
      if (proposal.kind === "outdated") {
        await switches.waits.settled(name);
        continue;
      }
      if (proposal.kind === "busy")
        throw new Busy(`${proposal.host} is switching ${name} on all hosts at present; nothing was changed.`);
      const { generation } = proposal;
      const end = await switches.waits.ended(name, generation);
      if (end.state === "aborted") {
        const { cause, reason = "The hosts have not agreed." } = end;
        if (cause === "superseded") throw new Busy(reason);
        throw cause === "content" ? new Refused(reason) : new Unprepared(reason);
      }
      await shelf.retain(name, sourcesOf(next)).catch((error: unknown) => this.options.report(error));
      return { generation, ...(await this.servedBy(name, generation, patience)) };
    }
  }

  /** Returns false when one did not start and another one may be chosen instead. */
  private async startHere(
    deployment: PluginDeployment,
    chosen: readonly Candidate[],
    demanded: readonly Candidate[],
  ): Promise<boolean> {
    const wanted = new Set([...chosen, ...demanded]);
    deployment.hold(
      "order",
      [...wanted].map(({ snapshot }) => snapshot.sourceHash),
    );
    for (const candidate of wanted) {
      const reason = await deployment.ensureRunning(candidate);
      if (reason === undefined) continue;
      if (demanded.includes(candidate))
        throw new Refused(
          `${candidate.snapshot.name} ${candidate.snapshot.version} does not start: ${reason}`,
        );
      return false;
    }
    return true;
  }

  private async servedBy(
    name: string,
    generation: number,
    patience: number,
  ): Promise<Omit<AgreementReport, "generation">> {
    const { serving, waiting } = await this.options.switches.waits.served(name, generation, patience);
    return { hosts: serving, waiting };
  }

  /**
   * A version was found unfit: all hosts go back at once, because what they go back to runs already. Tries until it is written, or
   * another agreement does without the version.
   */
  async takeBack(from: Candidate, to: Agreement["assignment"], transition: MemoryChange): Promise<void> {
    const { name, sourceHash } = from.snapshot;
    const { switches, file, configuration } = this.options;
    while (!this.options.ending.aborted) {
      try {
        const before = switches.agreement(name);
        const agreement = before?.agreement ?? noAgreement;
        const isServed = Object.entries(agreement.assignment).some(
          ([release, { source }]) => Object.hasOwn(to, release) && source === sourceHash,
        );
        if (!isServed) return;
        const memory = transition(
          withStanding(file.current, name, agreement, configuration.keep),
          new Date().toISOString(),
        );
        const proposal = await switches.propose({
          plugin: name,
          base: before?.generation ?? 0,
          agreement: {
            ...agreement,
            assignment: { ...agreement.assignment, ...to },
            standing: standingOf(memory, name),
          },
          isPrepared: false,
          supersedes: true,
          isForced: false,
          patience: 0,
        });
        if (proposal.kind === "made") return;
        await switches.waits.settled(name);
      } catch (error) {
        this.options.report(error);
        await wait(retryPause, this.options.ending);
      }
    }
  }

  private async put(name: string, candidate: Candidate): Promise<void> {
    try {
      await this.options.shared.put(name, candidate);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      throw new Refused(`${name} ${candidate.snapshot.version}: ${error.message}.`);
    }
  }
}

/** For reasons in the middle of a sentence. */
export function withoutPeriod(text: string): string {
  return text.replace(/\.$/, "");
}
