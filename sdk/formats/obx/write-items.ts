/** Writes the tree of items, for OBK and OBX. */
import type { Item } from "../../project/document.js";
import { childrenOf } from "../../project/item-tree.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { writeAppData } from "./app-data.js";
import type { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { keptOf } from "./kept-of-item.js";
import { flag, type WriteContext, writeTexts } from "./write-context.js";
import { positionAttributes, writePosition } from "./write-position.js";

/**
 * Writes the items with all descendants, one per step, so that output can be consumed in between and memory
 * does not grow with the size of the project.
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

/** Opens the element of an item and writes the parts specific to its type. */
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
