/**
 * The last pass over a report: 21, 105 and 21 tagged pages with outlines, made by Chromium, become one, by our finisher
 * and by the library that did it before, in turns; then the 105 pages alone. Each works in a process of its own. The
 * machine's load goes into all of them alike; times of the processor say more than those of the clock when it is high.
 *
 * Options: --rounds=N (5).
 */
import { printedByChromium } from "../host/pdf-finisher-support.js";
import { catalogue } from "./finish/catalogues.js";
import type { Contender, Input } from "./finish/contenders.js";
import { type Measured, MeasuredProcess } from "./finish/measured-process.js";
import { contentsOf, type PdfContents } from "./finish/pdf-contents.js";
import { temporaryFolder } from "./measuring/clean-up.js";
import { numberOption } from "./pdf/number-option.js";
import { median, short, table } from "./pdf/statistics.js";

const targets = { merge: 400, share: 0.4, alone: 250 };

interface Row {
  contender: Contender;
  /** Milliseconds, with loading the code. */
  first: number;
  /** Medians and the best of the times after the first. */
  warm: number;
  best: number;
  cpu: number;
  contents: PdfContents;
}

interface Result {
  input: { pages: number; bytes: number; tables: number; figures: number; outline: number };
  joined: Row[];
  alone: { bytes: number; rows: Row[] };
}

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const rounds = numberOption(options, "rounds", 5);
  const { path: folder, remove } = await temporaryFolder();
  try {
    const documents = [
      await catalogue("Terms", 21),
      await catalogue("Quote", 105),
      await catalogue("Plans", 21),
    ];
    const [before, report, after] = await printedByChromium(folder, documents);
    if (before === undefined || report === undefined || after === undefined)
      throw new Error("nothing printed");
    process.stderr.write("printed\n");
    const all = [await contentsOf(before), await contentsOf(report), await contentsOf(after)];
    const sum = (key: "pages" | "bytes" | "tables" | "figures" | "outline"): number =>
      all.reduce((total, each) => total + each[key], 0);
    const result: Result = {
      input: {
        pages: sum("pages"),
        bytes: sum("bytes"),
        tables: sum("tables"),
        figures: sum("figures"),
        outline: sum("outline"),
      },
      joined: await measured({ report, before: [before], after: [after] }, merging, rounds),
      alone: {
        bytes: report.length,
        rows: await measured({ report, before: [], after: [] }, finishing, rounds),
      },
    };
    return { text: textOf(result), json: { targets, ...result } };
  } finally {
    await remove();
  }
}

const finishing: Contender[] = ["own finisher", "own finisher, PDF/UA", "own finisher, PDF/UA and PDF/A"];
const merging: Contender[] = [...finishing, "@cantoo/pdf-lib, copyPages", "@cantoo/pdf-lib, report as base"];

/** All in turns, so that a moment of load does not hit one of them alone. */
async function measured(input: Input, contenders: Contender[], rounds: number): Promise<Row[]> {
  const series = contenders.map((contender) => ({
    contender,
    process: new MeasuredProcess(contender),
    times: [] as Measured[],
  }));
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const { process, times } of series) times.push(await process.measure(input));
      process.stderr.write(`round ${round} of ${rounds}\n`);
    }
  } finally {
    for (const { process } of series) process.stop();
  }
  const rows: Row[] = [];
  for (const { contender, times } of series) {
    const [first, ...warm] = times;
    if (first === undefined) throw new Error("nothing was measured");
    const milliseconds = warm.map((each) => each.milliseconds);
    rows.push({
      contender,
      first: first.milliseconds,
      warm: median(milliseconds),
      best: Math.min(...milliseconds),
      cpu: median(warm.map((each) => each.cpu)),
      contents: await contentsOf(first.content),
    });
  }
  return rows;
}

function textOf({ input, joined, alone }: Result): string {
  const pages = `${input.pages} pages, ${mebibytes(input.bytes)} MiB, ${input.tables} tables and ${input.figures} figures tagged`;
  return [
    `Joining 21 + 105 + 21: ${pages}, ${input.outline} outline entries`,
    `(targets: warm at most ${targets.merge} ms, at most ${targets.share * 100} % of the bytes, nothing lost)`,
    tableOf(joined, input.bytes),
    "",
    `The 105 pages alone, ${mebibytes(alone.bytes)} MiB (target: PDF/UA warm at most ${targets.alone} ms)`,
    tableOf(alone.rows, alone.bytes),
  ].join("\n");
}

function tableOf(rows: Row[], bytes: number): string {
  const head = [
    "",
    "first ms",
    "warm",
    "best",
    "CPU",
    "MiB",
    "of input",
    "tables",
    "figures",
    "outline",
    "title",
    "qpdf",
  ];
  const lines = rows.map(({ contender, first, warm, best, cpu, contents }) => [
    contender,
    ...[first, warm, best, cpu].map(short),
    mebibytes(contents.bytes),
    `${((contents.bytes / bytes) * 100).toFixed(0)} %`,
    ...[contents.tables, contents.figures, contents.outline].map(String),
    contents.title || "lost",
    contents.clean === undefined ? "-" : contents.clean ? "clean" : "not clean",
  ]);
  return table([head, ...lines]);
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(2);
}
