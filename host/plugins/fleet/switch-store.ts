import type { PluginSwitch } from "../../observability/host-status.js";
import type { Line } from "../deployment/line.js";

/** Milliseconds until what could not be written is tried again. */
export const retryPause = 1000;

/** An agreement in force. */
export interface CommittedLine {
  plugin: string;
  generation: number;
  line: Line;
}

/** A switch that hosts prepare for. */
export interface OpenSwitch extends CommittedLine {
  /** Whether this host has answered, either way. */
  hasVoted: boolean;
}

/** What was read at one moment. */
export interface FleetState {
  /** Grows with each change of lines and switches. */
  change: number;
  lines: CommittedLine[];
  open: OpenSwitch[];
}

/** What is to be in force. */
export interface SwitchOrder {
  plugin: string;
  /** The generation that it follows; 0 for the first one. */
  base: number;
  line: Line;
  /** Whether all hosts have to be prepared; otherwise it is in force at once. */
  isPrepared: boolean;
  /** Ends a switch that is under way, because this one must not wait. */
  supersedes: boolean;
  /** Goes on without hosts that refuse. */
  isForced: boolean;
  /** Milliseconds until it is given up. */
  patience: number;
}

/** `busy`: `host` has begun another switch of the plugin. `outdated`: another generation is in force than `base`. */
export type Proposal =
  | { kind: "made"; generation: number }
  | { kind: "busy"; host: string }
  | { kind: "outdated" };

/** Why a host cannot take a switch. */
export interface Refusal {
  /** For clients: it has no paths. */
  reason: string;
  /** Whether the content is the reason, so that another try would not help. */
  isOfContent: boolean;
}

/** `host`: one could not take it at that time. `superseded`: by an order that does not wait. */
export type AbortCause = "content" | "host" | "deadline" | "superseded";

/** How a switch ended. */
export interface SwitchEnd {
  state: "committed" | "aborted";
  reason?: string | undefined;
  /** Undefined when it was committed, or is forgotten. */
  cause?: AbortCause | undefined;
}

/**
 * The agreements of hosts that share an engine. Each change is one transaction; what acts for all hosts needs a lease. Everything
 * rejects with 503 `engine-unavailable` while the engine is away.
 */
export interface SwitchStore {
  /** Whether this host may answer for plugins: it has a lease, and serves all that was agreed on when it got into service. */
  readonly isInService: boolean;
  /** Calls after changes of other hosts, and sometimes without any; calls may be lost for a second. */
  follow(changed: () => void): () => void;
  read(): Promise<FleetState>;
  propose(order: SwitchOrder): Promise<Proposal>;
  /** This host is prepared, or cannot take the switch and says why. */
  vote(plugin: string, generation: number, refusal?: Refusal): Promise<void>;
  /**
   * Commits a switch once all living hosts in service are prepared; aborts it after a refusal or its deadline. Returns undefined
   * while it goes on, or when it ended before.
   */
  decide(plugin: string, generation: number): Promise<SwitchEnd | undefined>;
  /** Undefined while it goes on. */
  endOf(plugin: string, generation: number): Promise<SwitchEnd | undefined>;
  /** This host serves a generation; 0: none any more. */
  serves(plugin: string, generation: number): Promise<void>;
  /** The names of the living hosts in service, by whether they serve a generation or a later one. */
  served(plugin: string, generation: number): Promise<{ serving: string[]; waiting: string[] }>;
  /** This host gets into service, unless something has changed since `change` was read; then false. */
  enter(change: number): Promise<boolean>;
  /** This host answers nothing for plugins until it gets into service again. Does nothing when it is out of service. */
  leave(): Promise<void>;
  /** What lies in the folders of this host; source hashes. */
  holds(plugin: string, sources: readonly string[]): Promise<void>;
  /** Which of these sources lie in folders of other living hosts. */
  heldElsewhere(plugin: string, sources: readonly string[]): Promise<string[]>;
  /** The last switch of each plugin. */
  list(): Promise<PluginSwitch[]>;
}

/** The archives of the plugin versions that hosts have agreed on. */
export interface PluginShelf {
  /** Asks for no archive when it is there; `retain` takes it for a new one in any case. */
  put(plugin: string, source: string, archive: () => Promise<AsyncIterable<Uint8Array>>): Promise<void>;
  /** Undefined when it is not there. Reading it ends with a `Rejection` when it is not what was put, byte for byte. */
  get(plugin: string, source: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes other archives of the plugin, unless they are new. */
  retain(plugin: string, sources: readonly string[]): Promise<void>;
}
