import { monotonicTime, wait } from "../../system/time.js";
import type { AgreedVersion, Candidate, Comparison, SharedJudgement } from "../deployment/deployment.js";
import { type OutcomeStore, retryPause } from "./fleet-contract.js";

interface VersionJudgementOptions {
  outcomes: OutcomeStore;
  /** This host cannot run a version of the plugin as it should. */
  suspected(plugin: string): void;
  report(error: unknown): void;
  ending: AbortSignal;
}

/** Judges versions together with the other hosts. A host on which a version crashes alone suspects itself, not the version. */
export class VersionJudgement implements SharedJudgement {
  /** By source hash; `until`: when this host may serve it again, by the monotonic clock. */
  private readonly suspects = new Map<string, { plugin: string; until: number }>();

  constructor(private readonly options: VersionJudgementOptions) {}

  async compare({ snapshot }: Candidate, seen: Comparison): Promise<Comparison | undefined> {
    try {
      return await this.options.outcomes.compare(snapshot.name, snapshot.sourceHash, seen);
    } catch (error) {
      this.options.report(error);
      return undefined;
    }
  }

  async crashesOften({ snapshot: { name, sourceHash } }: Candidate, memory: number): Promise<boolean> {
    const { outcomes, suspected, report, ending } = this.options;
    while (!ending.aborted) {
      try {
        if (await outcomes.crashes(name, sourceHash, memory)) return true;
        this.suspects.set(sourceHash, { plugin: name, until: monotonicTime() + memory });
        suspected(name);
        return false;
      } catch (error) {
        report(error);
        await wait(retryPause, ending);
      }
    }
    return false;
  }

  /** Why this host does not serve a version at present, although it runs. */
  reasonAgainst({ source }: AgreedVersion): string | undefined {
    const { until = 0 } = this.suspects.get(source) ?? {};
    return until > monotonicTime()
      ? "it crashes again and again on this host, and on no other one"
      : undefined;
  }

  /** Forgets suspicions against versions that are not assigned any more. */
  forgetOthers(name: string, assigned: readonly AgreedVersion[]): void {
    for (const [source, { plugin }] of this.suspects)
      if (plugin === name && !assigned.some((each) => each.source === source)) this.suspects.delete(source);
  }
}
