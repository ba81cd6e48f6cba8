/** Views with their items and position numbers. */
import type { Item, ProjectDocument, View, ViewItem } from "../project/document.js";
import { walkItems } from "../project/item-tree.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { fileName } from "./procedure-names.js";
import { stableId } from "./stable-id.js";
import { displayModes, expansions, mergeModes, setArticleModes } from "./view-names.js";
import { flag } from "./write-flag.js";
import { topFolderId } from "./write-items.js";

/** Writes every view of the project. */
export function writeViews(writer: XmlWriter, project: ProjectDocument): void {
  const types = new Map<string, Item["type"]>();
  for (const { id, type } of walkItems(project.items)) types.set(id, type);
  for (const view of project.views ?? []) {
    writer.open("view", { id: view.id, name: view.name });
    writer.open("viewConfig");
    writeMode(writer, view);
    writer.close();
    writer.open("folder", {
      viewId: stableId(`topFolder/${project.id}/${view.id}`),
      basketId: topFolderId(project),
    });
    for (const item of view.items) writeViewItem(writer, item, types);
    writer.close();
    writer.close();
  }
}

function writeMode(writer: XmlWriter, view: View): void {
  writer.element("displayMode", "", {
    mode: fileName(displayModes, view.displayMode),
    ...Object.fromEntries(
      expansions.map(([attribute, name]) => [attribute, flag(view.expand.includes(name))]),
    ),
    txtVisible: flag(view.showTexts),
    nonOfferVisible: flag(view.showNonOffer),
    nonOrderVisible: flag(view.showNonOrder),
    hiddenDiscounts: flag(view.hiddenDiscounts),
    setArticleMode: fileName(setArticleModes, view.setArticleMode),
    mergeMode: view.mergeMode === "None" ? undefined : fileName(mergeModes, view.mergeMode),
  });
}

function writeViewItem(writer: XmlWriter, item: ViewItem, types: ReadonlyMap<string, Item["type"]>): void {
  const [first] = item.basketItemIds;
  const merged = item.basketItemIds.length !== 1;
  const name = merged || first === undefined ? "mergedArticle" : (types.get(first) ?? "article");
  writer.open(name, { viewId: item.id, basketId: merged ? undefined : first });
  if (merged) for (const id of item.basketItemIds) writer.element("basketItem", "", { id });
  writer.element("posNr", "", { value: item.positionNumber });
  if (item.quantity) {
    writer.element("quantity", "", { count: item.quantity.value, unit: item.quantity.unit });
  }
  for (const child of item.children ?? []) writeViewItem(writer, child, types);
  writer.close();
}
