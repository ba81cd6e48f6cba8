/** Views with their items and position numbers. */
import { createHash } from "node:crypto";
import type { Item, ProjectDocument, View, ViewItem } from "../../project/document.js";
import { itemIndex, type PlacedItem } from "../../project/item-tree.js";
import { articleIdentity } from "../../views/merge-nodes.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import type { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { treeOf } from "./kept-tree.js";
import { fileName } from "./procedure-names.js";
import { displayModes, expansions, mergeModes, setArticleModes } from "./read-views.js";
import { topFolderId, topItemId } from "./stable-id.js";
import { flag } from "./write-context.js";

/** Data for the lines of all views. */
interface ViewContext {
  index: ReadonlyMap<string, PlacedItem>;
  identity(item: Item): string;
}

export function writeViews(writer: KeepingXmlWriter, project: ProjectDocument): void {
  const context = { index: itemIndex(project), identity: articleIdentity(project) };
  for (const view of project.views ?? []) {
    writer.expect(view.kept && treeOf(view.kept));
    // Files of EAI-Server 4.15 use this element for views with merged lines.
    writer.open(view.mergeMode === "None" ? "view" : "view.4", { id: view.id, name: view.name });
    writer.element("viewCounts", "", { items: countOf(view.items) + 1 });
    writer.open("viewConfig");
    writeMode(writer, view);
    writer.close();
    writer.open("folder", {
      viewId: topItemId(project, view),
      basketId: topFolderId(project),
    });
    for (const item of view.items) writeViewItem(writer, item, view, context);
    writer.close();
    writer.close();
  }
}

function countOf(items: readonly ViewItem[]): number {
  return items.reduce((sum, { children }) => sum + 1 + countOf(children ?? []), 0);
}

/** In the order of the original files, which omit defaults. */
function writeMode(writer: XmlWriter, view: View): void {
  const unlessShown = (shown: boolean): string | undefined => (shown ? undefined : flag(shown));
  writer.element("displayMode", "", {
    mode: fileName(displayModes, view.displayMode),
    ...Object.fromEntries(
      expansions.map(([attribute, name]) => [attribute, flag(view.expand.includes(name))]),
    ),
    txtVisible: view.showTexts ? flag(true) : undefined,
    nonOfferArtVisible: unlessShown(view.showNonOffer),
    nonOrderArtVisible: unlessShown(view.showNonOrder),
    mergeMode: view.mergeMode === "None" ? undefined : fileName(mergeModes, view.mergeMode),
    hiddenDiscounts: flag(view.hiddenDiscounts),
    setArticleMode: fileName(setArticleModes, view.setArticleMode),
  });
}

/** A line that refers to no item and has no children carries no information and is omitted. */
function writeViewItem(writer: XmlWriter, line: ViewItem, view: View, context: ViewContext): void {
  const { children = [], positionNumber, quantity } = line;
  if (line.basketItemIds.length === 0 && children.length === 0) return;
  if (isMerged(line, view, context)) openMerged(writer, line, context);
  else openPlain(writer, line, context);
  if (positionNumber !== "") writer.element("posNr", "", { value: positionNumber });
  if (quantity) writer.element("quantity", "", { count: quantity.value, unit: quantity.unit });
  for (const child of children) writeViewItem(writer, child, view, context);
  writer.close();
}

/**
 * In files of EAI-Server 4.15, every article of the views Summarized, Summarized-Compact and Flat list is a
 * merged line, even a single one; in Compact, only lines of several articles are.
 */
function isMerged({ basketItemIds }: ViewItem, { mergeMode }: View, { index }: ViewContext): boolean {
  if (basketItemIds.length !== 1) return basketItemIds.length > 1;
  if (mergeMode === "None" || mergeMode === "Compact") return false;
  const type = basketItemIds.map((id) => index.get(id)?.item.type)[0];
  return type !== "folder" && type !== "text" && type !== "setArticle";
}

function openPlain(writer: XmlWriter, { id, basketItemIds }: ViewItem, { index }: ViewContext): void {
  const [basketId] = basketItemIds;
  const type = basketId === undefined ? "folder" : (index.get(basketId)?.item.type ?? "article");
  writer.open(type, { viewId: id, basketId });
}

function openMerged(writer: XmlWriter, { id, basketItemIds }: ViewItem, context: ViewContext): void {
  writer.open("mergedArticle", { viewId: id, digest: digest(basketItemIds, context) });
  for (const itemId of basketItemIds) writer.element("bskItemRef", "", { itemId });
}

/**
 * A checksum that is equal for lines with the same articles, in the format of the other checksums in these
 * files.
 */
function digest(basketItemIds: readonly string[], { index, identity }: ViewContext): string {
  const identities = basketItemIds.map((id) => {
    const item = index.get(id)?.item;
    return item === undefined ? id : identity(item);
  });
  const distinct = [...new Set(identities)].sort();
  return createHash("md5").update(distinct.join("\n"), "utf8").digest("base64").replaceAll("=", "");
}
