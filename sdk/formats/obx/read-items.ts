/** The tree of items: children of `topFolder` in an OBK, of `items` in an OBX. */
import type { ArticleItem, FolderItem, Item, TextItem } from "../../project/document.js";
import { present } from "./present.js";
import { readArticle, readSetArticle, readUserArticle } from "./read-article.js";
import { type ReadContext, warn } from "./read-context.js";
import { readItemBase } from "./read-item-base.js";
import { childOf, childrenOf, flagOf, plainName, textsIfAny, textsOf, uuidOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Elements that are items; all other elements below an item are parts of it. */
const readers = new Map<string, (element: XmlElement, context: ReadContext) => Item>([
  ["topFolder", readFolder],
  ["bskFolder", readFolder],
  ["bskArticle", (element, context) => readArticle(element, () => readChildren(element, context), context)],
  [
    "usrArticle",
    (element, context) => readUserArticle(element, () => readChildren(element, context), context),
  ],
  [
    "setArticle",
    (element, context) => readSetArticle(element, () => readChildren(element, context), context),
  ],
  ["bskText", readText],
]);

/** The items below an element, in document order, with sub-articles under their main article. */
export function readItems(element: XmlElement | undefined, context: ReadContext): Item[] {
  if (!element) return [];
  const items = readChildren(element, context);
  connectParts(items);
  return items;
}

function readChildren(parent: XmlElement, context: ReadContext): Item[] {
  const pairs = parent.children.flatMap((element) => {
    const read = readers.get(plainName(element.name));
    return read ? [{ element, item: read(element, context) }] : [];
  });
  const byId = new Map(pairs.map(({ item }) => [item.id, item]));
  const kept: Item[] = [];
  for (const { element, item } of pairs) {
    const main = mainItem(element, item, byId, context);
    if (main === undefined) kept.push(item);
    else {
      main.children ??= [];
      main.children.push(item);
    }
  }
  return kept;
}

/** The composite of an article that is stored next to it. */
function mainItem(
  element: XmlElement,
  item: Item,
  siblings: ReadonlyMap<string, Item>,
  context: ReadContext,
): ArticleItem | undefined {
  const reference = childOf(element, "mainItem");
  const id = uuidOf(reference, "id");
  if (reference === undefined || id === undefined || item.type !== "article") return undefined;
  item.mainArticleId = id;
  const main = siblings.get(id);
  if (main?.type === "article" && main !== item) return main;
  if (!context.itemIds.has(id))
    warn(context, reference, "the main article of this sub-article is not in the file");
  return undefined;
}

/** Sets the composite or set that parts belong to. */
function connectParts(items: Item[], composite?: string): void {
  for (const item of items) {
    if (item.type === "text") continue;
    if (item.type === "article" && composite !== undefined) item.mainArticleId ??= composite;
    const children = item.children ?? [];
    if (item.type === "setArticle") {
      for (const child of children) if (child.type === "article") child.setArticleId ??= item.id;
    }
    connectParts(children, item.type === "article" ? (composite ?? item.id) : undefined);
  }
}

function readFolder(element: XmlElement, context: ReadContext): FolderItem {
  return {
    type: "folder",
    ...readItemBase(element, context),
    name: textsOf(childrenOf(element, "label")),
    ...present({
      longText: textsIfAny(childrenOf(element, "longLabel")),
      showSubTotal: flagOf(element, "showSubTotal"),
    }),
    children: readChildren(element, context),
  };
}

function readText(element: XmlElement, context: ReadContext): TextItem {
  return {
    type: "text",
    ...readItemBase(element, context),
    text: textsOf(childrenOf(element, "label")),
    ...present({ longText: textsIfAny(childrenOf(element, "longLabel")) }),
  };
}
