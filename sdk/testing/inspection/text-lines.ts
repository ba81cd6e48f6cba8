import type { PdfRun } from "./pdf-content.js";

const millimetresPerPoint = 25.4 / 72;
/** What a baseline may be off, as a share of the size of the type. */
const sameHeight = 0.25;
/** From this gap on there is a blank between two runs, as a share of the size of the type. */
const blankFrom = 0.1;

/** Runs with the blanks around them as lines from top to bottom, each from left to right. */
export function textLines(runs: readonly PdfRun[]): string[] {
  const lines: PdfRun[][] = [];
  for (const run of [...runs].filter(hasText).sort((one, other) => one.baseline - other.baseline)) {
    const line = lines.at(-1);
    const first = line?.[0];
    if (line !== undefined && first !== undefined && areLevel(first, run)) line.push(run);
    else lines.push([run]);
  }
  return lines.map(lineText);
}

function hasText({ text }: PdfRun): boolean {
  return text.trim() !== "";
}

function areLevel(one: PdfRun, other: PdfRun): boolean {
  const size = Math.min(one.size, other.size) * millimetresPerPoint;
  return Math.abs(one.baseline - other.baseline) <= size * sameHeight;
}

function lineText(line: PdfRun[]): string {
  return flowingText(line.sort((one, other) => one.left - other.left));
}

/** Runs with the blanks around them as one text; no blank where one run goes on where the other ends. */
export function flowingText(runs: readonly PdfRun[]): string {
  const pieces = runs.map((run, index) => {
    const before = runs[index - 1];
    return before === undefined || goesOn(before, run) ? run.text : ` ${run.text}`;
  });
  return pieces.join("").replaceAll(/\s+/g, " ").trim();
}

function goesOn(before: PdfRun, run: PdfRun): boolean {
  const gap = Math.abs(run.left - before.right);
  return areLevel(before, run) && gap <= run.size * millimetresPerPoint * blankFrom;
}
