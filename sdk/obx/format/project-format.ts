/** What becomes of each part of a project file: the tables of this folder as one, to be asked by name. */
import { basketFormat } from "./basket-format.js";
import type { FormatRow, Treatment } from "./format-row.js";
import { headerFormat } from "./header-format.js";
import { itemFormat } from "./item-format.js";
import { priceFormat } from "./price-format.js";

/** What stands in the views of an OBK. */
const items = "folder article aggregate partialPlanning userArticle mergedArticle merged group";

const allItems = `${items} setArticle text`;

const viewFormat: readonly FormatRow[] = [
  ["view", "@id @name", "read", "same name"],
  ["view", "viewConfig", "read", ""],
  ["view", "viewCounts", "skipped", "no effect: counted anew"],
  ["viewCounts", "*", "skipped", "no effect: counted anew"],
  ["viewConfig", "displayMode", "read", ""],
  ["viewConfig", "sortOrder visibleColumns", "kept", ""],
  ["sortOrder visibleColumns", "*", "kept", ""],
  ["displayMode", "@mode @mergeMode @setArticleMode", "read", "`displayMode`, `mergeMode`, `setArticleMode`"],
  ["displayMode", "@expGroup @expPlFolder @expBskFolder @expPartPl @expAggr", "read", "`expand`"],
  ["displayMode", "@txtVisible", "read", "`showTexts`"],
  ["displayMode", "@nonOfferArtVisible @nonOrderArtVisible", "read", "`showNonOffer`, `showNonOrder`"],
  ["displayMode", "@nonOfferVisible @nonOrderVisible", "read", "the same, in files of earlier versions"],
  ["displayMode", "@hiddenDiscounts", "read", "`hiddenDiscounts`"],
  [`view ${allItems}`, allItems, "read", "`items`, `children`"],
  [
    allItems,
    "@viewId @basketId",
    "read",
    "`id`, `basketItemIds`; of the folder around everything `topItemId`",
  ],
  [allItems, "posNr quantity", "read", "`positionNumber`, `quantity`"],
  [allItems, "bskItemRef basketItem", "read", "`basketItemIds`"],
  [allItems, "@digest", "skipped", "no effect: made anew from the articles of the line"],
  ["posNr", "@value", "read", "`positionNumber`"],
  ["bskItemRef", "@itemId", "read", "`basketItemIds`"],
  ["basketItem", "@id @basketId", "read", "`basketItemIds`, by one of two names"],
];

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
