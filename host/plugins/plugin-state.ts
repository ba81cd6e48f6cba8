/** The lifecycle of a plugin version, as admins see it. */
import { basename } from "node:path";
import type { Journal } from "./events/plugin-event.js";

/**
 * `waiting`: not complete yet. `rejected`: the plugin's own content is at fault (manifest, bundle, version taken, signature).
 * `failed`: it did not come up. `standby`: it could serve, but no release asks for it, or it stands by for the version that
 * replaced it. `quarantined`: it served badly. `disabled`: an admin does not want it.
 */
export type Stage =
  | "discovered"
  | "waiting"
  | "verified"
  | "staged"
  | "standby"
  | "starting"
  | "probing"
  | "live"
  | "draining"
  | "stopped"
  | "rejected"
  | "failed"
  | "quarantined"
  | "disabled";

/** What a version asks of another plugin. */
export interface Requirement {
  /** Name or alias with a range, such as "Reporter@^1.0.0". */
  plugin: string;
  service: string;
  /** Whether a live plugin offers it. */
  met: boolean;
}

/** Where one candidate stands, and why. */
export interface PluginState {
  /** Public name; undefined as long as there is no readable manifest. */
  name: string | undefined;
  version: string | undefined;
  /** Where it was found. */
  folder: string;
  /** Hash of the snapshot. */
  hash: string | undefined;
  stage: Stage;
  /** One or more sentences for people; undefined when all is well. */
  reason: string | undefined;
  /** Milliseconds since the epoch. */
  since: number;
  /** Releases that it serves. */
  releases: readonly string[];
  /** While the version that it replaced stands by: until when at the latest, in milliseconds since the epoch. */
  probationUntil: number | undefined;
  /** What it offers to other plugins: names of services, and of the methods of each. */
  services: Readonly<Record<string, readonly string[]>>;
  /** What it asked other plugins for while it was set up. */
  requirements: readonly Requirement[];
  /** What does not keep it from serving, in sentences for people. */
  warnings: readonly string[];
  /** How often its instance had to be replaced. */
  replacements: number;
  /** Process of the instance that takes requests. */
  processId: number | undefined;
  /** Name of the trusted key that signed it. */
  signedBy: string | undefined;
}

/** The state of one candidate; every change of stage is an event. */
export class StateRecord {
  private state: PluginState;

  constructor(
    folder: string,
    private readonly journal: Journal,
  ) {
    this.state = {
      name: undefined,
      version: undefined,
      folder,
      hash: undefined,
      stage: "discovered",
      reason: undefined,
      since: Date.now(),
      releases: [],
      probationUntil: undefined,
      services: {},
      requirements: [],
      warnings: [],
      replacements: 0,
      processId: undefined,
      signedBy: undefined,
    };
  }

  /** A new one about the same content. */
  another(): StateRecord {
    const { folder, name, version, hash, signedBy } = this.state;
    const record = new StateRecord(folder, this.journal);
    record.learn({ name, version, hash, signedBy });
    return record;
  }

  get current(): PluginState {
    return this.state;
  }

  /** Notes what is learned without a change of stage. */
  learn(facts: Partial<Omit<PluginState, "stage" | "since">>): void {
    this.state = { ...this.state, ...facts };
  }

  /** Moves on; a stage that says nothing of a reason has none. The same stage with the same reason is no news. */
  enter(stage: Stage, reason?: string, actor = "host"): void {
    const { stage: from, reason: before, name, version, hash, folder } = this.state;
    if (stage === from && reason === before) return;
    this.state = { ...this.state, stage, reason, since: Date.now() };
    this.journal.note({
      kind: "stage",
      ...(name === undefined ? {} : { plugin: name }),
      ...(version === undefined ? {} : { version }),
      ...(hash === undefined ? {} : { hash }),
      place: basename(folder),
      from,
      to: stage,
      ...(reason === undefined ? {} : { reason }),
      actor,
    });
  }
}
