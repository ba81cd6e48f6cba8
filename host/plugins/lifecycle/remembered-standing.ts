import type { PluginsConfiguration } from "../plugins-configuration.js";
import type { Candidate } from "./candidate.js";
import type { MemoryFile } from "./memory-file.js";
import { type Pin, type Standing, standingOf } from "./standing.js";

/** Quarantined contents that are remembered; older ones are long gone from the folders. */
const mostQuarantined = 50;

/** What is remembered of one plugin. Each change is in force at once; its promise ends when it is on disk. */
export class RememberedStanding {
  constructor(
    private readonly name: string,
    private readonly memory: MemoryFile,
    private readonly configuration: Pick<PluginsConfiguration, "keep">,
  ) {}

  get current(): Standing {
    return standingOf(this.memory.current, this.name);
  }

  /** A version served well: what a rollback can choose, and what its place falls back to. */
  async keepVersion({ snapshot, place }: Candidate): Promise<void> {
    const { name, version, hash } = snapshot;
    const others = this.current.kept.filter((each) => each.hash !== hash);
    const kept = [{ version, hash, at: now() }, ...others].slice(0, this.configuration.keep);
    // At once, so that a host which stops knows all that is still to be written.
    await this.memory.update((memory) => ({
      ...memory,
      places: { ...memory.places, [place]: { name, version, hash } },
      plugins: { ...memory.plugins, [this.name]: { ...this.current, kept } },
    }));
  }

  /** A place that has nothing to fall back to yet falls back to this. */
  async remember(place: string, { snapshot }: Candidate): Promise<void> {
    const { name, version, hash } = snapshot;
    if (this.memory.current.places[place]?.name === this.name) return;
    await this.memory.update((memory) => ({
      ...memory,
      places: { ...memory.places, [place]: { name, version, hash } },
    }));
  }

  async quarantine({ snapshot: { version, hash } }: Candidate, reason: string): Promise<void> {
    await this.change((standing) => ({
      ...standing,
      quarantined: [
        { version, hash, at: now(), reason },
        ...standing.quarantined.filter((each) => each.hash !== hash),
      ].slice(0, mostQuarantined),
    }));
  }

  /** Ends the quarantine of a content. */
  async pardon({ snapshot: { hash } }: Candidate): Promise<void> {
    if (!this.current.quarantined.some((each) => each.hash === hash)) return;
    await this.change((standing) => ({
      ...standing,
      quarantined: standing.quarantined.filter((each) => each.hash !== hash),
    }));
  }

  async pin(release: string, pin: Omit<Pin, "at">): Promise<void> {
    await this.change((standing) => ({
      ...standing,
      pins: { ...standing.pins, [release]: { ...pin, at: now() } },
    }));
  }

  async unpin(release: string): Promise<void> {
    await this.change((standing) => {
      const { [release]: _, ...pins } = standing.pins;
      return { ...standing, pins };
    });
  }

  async disable(actor: string): Promise<void> {
    await this.change((standing) => ({ ...standing, disabled: { at: now(), actor } }));
  }

  /** Wanted again; with a version, only that one is given another chance. */
  async enable(version: string | undefined): Promise<void> {
    await this.change(({ disabled: _, ...standing }) => ({
      ...standing,
      quarantined: standing.quarantined.filter((each) => version !== undefined && each.version !== version),
    }));
  }

  private async change(how: (standing: Standing) => Standing): Promise<void> {
    await this.memory.update((memory) => ({
      ...memory,
      plugins: { ...memory.plugins, [this.name]: how(standingOf(memory, this.name)) },
    }));
  }
}

function now(): string {
  return new Date().toISOString();
}
