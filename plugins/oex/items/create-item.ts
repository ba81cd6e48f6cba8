/** An item of the document, made of an item of the project. */

import type { ExportContext } from "../context/export-context.js";
import type { PricingLine } from "../document/frames.js";
import type { OexItem } from "../document/oex-document.js";
import type { SelectedItem } from "../selection/selected-item.js";
import { createArticle } from "./create-article.js";
import { createFolder, createTextItem } from "./create-frame-items.js";
import { createSet } from "./create-set.js";
import { type ItemTools, itemContext } from "./item-context.js";

/**
 * The item as it is written (OEX reference, sections 5, 8 and 11 to 14), with price lines that were made elsewhere;
 * folders and texts have none. `tools` are those of `itemTools`, the same for all items of an export. Values that do
 * not fit are repaired and reported; texts and pictures that cannot be read are left out, with `item-text-error` and
 * `item-image-error`. Pictures are read while the item is made, so that only those of one item are in memory.
 */
export async function createItem(
  selected: SelectedItem,
  pricing: PricingLine[],
  context: ExportContext,
  tools: ItemTools,
): Promise<OexItem> {
  const { item } = selected;
  const own = itemContext(selected, context, tools);
  switch (item.type) {
    case "folder":
      return createFolder(item, own);
    case "text":
      return createTextItem(item, own);
    case "setArticle":
      return await createSet(item, pricing, own);
    default:
      return await createArticle(item, pricing, own);
  }
}
