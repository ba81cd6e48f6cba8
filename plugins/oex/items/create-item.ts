/** Creates a document item from a project item; sets (OEX reference, section 5.3) without their members. */
import type { FolderItem, SetArticleItem, TextItem } from "@slipway/sdk";
import type { OexFolder, OexItem, OexSet, OexTextItem, PricingLine } from "../document/oex-document.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { articleTexts, folderTexts, textItemTexts } from "../texts/item-texts.js";
import { createArticle } from "./create-article.js";
import { type ItemContext, type ItemTools, itemContext } from "./item-context.js";
import { clientNumber, itemPlace, itemQuantity, pictureReferences, placeData } from "./item-fields.js";

// Folders and text items (OEX reference, sections 5.4 and 5.5).

/** Placeholder for a missing or unreadable name. */
const unnamed = "-";

/**
 * Creates the document item (OEX reference, sections 5, 8 and 11 to 14). `pricing`: its price lines; folders and texts
 * have none. `tools`: from `itemTools`, shared by all items of an export. Values that do not fit are repaired and
 * reported; unreadable texts and pictures are left out, with `item-text-error` and `item-image-error`. Only the
 * pictures of one item are in memory at a time.
 */
export async function createItem(
  selected: SelectedItem,
  pricing: PricingLine[],
  tools: ItemTools,
): Promise<OexItem> {
  const { item } = selected;
  const own = itemContext(selected, tools);
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

/** Creates the folder without its content. */
function createFolder(item: FolderItem, context: ItemContext): OexFolder {
  const { configuration, format, locations, reader, repairs, selected } = context;
  const name = repairs.line("name", reader.best(item.name, { itemId: item.id, field: "name" }));
  if (name === undefined)
    repairs.report("name", "", "its position is written, because the folder has no name");
  const marksLocations = format.version === "3.1" && configuration.exportRoomInformation;
  return {
    kind: "folder",
    ...itemPlace(context),
    name: name ?? (selected.position || unnamed),
    ...(marksLocations && { isLocation: locations.isLocation(item) }),
    texts: folderTexts(item, context),
  };
}

/** A text between the articles. */
function createTextItem(item: TextItem, context: ItemContext): OexTextItem {
  const { name, texts } = textItemTexts(item, context);
  return {
    kind: "text",
    ...itemPlace(context),
    name: context.repairs.requiredLine("text", name, Number.POSITIVE_INFINITY, unnamed),
    texts,
  };
}

/** Name of a set that has neither name nor number. */
const unnamedSet = "Set";

/** Creates the set without its members, which are separate items. */
async function createSet(
  item: SetArticleItem,
  pricing: PricingLine[],
  context: ItemContext,
): Promise<OexSet> {
  const { format, repairs } = context;
  const number = repairs.line("articleNumber", item.articleNumber);
  const vendor = context.codes.manufacturer(item, repairs);
  const series = context.codes.seriesOf(item, repairs);
  return {
    kind: "set",
    ...itemPlace(context),
    ...clientNumber(item, context),
    // A set with a manufacturer comes from its catalog; other sets are composed by the user.
    ...(number !== undefined && {
      articleNumber: { value: number, status: vendor === undefined ? "C" : "O" },
    }),
    ...(vendor !== undefined && { vendor }),
    ...(series !== undefined && { series }),
    ...itemQuantity(item, context),
    organisation: format.version === "3.1" ? placeData(item, context) : [],
    texts: articleTexts(item, number ?? unnamedSet, context),
    references: await pictureReferences(item, context),
    pricing,
  };
}
