import type { RepeatedText } from "@slipway/sdk";

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

// The frames that header and items share (OEX reference, section 6). All texts are written unchanged.

/** Section 6.1. */
export interface DocumentNumber {
  type: "QUO" | "CON";
  /** "S": sequence of this business case; "R": other reference. */
  context: "S" | "R";
  number: string;
}

/** Section 6.2. */
export interface OexDate {
  type: "DOC" | "ORD" | "QUO" | "QUV" | "CRD" | "DLD" | "PRD";
  /** Such as "+0100". */
  timeZone: string;
  /** "D": yyyymmdd, "W": yyyyww. */
  format: "D" | "W";
  value: string;
  /** hhmmss; required for `DOC`. */
  time?: string;
}

/** Section 6.3; one per type. */
export interface OrganisationalDatum {
  type: "COM" | "PJN" | "SOR" | "SGR" | "LOC" | "POS" | "ITM" | "OVC" | "CNF";
  value: string;
}

export type AddressCode = "SO" | "SH" | "IN" | "PA" | "CA" | "SU" | "EU" | "IS" | "IL" | "BR";

/** Section 6.4; one per type. */
export interface OexAddress {
  type: AddressCode;
  number?: string;
  id?: PartnerId;
  title?: string;
  /** One to four. */
  names: string[];
  street: string;
  street2?: string;
  countryCode: string;
  postalCode: string;
  location: string;
  district?: string;
  countyCode?: string;
  poBox?: string;
  taxCode?: string;
  taxCodeEU?: string;
  taxCodeUSA?: string;
  communication: Communication[];
  contacts: OexContact[];
}

/** Section 7, BusPartID: 1 to 20 characters. */
export interface PartnerId {
  type: "GLN" | "DUNS" | "IIS";
  value: string;
}

/** Section 6.5; one per type and scope. */
export interface Communication {
  type: "TEL" | "FAX" | "MOB" | "WWW" | "EMA";
  /** Business or private. */
  scope: "B" | "P";
  value: string;
}

/** Section 6.6. */
export interface OexContact {
  type: "SC" | "WC" | "IN" | "EM" | "CL" | "SU";
  number?: string;
  title?: string;
  firstName?: string;
  lastName: string;
  communication: Communication[];
}

/** ISO 639-1 code, and the country if two variants of the language are written. */
export interface OexLanguage {
  code: string;
  country?: string;
}

export type TextType =
  | "HEAD"
  | "DCON"
  | "DNOT"
  | "ADAG"
  | "ITEM"
  | "ARTS"
  | "ARTL"
  | "ARTV"
  | "ARTM"
  | "ARTU";

/** Section 6.7; one per type and language. */
export interface OexText {
  type: TextType;
  language: OexLanguage;
  lines: TextLine[];
}

/** 1 to 80 characters; "\\" begins a new line, "~" continues the previous line (section 12). */
export interface TextLine {
  format: "\\" | "~";
  text: string;
}

/** Section 6.8. */
export interface OexReference {
  type: "ATT" | "EDS" | "LNK" | "XML";
  mediaType: string;
  /** File name, Base64 or URL; for `XML` the embedded document, without CDATA and "]]>". */
  value: string | RepeatedText;
  description: string;
}

/** `P` purchase, `S` sales. */
export type PriceArea = "P" | "S";

/** Section 6.9. Lines are numbered from 1 in list order, across both areas. */
export interface PricingLine {
  type:
    | "SGRO"
    | "SNET"
    | "TGRO"
    | "TNET"
    | "TNEH"
    | "SNEH"
    | "TOTL"
    | "DISI"
    | "SURI"
    | "DISH"
    | "SURH"
    | "SUBI"
    | "SUBH"
    | "TTNE"
    | "TTAX"
    | "ECFR";
  area: PriceArea;
  /** Amount with two decimals and without a sign. */
  value: string;
  /** Percent, with two decimals. */
  rate?: string;
  /** Number of the base line. */
  base?: number;
  sign?: "+" | "-";
  taxCode?: number;
  /** `BD`, `VO`, ... of a discount; `PC`, `TP`, ... of a surcharge (section 9.7). */
  kind?: string;
  currency: string;
  text?: string;
  /** Items only. */
  priceUnit?: string;
  quantityUnit?: string;
}

/** Total weights in `KGM`. */
export interface Weights {
  gross?: string;
  net?: string;
}

/** Section 6.11. */
export interface Configuration {
  visible: boolean;
  classId?: string;
  optionId: string;
  valueId: string;
  texts: ConfigurationText[];
}

/** One per language. `value` is empty for values that the user typed in. */
export interface ConfigurationText {
  language: OexLanguage;
  /** 1 to 80 characters. */
  option: string;
  value: TextLine[];
}
