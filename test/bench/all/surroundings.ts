import type { Contender, MissingContender } from "./contenders.js";

/** What all rows are measured with. */
export interface Surroundings {
  rounds: number;
  contenders: readonly Contender[];
  missing: readonly MissingContender[];
  /** Says how far it is. */
  progress(text: string): void;
}
