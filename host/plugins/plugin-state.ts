/** The lifecycle of a plugin version, as admins see it. */
import type { Log } from "@slipway/sdk";

/**
 * `rejected`: the plugin's own content is at fault (manifest, bundle, version taken). `failed`: it did not come up.
 * `standby`: it could run, but no release asks for it.
 */
export type Stage =
  | "discovered"
  | "verified"
  | "staged"
  | "standby"
  | "starting"
  | "probing"
  | "live"
  | "draining"
  | "stopped"
  | "rejected"
  | "failed";

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
  /** What it offers to other plugins: names of services, and of the methods of each. */
  services: Readonly<Record<string, readonly string[]>>;
  /** How often its instance had to be replaced. */
  replacements: number;
  /** Process of the instance that takes requests. */
  processId: number | undefined;
}

/** The state of one candidate; every change of stage is one line in the log. */
export class StateRecord {
  private state: PluginState;

  constructor(
    folder: string,
    private readonly log: Log,
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
      services: {},
      replacements: 0,
      processId: undefined,
    };
  }

  get current(): PluginState {
    return this.state;
  }

  /** Notes what is learned without a change of stage. */
  learn(facts: Partial<Omit<PluginState, "stage" | "since">>): void {
    this.state = { ...this.state, ...facts };
  }

  /** Moves on; a stage that says nothing of a reason has none. */
  enter(stage: Stage, reason?: string): void {
    this.state = { ...this.state, stage, reason, since: Date.now() };
    const { name, version, folder } = this.state;
    const fields = { plugin: name === undefined ? undefined : `${name}@${version}`, folder, stage, reason };
    if (stage === "rejected" || stage === "failed") this.log.error(`Plugin ${stage}`, fields);
    else if (stage === "live" || reason !== undefined) this.log.info(`Plugin ${stage}`, fields);
    else this.log.debug(`Plugin ${stage}`, fields);
  }
}
