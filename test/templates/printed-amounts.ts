/** Projects of large amounts, and what must hold for the amounts on a page. */
import { type ArticleItem, formatAmount, type Item, type Locale, type ProjectDocument } from "@slipway/sdk";
import type { PrintedPage, PrintedRun } from "./printed-pages.js";
import { article, fullProject, project } from "./quote-project.js";

/** 98,765.5 metres. */
const quantity = { value: "98765.5", unit: "MTR" };

/** A price with so many digits before the point, such as "1234.56"; its last digit is even. */
export function priceOf(digits: number): string {
  return `${"1234567890".repeat(2).slice(0, digits)}.34`;
}

/** One article with such a price, and that many metres of it. */
export function largeAmount(digits: number): ProjectDocument {
  return project([article(1, { quantity, productPrices: priceIn(digits) })]);
}

/** What `largeAmount` costs: the price of 98,765.5 metres. */
export function totalOf(digits: number): string {
  const tenths = BigInt(priceOf(digits).replace(".", "")) * BigInt("987655");
  const cents = String(tenths / BigInt(10));
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** Discounts, sub-totals, parts, alternatives and two taxes, at such prices. */
export function largeAmounts(digits: number): ProjectDocument {
  const full = fullProject();
  return { ...full, items: full.items.map((item) => enlarged(item, digits)) };
}

function enlarged(item: Item, digits: number): Item {
  if (item.type === "text") return item;
  const children = item.children?.map((child) => enlarged(child, digits));
  const grown = children ? { ...item, children } : item;
  if (grown.type !== "article") return grown;
  const prices: NonNullable<ArticleItem["productPrices"]> = (grown.productPrices ?? []).map((price) => ({
    ...price,
    base: { value: priceOf(digits), currency: "GBP" },
  }));
  return { ...grown, quantity: { ...grown.quantity, value: quantity.value }, productPrices: prices };
}

function priceIn(digits: number): ArticleItem["productPrices"] {
  return [{ side: "sales", base: { value: priceOf(digits), currency: "GBP" } }];
}

/** What is wrong with the pages: texts beyond the margins or over each other, and amounts that are not whole. */
export function faultsOf(pages: PrintedPage[], locale: Locale): string[] {
  return pages.flatMap((page) => [...misplaced(page), ...broken(page, locale)]);
}

/** Texts of a page; what stands on one line without the distance of a column is one text. Blanks are plain. */
export function phrases(page: PrintedPage): string[] {
  return linesOf(page).flatMap((line) => {
    const texts: string[] = [];
    let end = Number.NEGATIVE_INFINITY;
    for (const run of line) {
      const gap = run.left - end;
      if (gap < 1.2) texts.push(`${texts.pop()}${gap > 0.2 ? " " : ""}${plain(run.text)}`);
      else texts.push(plain(run.text));
      end = run.right;
    }
    return texts;
  });
}

/** Blanks between groups of digits have several kinds, and none in a PDF. */
export function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f\u2009]/g, " ").replaceAll(/[\u200e\u200f\u2066-\u2069]/g, "");
}

function misplaced(page: PrintedPage): string[] {
  const outside = page.runs.filter(
    (run) => run.text.trim() !== "" && (run.left < 19 || run.right > page.width - 19),
  );
  const covered = linesOf(page).flatMap((line) =>
    line.filter((run, index) => {
      const before = line[index - 1];
      const isOver = before !== undefined && run.left < before.right - 0.3;
      return isOver && /\d/.test(before.text + run.text);
    }),
  );
  return [
    ...outside.map((run) => `beyond the margin: ${run.text}`),
    ...covered.map((run) => `over another text: ${run.text}`),
  ];
}

/** Numbers of at least nine digits that are not written as an amount in pounds is. */
function broken(page: PrintedPage, locale: Locale): string[] {
  return phrases(page).flatMap((phrase) => {
    const numbers = phrase.match(/\d[\d.,’' ]{6,}\d/g) ?? [];
    return numbers.filter((number) => {
      const digits = number.replaceAll(/\D/g, "");
      const value = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
      return digits.length >= 9 && plain(formatAmount(locale, value, "GBP")) !== number;
    });
  });
}

function linesOf(page: PrintedPage): PrintedRun[][] {
  const lines: PrintedRun[][] = [];
  for (const run of page.runs.filter(({ text }) => text.trim() !== "")) {
    const line = lines.find(
      ([first]) => first !== undefined && Math.abs(first.baseline - run.baseline) < 0.3,
    );
    if (line) line.push(run);
    else lines.push([run]);
  }
  return lines.map((line) => line.sort((one, other) => one.left - other.left));
}
