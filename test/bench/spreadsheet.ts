/**
 * What workbooks cost. Writing alone: the plugin's writer, and the library below it with nothing but the cells, each in
 * a process of its own. Then the whole export over HTTP, of projects whose articles have a picture each.
 *
 * Options: --rounds=N (of writing), --exports=N of each size (0: none), --articles=N (of the exported project).
 */
import { availableParallelism } from "node:os";
import { numberOption } from "./pdf/number-option.js";
import { median, short, table } from "./pdf/statistics.js";
import type { Contender } from "./spreadsheet/contenders.js";
import { type ExportMeasurement, measureExport } from "./spreadsheet/export-over-http.js";
import { measureWriting } from "./spreadsheet/measure-writing.js";

const writings: readonly { contender: Contender; rows: number; pictures: boolean }[] = [
  ...[1000, 10_000, 100_000].flatMap((rows) => [
    { contender: "writer" as const, rows, pictures: false },
    { contender: "library" as const, rows, pictures: false },
  ]),
  ...[1000, 10_000, 40_000].map((rows) => ({ contender: "writer" as const, rows, pictures: true })),
];
const exportSizes = [1000, 10_000];

interface WritingResult {
  contender: Contender;
  rows: number;
  pictures: boolean;
  /** Milliseconds, medians. */
  time: number;
  cpu: number;
  /** MiB, the highest one above what the process had before. */
  growth: number;
  bytes: number;
}

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const rounds = numberOption(options, "rounds", 3);
  const exports = numberOption(options, "exports", 3);
  const articles = numberOption(options, "articles", 0);
  const writing = rounds > 0 ? await writingResults(rounds) : [];
  const exported: ExportMeasurement[] = [];
  for (const size of exports > 0 ? (articles > 0 ? [articles] : exportSizes) : []) {
    exported.push(await measureExport(size, exports));
    process.stderr.write(`${size} articles: exported ${exports} times\n`);
  }
  const parts = [
    ...(writing.length > 0 ? [writingReport(writing)] : []),
    ...(exported.length > 0 ? [exportReport(exported)] : []),
  ];
  return { text: parts.join("\n\n"), json: { cores: availableParallelism(), writing, exported } };
}

async function writingResults(rounds: number): Promise<WritingResult[]> {
  const measured = writings.map(() => [] as Awaited<ReturnType<typeof measureWriting>>[]);
  for (let round = 0; round < rounds; round++) {
    // In turn, so that the machine's load goes into all of them alike.
    for (const [index, writing] of writings.entries()) measured[index]?.push(await measureWriting(writing));
    process.stderr.write(`writing: round ${round + 1} of ${rounds}\n`);
  }
  return writings.map((writing, index) => {
    const taken = measured[index] ?? [];
    return {
      ...writing,
      time: median(taken.map(({ milliseconds }) => milliseconds)),
      cpu: median(taken.map(({ cpu }) => cpu)),
      growth: median(taken.map(({ before, peak }) => peak - before)),
      bytes: taken[0]?.bytes ?? 0,
    };
  });
}

function writingReport(results: readonly WritingResult[]): string {
  const rows = results.map(({ contender, rows, pictures, time, cpu, growth, bytes }) => {
    const library = results.find((each) => each.contender === "library" && each.rows === rows)?.cpu;
    return [
      `${rows} rows${pictures ? " with pictures" : ""}, ${contender === "writer" ? "Slipway" : "exceljs"}`,
      short(time),
      short(cpu),
      short(pictures || library === undefined ? Number.NaN : cpu / library),
      short(growth),
      short(bytes / 1024 ** 2),
    ];
  });
  return table([["writing 30 columns", "ms", "CPU ms", "CPU ratio", "memory, + MiB", "file MiB"], ...rows]);
}

function exportReport(results: readonly ExportMeasurement[]): string {
  const rows = results.map(({ articles, first, later, cpu, library, memory, bytes }) => [
    `${articles} articles`,
    short(first),
    short(later),
    short(cpu),
    short(cpu / library),
    short(memory.idle),
    short(memory.project),
    short(memory.peak),
    short(memory.after),
    short(bytes / 1024 ** 2),
  ]);
  const heading = [
    "over HTTP, a picture each",
    "first ms",
    "later ms",
    "CPU ms of the plugin",
    "in that of exceljs for the cells",
    "plugin MiB: idle",
    "with project",
    "peak",
    "after",
    "file MiB",
  ];
  return table([heading, ...rows]);
}
