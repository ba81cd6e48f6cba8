/** What tests ask of the pages of a quote. */
import type { PrintedPage, PrintedRun } from "./printed-pages.js";

/** Rounded members of a page or run. */
export function rounded<Name extends string>(
  value: Record<Name, number> | undefined,
  ...names: Name[]
): number[] {
  return value === undefined ? [] : names.map((name) => Math.round(value[name]));
}

export function run(page: PrintedPage, text: string): PrintedRun {
  return runOf([page], text);
}

/** The first run with this text, below `top` millimetres. */
export function runOf(pages: PrintedPage[], text: string, top = 0): PrintedRun {
  const found = pages.flatMap((page) => page.runs).find((each) => each.text === text && each.baseline > top);
  if (found === undefined) throw new Error(`No page shows "${text}"`);
  return found;
}

/** Label, which may have an amount, too, and amount of the lines of the totals block. */
export function totals(page: PrintedPage): [string, string][] {
  return page.runs.flatMap((first): [string, string][] => {
    const line = page.runs.filter((each) => Math.abs(each.baseline - first.baseline) < 0.5);
    const amount = line.find((each) => Math.abs(each.right - 190) < 1);
    const label = line.filter((each) => each !== amount).map((each) => each.text);
    const isTotal = amount !== undefined && /^GBP -?[\d,.]+$/.test(amount.text);
    return isTotal && Math.abs(first.left - 95) < 1 ? [[label.join(" "), amount.text]] : [];
  });
}

/** Distances from the upper edge of the short rules at the left edge of the paper. */
export function marks(page: PrintedPage): number[] {
  return page.boxes
    .filter((box) => box.right < 12 && box.right - box.left > 2 && box.bottom - box.top < 0.5)
    .map((box) => box.top)
    .sort((one, other) => one - other);
}
