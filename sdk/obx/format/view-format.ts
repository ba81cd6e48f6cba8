/** What stands in the views of an OBK. */
import type { FormatRow } from "./format-row.js";

const items = "folder article aggregate partialPlanning userArticle mergedArticle merged group";
const allItems = `${items} setArticle text`;

export const viewFormat: readonly FormatRow[] = [
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
