/** Element and attribute names of the six formats (OEX reference, sections 3, 5, 6.9 and 16). */
import type {
  DocumentType,
  OexFormat,
  OexHeader,
  OexItem,
  OexReference,
  OexText,
  OexVersion,
  OrganisationalDatum,
  PricingLine,
} from "../document/oex-document.js";

/** Names and versions of one format. */
export type FormatNames = ReturnType<typeof namesOf>;

/** The names of a format; the same object each time. */
export function formatNames({ type, version }: OexFormat): FormatNames {
  return names[type][version];
}

const names: Record<DocumentType, Record<OexVersion, FormatNames>> = {
  ORDERS: byVersion("ORDERS"),
  QUOTES: byVersion("QUOTES"),
};

function byVersion(type: DocumentType): Record<OexVersion, FormatNames> {
  return { "3.1": namesOf(type, "3.1"), "3.0": namesOf(type, "3.0"), "2.3": namesOf(type, "2.3") };
}

function namesOf(type: DocumentType, version: OexVersion) {
  const isOld = version === "2.3";
  const prefix = type === "ORDERS" ? "vOrder" : "vQuote";
  const [major = "", minor = ""] = version.split(".");
  return {
    format: { type, version },
    major,
    minor,
    /** File name of the schema that the root refers to. */
    schema: `oex-${type.toLowerCase()}_${version}.0.xsd`,
    /** The header has its own `aAction`. */
    headerHasAction: isOld,
    documentNumber: `${prefix}Number`,
    article: isOld ? "docItem" : "docArticleItem",
    /** Items have `aUUID`. */
    itemsHaveId: !isOld,
    itemType: isOld ? "aItemTypeVendor" : "aItemType",
    itemNumber: `${prefix}ItemNumber`,
    topLevelNumber: `${prefix}TopLevelNo`,
    compositeNumber: `${prefix}ComposNo`,
    subArticleId: `${prefix}SubArtId`,
    stateCode: `${prefix}AddStateCd`,
    stateCode2: `${prefix}AddStateCd2`,
    quantity: `${prefix}Quantity`,
    unit: `${prefix}Unit`,
    /** Unit that a price refers to. */
    pricedUnit: isOld ? "vMeasureUnit" : "vQuantUnit",
  };
}

// Elements that a format lacks (OEX reference, sections 4, 5, 6.9 and 16). Documents with such elements are refused,
// because leaving them out could change the meaning.

/** Throws an error naming a header element that the format lacks. */
export function checkHeader(header: OexHeader, format: OexFormat): void {
  const isOrder = format.type === "ORDERS";
  if (isOrder && header.partialDelivery === undefined)
    throw new Error("an order tells about partial delivery");
  refuse(!isOrder && header.orderType !== undefined, format, "order type");
  refuse(header.pricing.some(hasUnits), format, "units of header prices");
  if (format.version === "2.3") checkOldFrames(header, format);
}

/** Throws an error naming an item element that the format lacks. */
export function checkItem(item: OexItem, format: OexFormat): void {
  if (format.version === "2.3") checkOldItem(item, format);
  if (format.version === "3.0") {
    refuse(item.kind === "set" && item.organisation.length > 0, format, "organisational data of sets");
    refuse(item.kind === "folder" && item.isLocation !== undefined, format, "folders marked as locations");
  }
  if (format.type === "ORDERS") {
    refuse("itemType" in item && item.itemType !== undefined, format, "alternative or optional items");
    refuse("alternativeTo" in item && item.alternativeTo !== undefined, format, "alternatives to items");
  } else if ("pricing" in item) {
    // The specification of quotations lists these elements in two different orders; a line with only one of them fits
    // both.
    refuse(item.pricing.some(hasTextAndUnits), format, "price lines with a text and units");
  }
}

function checkOldItem(item: OexItem, format: OexFormat): void {
  if (item.kind !== "article") throw new Error(`OEX ${format.version} has no ${item.kind} items`);
  refuse(item.stateCode2 !== undefined, format, "second state code");
  checkOldFrames(item, format);
}

function checkOldFrames(
  frames: { organisation: OrganisationalDatum[]; texts: OexText[]; references: OexReference[] },
  format: OexFormat,
): void {
  refuse(frames.organisation.some(isNewDatum), format, "organisational data OVC");
  refuse(frames.texts.some(isNewText), format, "texts ARTV and ARTU");
  refuse(frames.references.some(isNewReference), format, "references XML");
}

function refuse(isThere: boolean, { type, version }: OexFormat, what: string): void {
  if (isThere) throw new Error(`OEX ${version} ${type} has no ${what}`);
}

const hasUnits = (line: PricingLine) => line.priceUnit !== undefined || line.quantityUnit !== undefined;
const hasTextAndUnits = (line: PricingLine) => line.text !== undefined && hasUnits(line);
const isNewDatum = ({ type }: OrganisationalDatum) => type === "OVC";
const isNewText = ({ type }: OexText) => type === "ARTV" || type === "ARTU";
const isNewReference = ({ type }: OexReference) => type === "XML";
