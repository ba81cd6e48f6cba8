/** What the swaps came to. */
import { type Answer, answersByLabel, failuresOf, unattributedOf } from "../../host/plugin-load/load.js";
import { staleAnswers } from "../../host/plugin-load/switches.js";
import { median, percentile, short, table } from "../pdf/statistics.js";
import type { Phase, SwapResult } from "./swap-bench.js";

interface Quantiles {
  median: number;
  p95: number;
  p99: number;
  highest: number;
}

export interface SwapFigures {
  requests: number;
  failed: number;
  /** Have to be empty, all three. */
  failures: string[];
  unattributed: string[];
  stale: string[];
  versions: number;
  /** Milliseconds. */
  times: Record<string, Quantiles>;
  memory: { after: string; mebibytes: number }[];
  latencies: { request: string; quiet: Quantiles; swaps: Quantiles }[];
  seconds: Record<string, number>;
}

export function swapFigures(result: SwapResult): SwapFigures {
  const { answers, switches, phases, memory, times } = result;
  const requests = [...new Set(answers.map(({ request }) => request))];
  const latency = (request: string, phase: string): Quantiles =>
    quantiles(
      within(answers, phases, phase)
        .filter((answer) => answer.request === request)
        .map(({ began, ended }) => ended - began),
    );
  return {
    requests: answers.length,
    failed: answers.filter(({ failure }) => failure !== undefined).length,
    failures: failuresOf(answers),
    unattributed: unattributedOf(answers),
    stale: staleAnswers(answers, switches),

    versions: answersByLabel(answers).size,
    times: Object.fromEntries(Object.entries(times).map(([name, values]) => [name, quantiles(values)])),
    memory: memory.map(({ after, bytes = Number.NaN }) => ({ after, mebibytes: bytes / 2 ** 20 })),
    latencies: requests.map((request) => ({
      request,
      quiet: latency(request, "quiet"),
      swaps: latency(request, "swaps"),
    })),
    seconds: Object.fromEntries(phases.map(({ name, begin, end }) => [name, (end - begin) / 1000])),
  };
}

/** What must not be there, as sentences. */
export function swapProblems({ failures, unattributed, stale }: SwapFigures): string[] {
  return [
    ...failures.map((each) => `failed: ${each}`),
    ...unattributed.map((each) => `of nobody: ${each}`),
    ...stale.map((each) => `by an old version: ${each}`),
  ];
}

export function swapReport(figures: SwapFigures): string {
  const { requests, failed, unattributed, stale, versions, times, memory, latencies, seconds } = figures;
  const quantileCells = ({ median, p95, highest }: Quantiles): string[] => [median, p95, highest].map(short);
  const ratio = ({ quiet, swaps }: SwapFigures["latencies"][number]): string =>
    (["median", "p95", "p99"] as const).map((name) => short(swaps[name] / quiet[name])).join(" / ");
  const three = ({ median, p95, p99 }: Quantiles): string => [median, p95, p99].map(short).join(" / ");
  return [
    table([
      ["under load", "count"],
      ["requests", String(requests)],
      ["versions that answered", String(versions)],
      ["failed requests (must be 0)", String(failed)],
      ["answers of which nobody knows the version (must be 0)", String(unattributed.length)],
      ["answers of an old version after the switch (must be 0)", String(stale.length)],
    ]),
    "",
    table([
      ["ms", "median", "p95", "highest"],
      ["swap: from the end of copying to the first answer", ...quantileCells(times["swaps"] ?? none)],
      ["rollback: until it is in force", ...quantileCells(times["rollbacks"] ?? none)],
      ["update in place: as a swap", ...quantileCells(times["updates"] ?? none)],
    ]),
    "",
    table([
      ["ms, median / p95 / p99", "quiet", "during swaps", "ratio"],
      ...latencies.map((each) => [each.request, three(each.quiet), three(each.swaps), ratio(each)]),
    ]),
    "",
    table([["host after", "MiB"], ...memory.map(({ after, mebibytes }) => [after, short(mebibytes)])]),
    "",
    `Seconds: ${Object.entries(seconds)
      .map(([name, value]) => `${name} ${short(value)}`)
      .join(", ")}`,
  ].join("\n");
}

const none: Quantiles = { median: Number.NaN, p95: Number.NaN, p99: Number.NaN, highest: Number.NaN };

function quantiles(values: number[]): Quantiles {
  return {
    median: median(values),
    p95: percentile(values, 95),
    p99: percentile(values, 99),
    highest: percentile(values, 100),
  };
}

function within(answers: readonly Answer[], phases: readonly Phase[], name: string): Answer[] {
  const phase = phases.find((each) => each.name === name);
  if (phase === undefined) return [];
  return answers.filter(({ began }) => began >= phase.begin && began < phase.end);
}
