/** Every fault of a plugin, under load. */
import { type BadVersionResult, FaultDrill, type FaultResult } from "../../host/plugin-load/fault-drill.js";
import { failuresOf, unattributedOf } from "../../host/plugin-load/load.js";
import { startFaults } from "../../host/plugin-load/plugin-maker.js";
import { faultNames } from "../../host/plugin-load/sample/faults.js";
import { atEnd } from "../measuring/clean-up.js";
import { short, table } from "../pdf/statistics.js";

export interface FaultFigures {
  fault: string;
  /** Requests to other plugins and other versions, and those that failed, which have to be none. */
  others: number;
  othersFailed: number;
  problems: string[];
  /** Requests to the faulty version. */
  hit: number;
  hitFailed: number;
  /** Milliseconds. */
  recovery: number;
  silence: number;
  /** What the host says of a bad version. */
  reason: string | undefined;
}

/** Every request for its version is such a fault. */
const wrongdoings = ["exit", "throw", "endless-loop"] as const;

/** Calls `done` for each fault. */
export async function measureFaults(clients: number, done: (figures: FaultFigures) => void): Promise<void> {
  const drill = await FaultDrill.start(clients);
  const stop = atEnd(() => drill.stop());
  try {
    for (const broken of startFaults) done(figuresOf(broken, await drill.dropBroken(broken)));
    for (const fault of faultNames) done(figuresOf(fault, await drill.commit(fault)));
    for (const fault of wrongdoings) {
      done(figuresOf(`new version: always ${fault}`, await drill.dropWrongdoer(fault)));
    }
  } finally {
    await stop();
  }
}

function figuresOf(fault: string, result: FaultResult | BadVersionResult): FaultFigures {
  const { others, hit, recovery, silence } = result;
  return {
    fault,
    others: others.length,
    othersFailed: others.filter(({ failure, label }) => failure !== undefined || label === undefined).length,
    problems: [...failuresOf(others), ...unattributedOf(others)],
    hit: hit.length,
    hitFailed: hit.filter(({ failure }) => failure !== undefined).length,
    recovery,
    silence,
    reason: "reason" in result ? result.reason : undefined,
  };
}

/** What must not be there, as sentences. */
export function faultProblems(figures: readonly FaultFigures[]): string[] {
  return figures.flatMap(({ fault, problems }) => problems.map((each) => `${fault} hit others: ${each}`));
}

export function faultReport(figures: readonly FaultFigures[]): string {
  const rows = figures.map((each) => [
    each.fault,
    String(each.others),
    String(each.othersFailed),
    String(each.hit),
    String(each.hitFailed),
    short(each.recovery),
    short(each.silence),
  ]);
  const heading = [
    "fault",
    "of others",
    "failed (must be 0)",
    "of the faulty version",
    "failed",
    "recovery ms",
    "longest silence ms",
  ];
  const reasons = figures.flatMap(({ fault, reason }) =>
    reason === undefined ? [] : [`${fault}: ${reason}`],
  );
  return [table([heading, ...rows]), "", "What the host says:", ...reasons].join("\n");
}
