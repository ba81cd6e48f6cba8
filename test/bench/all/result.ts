/** What a run of all rows measured, as it is stored. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { checked, type Static, Type, Validator } from "@slipway/sdk";
import { median } from "../pdf/statistics.js";

const run = promisify(execFile);

/** Of a series: the median, the lowest and the highest value. */
export const Series = Type.Object({ median: Type.Number(), low: Type.Number(), high: Type.Number() });
export type Series = Static<typeof Series>;

export const Row = Type.Object({
  /** The letter that `--rows` takes. */
  group: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  better: Type.Union([Type.Literal("higher"), Type.Literal("lower")]),
  measured: Type.Optional(Series),
  contender: Type.Optional(Type.Object({ name: Type.String(), measured: Type.Optional(Series) })),
  /** Ours in the contender's, round by round. */
  ratio: Type.Optional(Series),
  /** Of the ratio where there is a contender, else of the value. */
  aim: Type.Optional(Type.Number()),
  /** Why it was not measured. */
  missing: Type.Optional(Type.String()),
  /** What the value consists of. */
  parts: Type.Optional(Type.Record(Type.String(), Type.Number())),
});
export type Row = Static<typeof Row>;

export const BenchmarkResult = Type.Object({
  date: Type.String(),
  commit: Type.String(),
  /** Of the browser and the contenders, too. */
  versions: Type.Record(Type.String(), Type.String()),
  machine: Type.Object({
    processors: Type.Integer(),
    model: Type.String(),
    /** MiB. */
    memory: Type.Number(),
    /** Processes that wanted a processor, on average over the last minute, before the first row. */
    load: Type.Number(),
  }),
  rounds: Type.Integer(),
  /** Of the whole run. */
  seconds: Type.Number(),
  rows: Type.Array(Row),
});
export type BenchmarkResult = Static<typeof BenchmarkResult>;

export function seriesOf(values: readonly number[]): Series {
  if (values.length === 0) throw new Error("nothing was measured");
  return { median: median([...values]), low: Math.min(...values), high: Math.max(...values) };
}

/** What a row is judged by: the ratio to its contender, which a slower machine leaves as it is, or the value. */
export function judgedSeries({ ratio, contender, measured }: Row): Series | undefined {
  return contender === undefined ? measured : ratio;
}

/** undefined: nothing was aimed at, or measured. */
export function isReached(row: Row): boolean | undefined {
  const value = judgedSeries(row)?.median;
  if (row.aim === undefined || value === undefined) return undefined;
  return row.better === "higher" ? value >= row.aim : value <= row.aim;
}

export function machine(load: number): BenchmarkResult["machine"] {
  return {
    processors: availableParallelism(),
    model: cpus()[0]?.model ?? "unknown",
    memory: Math.round(totalmem() / 1024 ** 2),
    load,
  };
}

/** Of a checkout, with "+" where files differ from it; "unknown" without git. */
export async function currentCommit(checkout: string): Promise<string> {
  const git = async (...parameters: string[]) =>
    (await run("git", parameters, { cwd: checkout })).stdout.trim();
  try {
    const changed = await git("status", "--porcelain", "--untracked-files=no");
    return `${await git("rev-parse", "--short=10", "HEAD")}${changed === "" ? "" : "+"}`;
  } catch {
    return "unknown";
  }
}

export async function storeResult(file: string, result: BenchmarkResult): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
}

/** Rejects where the file is none, with what is wrong with it. */
export async function storedResult(file: string): Promise<BenchmarkResult> {
  const content: unknown = JSON.parse(await readFile(file, "utf8"));
  return checked(new Validator().compile(BenchmarkResult, file)(content), file);
}
