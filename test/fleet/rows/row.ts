/** What the rows of the table have in common. */
import type { Random } from "../random.js";

/** How much of each row is run. */
export interface Sizes {
  /** Requests of the mix. */
  requests: number;
  clients: number;
  /** Milliseconds between two kills of hosts. */
  killEvery: number;
  /** Kills of the primary, the promotion of the standby not among them. */
  primaryKills: number;
  switches: number;
  quarantines: number;
  jobs: number;
  /** Seconds. */
  outage: number;
  /** Seconds for which a host stands still, or is cut off. */
  standstill: number;
  /** Reports of each measurement of throughput. */
  reports: number;
}

export interface RowOptions {
  sizes: Sizes;
  random: Random;
  /** Tells people how far it is. */
  progress(text: string): void;
}

/** A promise with what was seen, such as "lost" and "0". */
export interface Finding {
  what: string;
  seen: string;
  /** Without it, it is told and not judged. */
  isKept?: boolean;
}

export interface RowResult {
  /** What was done, in one line. */
  done: string;
  findings: Finding[];
  /** Sentences about what must not happen. */
  problems: string[];
}

export interface Row {
  run(options: RowOptions): Promise<RowResult>;
}

/** That nothing of a kind happened. */
export const none = (what: string, count: number): Finding => ({
  what,
  seen: String(count),
  isKept: count === 0,
});

/** That a number stays at or below a limit; `unit` as people write it. */
export function atMost(what: string, value: number, limit: number, unit = ""): Finding {
  const rounded = Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 0);
  return { what: `${what}, at most ${limit}${unit}`, seen: `${rounded}${unit}`, isKept: value <= limit };
}
