import type { Comparison } from "../deployment/trial.js";

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
