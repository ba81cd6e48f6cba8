/** Views with their items and position numbers. */
import type { Item, ProjectDocument, View, ViewItem } from "../project/document.js";
import { fileName } from "./procedure-names.js";
import { stableId } from "./stable-id.js";
import { displayModes, expansions, mergeModes, setArticleModes } from "./view-names.js";
import { topFolderId } from "./write-items.js";
import { append, type Builder, flag } from "./xml-writing.js";

/** Appends every view of the project. */
export function writeViews(root: Builder, project: ProjectDocument): void {
  const types = new Map<string, Item["type"]>();
  collectTypes(project.items, types);
  for (const view of project.views ?? []) {
    const element = append(root, "view", { id: view.id, name: view.name });
    writeMode(append(element, "viewConfig"), view);
    const folder = append(element, "folder", {
      viewId: stableId(`topFolder/${project.id}/${view.id}`),
      basketId: topFolderId(project),
    });
    for (const item of view.items) writeViewItem(folder, item, types);
  }
}

function writeMode(config: Builder, view: View): void {
  append(config, "displayMode", {
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

function writeViewItem(parent: Builder, item: ViewItem, types: ReadonlyMap<string, Item["type"]>): void {
  const [first] = item.basketItemIds;
  const merged = item.basketItemIds.length !== 1;
  const name = merged || first === undefined ? "mergedArticle" : (types.get(first) ?? "article");
  const element = append(parent, name, { viewId: item.id, basketId: merged ? undefined : first });
  if (merged) for (const id of item.basketItemIds) append(element, "basketItem", { id });
  append(element, "posNr", { value: item.positionNumber });
  if (item.quantity) append(element, "quantity", { count: item.quantity.value, unit: item.quantity.unit });
  for (const child of item.children ?? []) writeViewItem(element, child, types);
}

function collectTypes(items: readonly Item[], types: Map<string, Item["type"]>): void {
  for (const item of items) {
    types.set(item.id, item.type);
    if (item.type !== "text") collectTypes(item.children ?? [], types);
  }
}
