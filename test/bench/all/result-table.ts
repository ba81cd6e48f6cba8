/** Results as tables for people. */
import { short, table } from "../pdf/statistics.js";
import { type BenchmarkResult, isReached, judgedSeries, type Row, type Series } from "./result.js";

/** A smaller change says nothing where a row has hardly any spread, or was measured once. */
const noise = 0.05;

export function resultText(result: BenchmarkResult): string {
  const heading = [
    "row",
    "measured",
    "spread",
    "contender",
    "its value",
    "ratio",
    "spread",
    "aim",
    "reached",
  ];
  const lines = result.rows.map((row) => [
    `${row.group}  ${row.name}`,
    row.measured === undefined ? "not measured" : `${short(row.measured.median)} ${row.unit}`,
    spread(row.measured),
    row.contender?.name ?? "-",
    short(row.contender?.measured?.median ?? Number.NaN),
    short(row.ratio?.median ?? Number.NaN),
    spread(row.ratio),
    row.aim === undefined ? "-" : `${row.better === "higher" ? "at least" : "at most"} ${row.aim}`,
    { true: "yes", false: "NO", undefined: "-" }[String(isReached(row))] ?? "-",
  ]);
  const notes = [
    ...partLines(result.rows),
    ...new Set(
      result.rows.flatMap(({ contender, name, missing }) =>
        missing === undefined ? [] : [`${contender?.name ?? name}: ${missing}`],
      ),
    ),
  ];
  return [headOf(result), table([heading, ...lines]), ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}

/** Both results with what became worse by more than the spread, and of how many rows that is so. */
export function comparison(
  before: BenchmarkResult,
  after: BenchmarkResult,
): { text: string; worse: string[] } {
  const worse: string[] = [];
  const names = [...new Set([...before.rows, ...after.rows].map(keyOf))];
  const lines = names.map((name) => {
    const first = before.rows.find((row) => keyOf(row) === name);
    const second = after.rows.find((row) => keyOf(row) === name);
    const became = changeOf(first, second);
    if (became === "WORSE") worse.push(name);
    const [one, other] = [first && judgedSeries(first), second && judgedSeries(second)];
    return [
      name,
      unitOf(second ?? first),
      short(one?.median ?? Number.NaN),
      spread(one),
      short(other?.median ?? Number.NaN),
      spread(other),
      one === undefined || other === undefined ? "-" : short(other.median / one.median),
      became,
    ];
  });
  const heading = ["row", "unit", "A", "spread", "B", "spread", "B / A", ""];
  const text = [`A: ${headOf(before)}`, `B: ${headOf(after)}`, table([heading, ...lines])].join("\n");
  return { text, worse };
}

function changeOf(before: Row | undefined, after: Row | undefined): "WORSE" | "better" | "" {
  const [first, second] = [before && judgedSeries(before), after && judgedSeries(after)];
  if (first === undefined || second === undefined || after === undefined) return "";
  const allowed = Math.max(first.high - first.low, second.high - second.low, noise * Math.abs(first.median));
  const gain = (second.median - first.median) * (after.better === "higher" ? 1 : -1);
  return gain < -allowed ? "WORSE" : gain > allowed ? "better" : "";
}

function keyOf({ group, name, contender }: Row): string {
  return `${group}  ${name}${contender === undefined ? "" : `, against ${contender.name}`}`;
}

function unitOf(row: Row | undefined): string {
  return row?.contender === undefined ? (row?.unit ?? "") : "ratio";
}

function spread(series: Series | undefined): string {
  return series === undefined ? "-" : `${short(series.low)} - ${short(series.high)}`;
}

function partLines(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, parts, contender }) =>
    parts === undefined || contender !== undefined
      ? []
      : [
          `${name}: ${Object.entries(parts)
            .map(([part, value]) => `${part} ${short(value)}`)
            .join("; ")}`,
        ],
  );
}

function headOf({ date, commit, machine, versions, rounds, seconds }: BenchmarkResult): string {
  const where = `${machine.processors} processors (${machine.model}), ${machine.memory} MiB, load before ${short(machine.load)}`;
  const programs = Object.entries(versions).map(([name, version]) => `${name}: ${version}`);
  return [
    `${date}, commit ${commit}, ${rounds} rounds, ${short(seconds / 60)} minutes; ${where}`,
    ...programs,
  ].join("\n");
}
