import { RequestError } from "@slipway/sdk";
import type { PluginSwitch } from "../../observability/host-status.js";
import { Rejection } from "../../system/errors.js";
import { StorageRejection } from "../../system/request-errors.js";
import type { Agreement, Comparison } from "../deployment/deployment.js";
import { describeProblem } from "../plugin-files.js";

/** Milliseconds until a failed write is retried. */
export const retryPause = 1000;

/** An agreement in force. */
export interface CommittedAgreement {
  plugin: string;
  generation: number;
  agreement: Agreement;
}

/** A switch that hosts prepare for. */
export interface OpenSwitch extends CommittedAgreement {
  /** Whether this host has answered, either way. */
  hasVoted: boolean;
}

/** The state of the fleet at one moment. */
export interface FleetState {
  /** Grows with each change of agreements and switches. */
  change: number;
  agreements: CommittedAgreement[];
  open: OpenSwitch[];
}

/** A proposed agreement. */
export interface SwitchOrder {
  plugin: string;
  /** The generation that it follows; 0 for the first one. */
  base: number;
  agreement: Agreement;
  /** Whether all hosts have to be prepared; otherwise it is in force at once. */
  isPrepared: boolean;
  /** Ends a switch that is under way, because this one must not wait. */
  supersedes: boolean;
  /** Whether hosts that refuse are left out. */
  isForced: boolean;
  /** Milliseconds after which the switch is aborted. */
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
  /** Whether the version is the reason, so that another try would not help. */
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
   * while it is open, or when it ended before.
   */
  decide(plugin: string, generation: number): Promise<SwitchEnd | undefined>;
  /** Undefined while it is open. */
  endOf(plugin: string, generation: number): Promise<SwitchEnd | undefined>;
  /** This host serves a generation; 0: none any more. */
  serves(plugin: string, generation: number): Promise<void>;
  /** The names of the living hosts in service, by whether they serve a generation or a later one. */
  served(plugin: string, generation: number): Promise<{ serving: string[]; waiting: string[] }>;
  /** This host enters service; false if the state has changed since `change` was read. */
  enter(change: number): Promise<boolean>;
  /** This host answers nothing for plugins until it gets into service again. Does nothing when it is out of service. */
  leave(): Promise<void>;
  /** Reports the source hashes of what is in the folders of this host. */
  holds(plugin: string, sources: readonly string[]): Promise<void>;
  /** Which of these source hashes are in folders of other living hosts. */
  heldElsewhere(plugin: string, sources: readonly string[]): Promise<string[]>;
  /** The last switch of each plugin. */
  list(): Promise<PluginSwitch[]>;
}

/** The archives of the plugin versions that hosts have agreed on. */
export interface PluginShelf {
  /** Calls `archive` only if it has none; `retain` treats it as new in any case. */
  put(plugin: string, source: string, archive: () => Promise<AsyncIterable<Uint8Array>>): Promise<void>;
  /** Undefined without one. Reading ends with a `Rejection` if its bytes are not those that were put. */
  get(plugin: string, source: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes other archives of the plugin, unless they are new. */
  retain(plugin: string, sources: readonly string[]): Promise<void>;
}

/** An error of this host for other hosts and clients; the log has the whole error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Rejection)
    return { reason: error.message, isOfContent: !(error instanceof StorageRejection) };
  if (error instanceof RequestError) return { reason: error.message, isOfContent: false };
  return { reason: `it fails because ${describeProblem(error)}`, isOfContent: false };
}

/**
 * What hosts that share an engine see of the versions that serve. What was seen of a version is forgotten once no release is
 * assigned to it. Everything rejects with 503 `engine-unavailable` while the engine is away.
 */
export interface OutcomeStore {
  /** This host has seen so much since the trial began; returns the sums of all living hosts. */
  compare(plugin: string, source: string, seen: Comparison): Promise<Comparison>;
  /**
   * A version crashes again and again on this host. Returns whether it does so on another living host, too, or no other one is in
   * service that could serve it. `memory`: milliseconds for which another host's crashes count.
   */
  crashes(plugin: string, source: string, memory: number): Promise<boolean>;
}
