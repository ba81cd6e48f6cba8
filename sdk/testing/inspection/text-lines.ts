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
  const sorted = line.sort((one, other) => one.left - other.left);
  const pieces = sorted.map((run, index) => {
    const before = sorted[index - 1];
    const gap = before === undefined ? 0 : run.left - before.right;
    return gap > run.size * millimetresPerPoint * blankFrom ? ` ${run.text}` : run.text;
  });
  return pieces.join("").replaceAll(/\s+/g, " ").trim();
}
