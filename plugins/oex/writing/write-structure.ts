/** Sets, folders and text items, which 3.x knows (OEX reference, sections 5.3 to 5.5). */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";
import type { OexFolder, OexSet, OexTextItem } from "../document/oex-document.js";
import type { FormatNames } from "./format-names.js";
import { itemFrames } from "./frames/frame-names.js";
import { writePricing } from "./frames/pricing-frame.js";
import { writeOrganisation, writeReference, writeText } from "./frames/shared-frames.js";
import { writeOptional, writeValue, yesNo } from "./values.js";

export function writeSet(
  writer: XmlWriter,
  names: FormatNames,
  set: OexSet,
  attributes: XmlAttributes,
): void {
  writer.open("docSetItem", attributes);
  writeNumbers(writer, names, set);
  writeOptional(writer, "vClientArticleNo", set.clientArticleNumber);
  const { articleNumber } = set;
  if (articleNumber !== undefined) {
    writeValue(writer, "vVendorArticleNo", articleNumber.value, { aStatus: articleNumber.status });
  }
  writeOptional(writer, "vVendorID", set.vendor);
  writeOptional(writer, "vVendorSeries", set.series);
  writeValue(writer, names.quantity, set.quantity);
  writeValue(writer, names.unit, set.unit);
  for (const datum of set.organisation) writeOrganisation(writer, itemFrames, datum);
  for (const text of set.texts) writeText(writer, itemFrames, text);
  for (const reference of set.references) writeReference(writer, itemFrames, reference);
  writePricing(writer, itemFrames, set.pricing, names.pricedUnit);
  writer.close();
}

export function writeFolder(
  writer: XmlWriter,
  names: FormatNames,
  folder: OexFolder,
  attributes: XmlAttributes,
): void {
  writer.open("docFolderItem", attributes);
  writeNumbers(writer, names, folder);
  writeValue(writer, "vFolderName", folder.name);
  if (folder.isLocation !== undefined) writer.element("vFolderIsLOC", yesNo(folder.isLocation));
  for (const text of folder.texts) writeText(writer, itemFrames, text);
  writer.close();
}

export function writeTextItem(
  writer: XmlWriter,
  names: FormatNames,
  item: OexTextItem,
  attributes: XmlAttributes,
): void {
  writer.open("docTextItem", attributes);
  writeNumbers(writer, names, item);
  writeValue(writer, "vItemName", item.name);
  for (const text of item.texts) writeText(writer, itemFrames, text);
  writer.close();
}

function writeNumbers(writer: XmlWriter, names: FormatNames, item: OexSet | OexFolder | OexTextItem): void {
  writeValue(writer, names.itemNumber, item.itemNumber);
  writeOptional(writer, names.topLevelNumber, item.topLevelNumber);
}
