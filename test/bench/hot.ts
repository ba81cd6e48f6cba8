/**
 * Plugins come, go and misbehave under constant load on both first-party plugins. 100 swaps, 20 rollbacks, 20 updates in
 * place; then every fault of a plugin while others are asked; then `kill -9` of the host in the middle of swaps. What
 * must not happen is counted, and makes the exit code 1; times are told.
 *
 * Options: --swaps=N, --rollbacks=N, --updates=N, --clients=N, --kills=N, --faults=0 (none).
 */
import { availableParallelism } from "node:os";
import { type KillResult, killDuringSwaps } from "../host/plugin-load/kill-drill.js";
import { type FaultFigures, faultProblems, faultReport, measureFaults } from "./hot/fault-bench.js";
import { probation, SwapBench, type SwapCounts } from "./hot/swap-bench.js";
import { type SwapFigures, swapFigures, swapProblems, swapReport } from "./hot/swap-report.js";
import { numberOption } from "./pdf/number-option.js";
import { median, percentile, short, table } from "./pdf/statistics.js";

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const counts: SwapCounts = {
    swaps: numberOption(options, "swaps", 100),
    rollbacks: numberOption(options, "rollbacks", 20),
    updates: numberOption(options, "updates", 20),
    clients: numberOption(options, "clients", 32),
  };
  const problems: string[] = [];
  /** What breaks off is told with the rest. */
  const attempt = async (part: string, work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => problems.push(`${part} broke off: ${String(error)}`));
  };
  let swaps: SwapFigures | undefined;
  if (counts.swaps + counts.rollbacks + counts.updates > 0) {
    await attempt("the swaps", async () => {
      swaps = swapFigures(await SwapBench.run(counts, progress));
      problems.push(...swapProblems(swaps));
    });
  }
  const faults: FaultFigures[] = [];
  if (numberOption(options, "faults", 1) > 0) {
    await attempt("the faults", () =>
      measureFaults(Math.ceil(counts.clients / 8), (figures) => {
        faults.push(figures);
        progress(figures.fault);
      }),
    );
    problems.push(...faultProblems(faults));
  }
  const kills: KillResult[] = [];
  const rounds = numberOption(options, "kills", 20);
  if (rounds > 0) {
    await attempt("the kills", () =>
      killDuringSwaps(rounds, (result) => {
        kills.push(result);
        progress(`${kills.length} of ${rounds} kills`);
      }),
    );
    problems.push(...killProblems(kills));
  }
  if (problems.length > 0) process.exitCode = 1;
  return {
    text: textOf({ counts, swaps, faults, kills, problems }),
    json: { cores: availableParallelism(), probation, counts, swaps, faults, kills, problems },
  };
}

interface Results {
  counts: SwapCounts;
  swaps: SwapFigures | undefined;
  faults: FaultFigures[];
  kills: KillResult[];
  problems: string[];
}

function textOf({ counts, swaps, faults, kills, problems }: Results): string {
  const { swaps: swapped, rollbacks, updates, clients } = counts;
  const what = `${swapped} swaps, ${rollbacks} rollbacks, ${updates} updates in place, ${clients} clients`;
  return [
    ...(swaps === undefined
      ? []
      : [`${what}; plugins.probation is ${probation} ms here`, "", swapReport(swaps), ""]),
    ...(faults.length === 0 ? [] : [faultReport(faults), ""]),
    ...(kills.length === 0 ? [] : [killReport(kills), ""]),
    ...(problems.length === 0 ? ["Nothing happened that must not."] : ["What must not happen:", ...problems]),
  ].join("\n");
}

function killReport(kills: KillResult[]): string {
  const restarts = kills.map(({ restart }) => restart);
  return table([
    ["kill -9 during a swap", ""],
    ["times", String(kills.length)],
    ["restarts without a complete version (must be 0)", String(killProblems(kills).length)],
    [
      "processes that ended with their host",
      String(kills.reduce((sum, { processes }) => sum + processes, 0)),
    ],
    [
      "restart to first answer, ms, median / highest",
      [median(restarts), percentile(restarts, 100)].map(short).join(" / "),
    ],
  ]);
}

function killProblems(kills: KillResult[]): string[] {
  return kills
    .filter(({ between, first }) => !between.includes(first))
    .map(
      ({ way, moment, between, first }) =>
        `killed ${moment} ms after the drop of ${between[1]} over ${between[0]} (${way}): ${first} answered`,
    );
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
