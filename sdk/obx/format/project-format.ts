/** What becomes of each part of a project file: the tables of this folder as one, to be asked by name. */
import { basketFormat } from "./basket-format.js";
import type { FormatRow, Treatment } from "./format-row.js";
import { headerFormat } from "./header-format.js";
import { itemFormat } from "./item-format.js";
import { priceFormat } from "./price-format.js";
import { viewFormat } from "./view-format.js";

/** The tables by the part of the files that they are about, in the order of reading. */
export const projectFormat: readonly (readonly [title: string, rows: readonly FormatRow[]])[] = [
  ["Header: metainf.xml of an OBK", headerFormat],
  ["Around the items: 1.bsk of an OBK, and OBX", basketFormat],
  ["Items, in both", itemFormat],
  ["Prices of an OBK", priceFormat],
  ["Views of an OBK", viewFormat],
];

const treatments = tableOf(projectFormat.flatMap(([, rows]) => rows));

function tableOf(rows: readonly FormatRow[]): Map<string, Map<string, Treatment>> {
  const table = new Map<string, Map<string, Treatment>>();
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
  for (const [elements, parts, treatment] of rows) {
    for (const element of words(elements)) {
      const known = table.get(element) ?? new Map<string, Treatment>();
      table.set(element, known);
      for (const part of words(parts)) if (!known.has(part)) known.set(part, treatment);
    }
  }
  return table;
}

/**
 * What becomes of a part of an element: `@name` or the name of a child. Undefined where nobody here knows it; an element
 * that no table has is not looked into.
 */
export function treatmentOf(element: string, part: string): Treatment | undefined {
  const parts = treatments.get(element);
  return parts?.get(part) ?? parts?.get("*");
}

/** Whether the content of an element is not looked at part by part. */
export function isOpaque(element: string): boolean {
  return treatments.get(element)?.has("*") ?? true;
}

/** Elements that are items of the basket. */
export const itemElements: ReadonlySet<string> = new Set(
  "topFolder bskFolder bskArticle usrArticle setArticle bskText".split(" "),
);

/** Values of kept attributes that are written when nothing is known, and so need not be kept. */
export const usualValues: ReadonlyMap<string, string> = new Map([
  ["roundingModes@discount", "none"],
  ["taxType@rndpos", "header"],
  ["docCalculation@usedFeatures", "LevelTree"],
]);
