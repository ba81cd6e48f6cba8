/** Reads the members that all items of the basket share. */
import type { CustomText, KeptParts } from "../../project/document.js";
import { readAppData, readCustomTexts } from "./app-data.js";
import { present } from "./present.js";
import { type ReadContext, warn } from "./read-context.js";
import { keptParts } from "./read-kept.js";
import { stableId } from "./stable-id.js";
import { attributeOf, childOf, childrenOf, uuidOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

export interface ItemBase {
  id: string;
  fields?: Record<string, string>;
  customTexts?: CustomText[];
  appData?: Record<string, unknown>;
  kept?: KeptParts;
}

/** Id, column values, additional texts, application data, and kept parts. */
export function readItemBase(element: XmlElement, context: ReadContext): ItemBase {
  return {
    id: readId(element, context),
    ...present({
      fields: readFields(element, context),
      customTexts: readCustomTexts(element),
      appData: readAppData(childOf(element, "appData")),
      kept: keptParts(element, context),
    }),
  };
}

/** A missing or duplicate id is replaced by one derived from the place in the file. */
function readId(element: XmlElement, context: ReadContext): string {
  const stated = uuidOf(element, "basketId");
  const taken = stated !== undefined && context.itemIds.has(stated);
  if (taken) warn(context, element, "the id of an earlier item; it gets another one");
  const id = stated === undefined || taken ? stableId(`${context.idSeed}/${element.path}`) : stated;
  context.itemIds.add(id);
  return id;
}

/** Column id to text, number as text, or picture URI. */
function readFields(element: XmlElement, context: ReadContext): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  for (const field of childrenOf(childOf(element, "itemFields"), "itemField")) {
    const column = uuidOf(field, "columnId");
    const value = field.text === "" ? attributeOf(field, "data") : field.text;
    if (column === undefined || value === undefined) continue;
    fields[column] = value;
    if (/^(gen|imp):/.test(value)) context.imageUris.add(value);
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}
