/** The tree of items, as an OBK and an OBX hold it. */
import type { Item } from "../project/document.js";
import { childrenOf } from "../project/item-tree.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import type { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { keptOf } from "./kept-of-item.js";
import { writeAppData } from "./write-app-data.js";
import { flag, type WriteContext, writeTexts } from "./write-context.js";
import { positionAttributes, writePosition } from "./write-position.js";

/**
 * Writes the items with everything below them, one with each step, so that what is written can be taken on the way and
 * a large project needs no more memory than a small one.
 */
export function* itemSteps(
  writer: KeepingXmlWriter,
  items: readonly Item[],
  context: WriteContext,
): Generator<undefined> {
  for (const item of context.selection.of(items)) {
    writer.expect(keptOf(item, context));
    openItem(writer, item, context);
    writeFields(writer, item);
    writeAppData(writer, item.appData, item.customTexts);
    writer.writeKept();
    yield;
    yield* itemSteps(writer, childrenOf(item), context);
    writer.close();
  }
}

const itemTypes = {
  article: "BasketArticle",
  aggregate: "BasketAggregate",
  partialPlanning: "BasketPartialPlanning",
  ocd: "BasketOCDArticle",
} as const;

/** Begins the element of an item and writes what its kind has of its own. */
function openItem(writer: XmlWriter, item: Item, context: WriteContext): void {
  switch (item.type) {
    case "folder":
      writer.open("bskFolder", { basketId: item.id, showSubTotal: flag(item.showSubTotal) });
      writeTexts(writer, "label", item.name);
      writeTexts(writer, "longLabel", item.longText);
      return;
    case "text":
      writer.open("bskText", { basketId: item.id });
      writeTexts(writer, "label", item.text);
      writeTexts(writer, "longLabel", item.longText);
      return;
    case "article": {
      const attributes = {
        itemType: itemTypes[item.articleKind],
        updateState: item.updateState,
        pseudoArticle: flag(item.pseudoArticle),
      };
      writer.open("bskArticle", positionAttributes(item, attributes));
      writePosition(writer, item, context);
      return;
    }
    case "userArticle":
      writer.open("usrArticle", positionAttributes(item, { itemType: "UserArticle" }));
      writePosition(writer, item, context);
      return;
    case "setArticle": {
      const attributes = { itemType: "SetArticle", collapsed: flag(item.collapsed) };
      writer.open("setArticle", positionAttributes(item, attributes));
      writePosition(writer, item, context);
      return;
    }
  }
}

function writeFields(writer: XmlWriter, item: Item): void {
  const fields = Object.entries(item.fields ?? {});
  if (fields.length === 0) return;
  writer.open("itemFields");
  for (const [columnId, value] of fields) writer.element("itemField", value, { columnId });
  writer.close();
}
