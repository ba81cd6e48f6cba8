/** Proposes agreements on plugins to all hosts, on an order of an admin, a new content, or a version that was found unfit. */
import { isDeepStrictEqual } from "node:util";
import type { RequestError } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { Rejection } from "../../system/errors.js";
import { engineUnavailable, overloaded } from "../../system/request-errors.js";
import { wait } from "../../system/time.js";
import type { Candidate } from "../deployment/candidates.js";
import { isSameLine, type Line, needsNoPreparation, noLine, sourcesOf } from "../deployment/line.js";
import { type Agreed, conflict } from "../deployment/plugin-administration.js";
import type { PluginDeployment } from "../deployment/plugin-deployment.js";
import { rolloutOf } from "../deployment/rollout-state.js";
import { selectAll } from "../deployment/selection.js";
import type { StateFile, Transition } from "../deployment/state-file.js";
import type { FleetSwitch } from "./fleet-switch.js";
import { isGone, nextLine, standingOf, withStanding } from "./own-lines.js";
import type { SharedContents } from "./shared-contents.js";
import { type PluginShelf, retryPause } from "./switch-store.js";

/** What is to change. */
export interface Order {
  transition?: Transition;
  /** Ends a switch that is under way, instead of being refused by it. */
  supersedes?: boolean;
  isForced?: boolean;
  /** Sources that lie in no folder any more. */
  gone?: readonly string[];
  /** The version that must start here first; others are left out where they do not. */
  demanded?: readonly Candidate[];
}

/** Milliseconds in addition to the start timeout: for the archive and its bundling. */
const preparation = 30_000;
/** Seconds until an admin may try the same again. */
const retryAfter = 60;

/** An order ended without an agreement: the content does not do, if there is a new one. */
export class Refused extends Error {
  toAnswer(): RequestError {
    return conflict(this.message);
  }
}

/** Another switch of the plugin is under way. */
export class Busy extends Refused {}

/** Hosts could not take it at that time, whatever the content is. */
export class Unprepared extends Refused {
  override toAnswer(): RequestError {
    return overloaded(`${withoutPeriod(this.message)}; nothing was changed.`, retryAfter);
  }
}

export interface ProposalsOptions {
  switches: FleetSwitch;
  shared: SharedContents;
  shelf: PluginShelf;
  file: StateFile;
  configuration: Pick<PluginsConfiguration, "startTimeout" | "keep">;
  /** Aborted when the host stops. */
  ending: AbortSignal;
  /** Goes on by itself, and is over before the host stops. */
  inBackground(work: Promise<void>): void;
  report(error: unknown): void;
}

export class Proposals {
  constructor(private readonly options: ProposalsOptions) {}

  /**
   * Proposes what follows from an order, and waits until all hosts serve it. Rejects with `Refused`, `Busy` or `Unprepared` when
   * nothing has changed.
   */
  async agree(deployment: PluginDeployment, name: string, order: Order): Promise<Agreed> {
    try {
      return await this.proposed(deployment, name, order);
    } finally {
      deployment.hold("order", []);
      this.options.inBackground(deployment.reconcile());
    }
  }

  private async proposed(
    deployment: PluginDeployment,
    name: string,
    {
      transition = (memory) => memory,
      supersedes = false,
      isForced = false,
      gone = [],
      demanded = [],
    }: Order,
  ): Promise<Agreed> {
    const { switches, shelf, file, configuration } = this.options;
    const patience = configuration.startTimeout + preparation;
    for (;;) {
      const { selection } = deployment;
      if (deployment.isStopped || this.options.ending.aborted) throw engineUnavailable();
      const before = switches.line(name);
      const line = before?.line ?? noLine;
      const memory = transition(file.current, new Date().toISOString());
      const rollout = rolloutOf(memory, name);
      const available = selection.available();
      const left = { ...available, sources: available.sources.filter((each) => !isGone(each.current, gone)) };
      const chosen = selectAll(selection.releases, left, rollout);
      // One that cannot even serve here never gets to the others.
      const started = await this.startHere(deployment, [...chosen.values()], demanded);
      if (!started) continue;
      const next = nextLine({ line, deployment, chosen, memory, name, gone });
      const isChanged = !isDeepStrictEqual(standingOf(memory, name), standingOf(file.current, name));
      if (!isChanged && isSameLine(line, next)) {
        const generation = before?.generation ?? 0;
        return { generation, ...(await this.servedBy(name, generation, 0)) };
      }
      for (const candidate of [...selection.offers(), ...chosen.values()]) await this.put(name, candidate);
      const proposal = await switches.propose({
        plugin: name,
        base: before?.generation ?? 0,
        line: next,
        isPrepared: !needsNoPreparation(line, next),
        supersedes,
        isForced,
        patience,
      });
      if (proposal.kind === "outdated") {
        await switches.settled(name);
        continue;
      }
      if (proposal.kind === "busy")
        throw new Busy(`${proposal.host} is switching ${name} on all hosts at present; nothing was changed.`);
      const { generation } = proposal;
      const end = await switches.ended(name, generation);
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
  ): Promise<Omit<Agreed, "generation">> {
    const { serving, waiting } = await this.options.switches.served(name, generation, patience);
    return { hosts: serving, waiting };
  }

  /**
   * A version was found unfit: all hosts go back at once, because what they go back to runs already. Tries until it is written, or
   * another agreement does without the version.
   */
  async takeBack(from: Candidate, to: Line["assignment"], transition: Transition): Promise<void> {
    const { name, sourceHash } = from.snapshot;
    const { switches, file, configuration } = this.options;
    while (!this.options.ending.aborted) {
      try {
        const before = switches.line(name);
        const line = before?.line ?? noLine;
        const isServed = Object.entries(line.assignment).some(
          ([release, { source }]) => Object.hasOwn(to, release) && source === sourceHash,
        );
        if (!isServed) return;
        const memory = transition(
          withStanding(file.current, name, line, configuration.keep),
          new Date().toISOString(),
        );
        const proposal = await switches.propose({
          plugin: name,
          base: before?.generation ?? 0,
          line: { ...line, assignment: { ...line.assignment, ...to }, standing: standingOf(memory, name) },
          isPrepared: false,
          supersedes: true,
          isForced: false,
          patience: 0,
        });
        if (proposal.kind === "made") return;
        await switches.settled(name);
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

/** Reasons end with one; what goes on behind them does not. */
export function withoutPeriod(text: string): string {
  return text.replace(/\.$/, "");
}
