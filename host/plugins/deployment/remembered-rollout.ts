import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Release } from "../releases.js";
import type { Candidate, Content } from "./candidate.js";
import * as rollout from "./rollout.js";
import { type Pin, type PluginsMemory, type RolloutState, rolloutOf } from "./rollout-state.js";
import type { Available } from "./selection.js";
import type { StateFile } from "./state-file.js";

/** What is remembered of one plugin. Each change is in force at once; its promise ends when it is on disk. */
export class RememberedRollout {
  constructor(
    private readonly name: string,
    private readonly file: StateFile,
    private readonly configuration: Pick<PluginsConfiguration, "keep">,
  ) {}

  get current(): RolloutState {
    return rolloutOf(this.file.current, this.name);
  }

  /** `lies`: it is what lies in its place. */
  beginTrial(candidate: Candidate, lies: boolean, before: Content | undefined): Promise<void> {
    return this.file.update((memory) => rollout.beginTrial(memory, candidate, lies, before));
  }

  /** `lies`: it is what lies in its place. */
  prove(candidate: Candidate, lies: boolean): Promise<void> {
    const { keep } = this.configuration;
    return this.file.update((memory) => rollout.prove(memory, candidate, lies, keep, now()));
  }

  quarantine(candidate: Candidate, reason: string): Promise<void> {
    return this.file.update((memory) => rollout.quarantine(memory, candidate, reason, now()));
  }

  fail(candidate: Candidate, reason: string): Promise<void> {
    return this.file.update((memory) => rollout.fail(memory, candidate, reason));
  }

  /** Versions that did not come up have another chance. */
  forgive(isForgiven: (failed: { version: string; hash: string }) => boolean): Promise<void> {
    return this.changed((memory) => rollout.forgive(memory, this.name, isForgiven));
  }

  fallBack<C extends Content>(order: Omit<rollout.FallBackOrder<C>, "at">): Promise<void> {
    return this.file.update((memory) => rollout.fallBack(memory, { ...order, at: now() }));
  }

  rollBack(release: string, pin: Omit<Pin, "at">): Promise<void> {
    return this.file.update((memory) => rollout.rollBack(memory, this.name, release, { ...pin, at: now() }));
  }

  /** `proven`: by release, what answers there and is not on trial. */
  endOutlived<C extends Content>(proven: ReadonlyMap<Release, C>, available: Available<C>): Promise<void> {
    return this.changed((memory) => rollout.endOutlived(memory, this.name, proven, available));
  }

  /** `serving`: by release. */
  noteReplaced<C extends Content>(
    releases: readonly Release[],
    serving: ReadonlyMap<string, Content>,
    available: Available<C>,
  ): Promise<void> {
    return this.changed((memory) => rollout.noteReplaced(memory, this.name, releases, serving, available));
  }

  disable(actor: string): Promise<void> {
    return this.file.update((memory) => rollout.disable(memory, this.name, actor, now()));
  }

  enable(version: string | undefined): Promise<void> {
    return this.file.update((memory) => rollout.enable(memory, this.name, version));
  }

  /** What changes nothing waits for nothing. */
  private async changed(change: (memory: PluginsMemory) => PluginsMemory): Promise<void> {
    if (change(this.file.current) !== this.file.current) await this.file.update(change);
  }
}

function now(): string {
  return new Date().toISOString();
}
