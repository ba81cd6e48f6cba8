import type { Contender, MissingContender } from "./contenders.js";

/** What all rows are measured with. */
export interface Surroundings {
  /** The folder of the checkout whose host is measured. */
  installation: string;
  rounds: number;
  contenders: readonly Contender[];
  missing: readonly MissingContender[];
  /** Says how far it is. */
  progress(text: string): void;
}
