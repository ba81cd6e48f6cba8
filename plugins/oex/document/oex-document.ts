import type {
  Configuration,
  DocumentNumber,
  OexAddress,
  OexDate,
  OexLanguage,
  OexReference,
  OexText,
  OrganisationalDatum,
  PartnerId,
  PricingLine,
  Weights,
} from "./frames.js";

/**
 * An OEX document, ready to be written. Its creator is responsible for content and format rules; the writer knows names
 * and order only (OEX reference, sections 3 to 8 and 16).
 */
export interface OexDocument {
  format: OexFormat;
  application: OexApplication;
  header: OexHeader;
  /** Number of items of all kinds. */
  itemCount: number;
  /** All articles, then sets, folders and texts (section 3). `aItemNo` counts them in this order. Read only once. */
  items: AsyncIterable<OexItem> | Iterable<OexItem>;
}

export interface OexApplication {
  name: string;
  /** Digits. */
  major: string;
  minor: string;
}

/** Section 4. */
export interface OexHeader {
  /** The document's own number. */
  number: string;
  clientNumber: string;
  clientIds: PartnerId[];
  vendorNumber: string;
  supplierIds: PartnerId[];
  /** ISO 4217. */
  currency: string;
  /** Orders only. */
  partialDelivery?: boolean;
  language: OexLanguage;
  /** Code of section 9.8. Orders only. */
  orderType?: string;
  weights?: Weights;
  /** In `MTQ`. */
  volume?: string;
  documentNumbers: DocumentNumber[];
  dates: OexDate[];
  organisation: OrganisationalDatum[];
  addresses: OexAddress[];
  texts: OexText[];
  references: OexReference[];
  pricing: PricingLine[];
}

export type OexItem = OexArticle | OexSet | OexFolder | OexTextItem;

interface ItemBase {
  /** UUID of the item in the session. */
  id: string;
  /** Six digits with leading zeros (section 10). */
  itemNumber: string;
  topLevelNumber?: string;
  texts: OexText[];
}

/** Section 5.2. */
export interface OexArticle extends ItemBase {
  kind: "article";
  /** Alternative or optional. Quotations only. */
  itemType?: "A" | "O";
  alternativeTo?: string;
  pseudo: boolean;
  compositeNumber?: string;
  subArticleId?: string;
  stateCode?: string;
  stateCode2?: string;
  clientArticleNumber?: string;
  /** The base article number. */
  articleNumber: string;
  /** Original, modified, created by the orderer, special article of the vendor (section 8). */
  status: "O" | "M" | "C" | "S";
  /** Codes of 1 to 4 capitals and digits. */
  vendor: string;
  series: string;
  catalogId?: string;
  quantity: string;
  /** UN/ECE Recommendation 20. */
  unit: string;
  weights?: Weights;
  /** In `MTQ`. */
  volume?: string;
  classifications: { system: string; value: string }[];
  configurations: Configuration[];
  organisation: OrganisationalDatum[];
  references: OexReference[];
  pricing: PricingLine[];
}

/** Section 5.3. */
export interface OexSet extends ItemBase {
  kind: "set";
  itemType?: "A" | "O";
  clientArticleNumber?: string;
  articleNumber?: { value: string; status: "O" | "C" };
  vendor?: string;
  series?: string;
  quantity: string;
  unit: string;
  /** 3.1 only. */
  organisation: OrganisationalDatum[];
  references: OexReference[];
  pricing: PricingLine[];
}

/** Section 5.4. */
export interface OexFolder extends ItemBase {
  kind: "folder";
  name: string;
  /** 3.1 only. */
  isLocation?: boolean;
}

/** Section 5.5. */
export interface OexTextItem extends ItemBase {
  kind: "text";
  name: string;
}

/** Order or quotation. */
export const documentTypes = ["ORDERS", "QUOTES"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Versions of the format (OEX reference, section 16). */
export const oexVersions = ["3.1", "3.0", "2.3"] as const;
export type OexVersion = (typeof oexVersions)[number];

/** The six combinations differ in names and in available elements. */
export interface OexFormat {
  type: DocumentType;
  version: OexVersion;
}
