/** Element and attribute names of the six formats (OEX reference, sections 3, 5, 6.9 and 16). */
import type { DocumentType, OexFormat, OexVersion } from "../document/oex-document.js";

/** Names and versions of one format. */
export interface FormatNames {
  format: OexFormat;
  major: number;
  minor: number;
  /** File name of the schema that the root refers to. */
  schema: string;
  /** The header has its own `aAction`. */
  headerHasAction: boolean;
  documentNumber: string;
  article: string;
  /** Items have `aUUID`. */
  itemsHaveId: boolean;
  itemType: string;
  itemNumber: string;
  topLevelNumber: string;
  compositeNumber: string;
  subArticleId: string;
  stateCode: string;
  stateCode2: string;
  quantity: string;
  unit: string;
  /** Unit that a price refers to. */
  pricedUnit: string;
}

/** The names of a format; the same object each time. */
export function formatNames({ type, version }: OexFormat): FormatNames {
  return names[type][version];
}

const names: Record<DocumentType, Record<OexVersion, FormatNames>> = {
  ORDERS: byVersion("ORDERS", "Order"),
  QUOTES: byVersion("QUOTES", "Quote"),
};

function byVersion(type: DocumentType, prefix: string): Record<OexVersion, FormatNames> {
  const of = (version: OexVersion, major: number, minor: number): FormatNames => {
    const isOld = version === "2.3";
    return {
      format: { type, version },
      major,
      minor,
      schema: `oex-${type.toLowerCase()}_${major}.${minor}.0.xsd`,
      headerHasAction: isOld,
      documentNumber: `v${prefix}Number`,
      article: isOld ? "docItem" : "docArticleItem",
      itemsHaveId: !isOld,
      itemType: isOld ? "aItemTypeVendor" : "aItemType",
      itemNumber: `v${prefix}ItemNumber`,
      topLevelNumber: `v${prefix}TopLevelNo`,
      compositeNumber: `v${prefix}ComposNo`,
      subArticleId: `v${prefix}SubArtId`,
      stateCode: `v${prefix}AddStateCd`,
      stateCode2: `v${prefix}AddStateCd2`,
      quantity: `v${prefix}Quantity`,
      unit: `v${prefix}Unit`,
      pricedUnit: isOld ? "vMeasureUnit" : "vQuantUnit",
    };
  };
  return { "3.1": of("3.1", 3, 1), "3.0": of("3.0", 3, 0), "2.3": of("2.3", 2, 3) };
}
