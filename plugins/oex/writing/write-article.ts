/** Articles (OEX reference, section 5.2; for 2.3 section 16.2). */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";
import type { Configuration } from "../document/frames.js";
import type { OexArticle, OexVersion } from "../document/oex-document.js";
import type { FormatNames } from "./format-names.js";
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

/** `attributes`: those shared by all kinds of items. */
export function writeArticle(
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
