import type { XmlAttributes, XmlWriter } from "@slipway/sdk";
import type {
  Configuration,
  OexArticle,
  OexFolder,
  OexItem,
  OexSet,
  OexTextItem,
  OexVersion,
} from "../document/oex-document.js";
import { checkItem, type FormatNames } from "./format-names.js";
import {
  itemFrames,
  writeLanguage,
  writeLines,
  writeMeasures,
  writeOrganisation,
  writePricing,
  writeReference,
  writeText,
} from "./frames.js";
import { demanded, writeOptional, writeValue, yesNo } from "./values.js";

/** Articles come first, then sets, folders and texts (OEX reference, section 3). */
const ranks: Record<OexItem["kind"], number> = { article: 0, set: 1, folder: 2, text: 3 };

/** Writes and numbers the items of one document. */
export class ItemSequence {
  readonly #names: FormatNames;
  #count = 0;
  #rank = 0;

  constructor(names: FormatNames) {
    this.#names = names;
  }

  /** Writes the next item; throws if the format does not allow it, or not at this position. */
  write(writer: XmlWriter, item: OexItem): void {
    const rank = ranks[item.kind];
    if (rank < this.#rank)
      throw new Error(`the ${item.kind} ${item.itemNumber} comes too late in the OEX document`);
    if (this.#count === 0 && rank > 0) throw new Error("the OEX document has no articles");
    this.#rank = rank;
    this.#count += 1;
    checkItem(item, this.#names.format);
    const attributes = this.#attributes(item);
    switch (item.kind) {
      case "article":
        writeArticle(writer, this.#names, item, attributes);
        break;
      case "set":
        writeSet(writer, this.#names, item, attributes);
        break;
      case "folder":
      case "text":
        writeFolderOrText(writer, this.#names, item, attributes);
        break;
    }
  }

  /** Throws if the number of items differs from the announced one. */
  end(announced: number): void {
    if (announced === 0) throw new Error("the OEX document has no items");
    if (this.#count !== announced)
      throw new Error(`the OEX document tells ${announced} items and has ${this.#count}`);
  }

  #attributes(item: OexItem): XmlAttributes {
    const names = this.#names;
    const id = names.itemsHaveId ? demanded("aUUID", item.id) : undefined;
    const attributes = { aItemNo: this.#count, aAction: "C", aUUID: id };
    const type = "itemType" in item ? item.itemType : undefined;
    return type === undefined ? attributes : { ...attributes, [names.itemType]: type };
  }
}

/** Sets, folders and text items exist in 3.x only (OEX reference, sections 5.3 to 5.5). */
function writeSet(writer: XmlWriter, names: FormatNames, set: OexSet, attributes: XmlAttributes): void {
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

function writeFolderOrText(
  writer: XmlWriter,
  names: FormatNames,
  item: OexFolder | OexTextItem,
  attributes: XmlAttributes,
): void {
  const isFolder = item.kind === "folder";
  writer.open(isFolder ? "docFolderItem" : "docTextItem", attributes);
  writeNumbers(writer, names, item);
  writeValue(writer, isFolder ? "vFolderName" : "vItemName", item.name);
  if (isFolder && item.isLocation !== undefined) writer.element("vFolderIsLOC", yesNo(item.isLocation));
  for (const text of item.texts) writeText(writer, itemFrames, text);
  writer.close();
}

function writeNumbers(writer: XmlWriter, names: FormatNames, item: OexSet | OexFolder | OexTextItem): void {
  writeValue(writer, names.itemNumber, item.itemNumber);
  writeOptional(writer, names.topLevelNumber, item.topLevelNumber);
}

// Articles (OEX reference, section 5.2; for 2.3 section 16.2).

/** `attributes`: those shared by all kinds of items. */
function writeArticle(
  writer: XmlWriter,
  names: FormatNames,
  article: OexArticle,
  attributes: XmlAttributes,
): void {
  const isPseudo = article.pseudo && names.format.version === "3.1";
  writer.open(names.article, isPseudo ? { ...attributes, aIsPseudo: "Y" } : attributes);
  writePlace(writer, names, article);
  writeIdentity(writer, article);
  writeValue(writer, names.quantity, article.quantity);
  writeValue(writer, names.unit, article.unit);
  writeMeasures(writer, article);
  for (const { system, value } of article.classifications) {
    const classSystem = demanded("aClassSystem", system);
    writeValue(writer, "vClassification", value, { aClassSystem: classSystem });
  }
  for (const feature of article.configurations) writeConfiguration(writer, feature, names.format.version);
  for (const datum of article.organisation) writeOrganisation(writer, itemFrames, datum);
  for (const text of article.texts) writeText(writer, itemFrames, text);
  for (const reference of article.references) writeReference(writer, itemFrames, reference);
  writePricing(writer, itemFrames, article.pricing, names.pricedUnit);
  writer.close();
}

function writePlace(writer: XmlWriter, names: FormatNames, article: OexArticle): void {
  writeValue(writer, names.itemNumber, article.itemNumber);
  writeOptional(writer, names.topLevelNumber, article.topLevelNumber);
  writeOptional(writer, names.compositeNumber, article.compositeNumber);
  writeOptional(writer, names.subArticleId, article.subArticleId);
  writeOptional(writer, names.stateCode, article.stateCode);
  writeOptional(writer, names.stateCode2, article.stateCode2);
  writeOptional(writer, "vQuoteAlterNo", article.alternativeTo);
}

function writeIdentity(writer: XmlWriter, article: OexArticle): void {
  writeOptional(writer, "vClientArticleNo", article.clientArticleNumber);
  writeValue(writer, "vVendorArticleNo", article.articleNumber, { aStatus: article.status });
  writeValue(writer, "vVendorID", article.vendor);
  writeValue(writer, "vVendorSeries", article.series);
  writeOptional(writer, "vCatalogId", article.catalogId);
}

/** Features of an article (OEX reference, section 6.11). */
function writeConfiguration(writer: XmlWriter, feature: Configuration, version: OexVersion): void {
  if (version === "3.1") writer.open("itmConfiguration", { aIsVisible: yesNo(feature.visible) });
  else writer.open("itmConfiguration");
  writeOptional(writer, "vClassID", feature.classId);
  writeValue(writer, "vOptionID", feature.optionId);
  writeValue(writer, "vValueID", feature.valueId);
  for (const { language, option, value } of feature.texts) {
    writer.open("itmConfigText");
    writeLanguage(writer, "vTextLanguage", language);
    writeValue(writer, "vOptionText", option);
    writeLines(writer, "vValueText", value);
    writer.close();
  }
  writer.close();
}
