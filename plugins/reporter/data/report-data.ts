/**
 * The data that a template receives as `d.data`, and what `data.json` answers. Texts are resolved to the language of
 * the report; numbers are decimal texts and dates ISO texts, which the helpers `money`, `number` and `date` format.
 */
import type { Address, CommAddress, Contact } from "@slipway/sdk";

/** A decimal number as text. */
export type DecimalText = string;

export interface ReportData {
  project: ReportProject;
  /** Currency of all amounts, ISO 4217. */
  currency: string;
  /** ISO date-time in UTC: when the report was made. */
  generated: string;
  /** Resolved values of the template's options: defaults, then what the project remembers, then the request. */
  options: Record<string, string | number | boolean | null>;
  /** The request's `data`, unmodified. */
  data: Record<string, unknown>;
  /** Addresses by type, with their contacts in place. */
  addresses: Partial<Record<Address["addressType"], ReportAddress>>;
  view: { id: string; name: string; setArticleMode: string } | null;
  /** Lines in print order: nested where folders, sets and composites nest. */
  items: ReportItem[];
  totals: ReportTotals;
  /** Pricing procedure of the report and the whole header sheet, for templates that print more than `totals`. */
  calculation: { scheme: string; lines: CalculationLine[] };
}

export interface ReportProject {
  name: string;
  number: string;
  description: string;
  /** ISO dates, or null. */
  projectDate: string | null;
  validTo: string | null;
  externalReferenceNumber: string;
  externalReferenceText: string;
  customerNumber: string;
  company: string;
  generalAgreementNumber: string;
  personInCharge: string;
  /** Plain text with line feeds. */
  headerText: string;
  footerText: string;
}

export type ReportAddress = Omit<Address, "contactIds" | "addressType"> & {
  addressType: Address["addressType"];
  contacts: Contact[];
  commAddresses: CommAddress[];
};

export type ReportItem = ReportFolder | ReportText | ReportArticle;

/** What every line has. */
export interface ReportItemBase {
  /** Id of the view item, or of the basket item where no view lists it. */
  id: string;
  basketItemIds: string[];
  /** Depth in the tree, 0 at the top. */
  depth: number;
  /** Dotted, such as "2.1"; empty where the view gives none. */
  position: string;
  /** From the request's `pageBreaks`. */
  breakBefore: boolean;
  breakAfter: boolean;
}

export interface ReportFolder extends ReportItemBase {
  kind: "folder";
  name: string;
  longText: string;
  showSubTotal: boolean;
  /** Net value of the active items below, before header discounts. */
  subTotal: DecimalText;
  children: ReportItem[];
}

export interface ReportText extends ReportItemBase {
  kind: "text";
  text: string;
  longText: string;
}

export interface ReportArticle extends ReportItemBase {
  kind: "article";
  articleType: "article" | "userArticle" | "setArticle" | "composite";
  /** Part of a composite or of a set. */
  isPart: boolean;
  isPseudo: boolean;
  /** Of sets: the project shows it without its parts. */
  collapsed: boolean;
  /** "alternative" and "optional" positions do not count in totals. */
  status: "active" | "alternative" | "optional";
  quantity: DecimalText;
  /** UN/ECE unit code, "C62" is one piece. */
  unit: string;
  /** Text of the column `externalRefColumn`. */
  externalReference: string;
  manufacturerId: string;
  manufacturerName: string;
  seriesId: string;
  seriesName: string;
  /** The one of the two numbers that the project shows. */
  articleNumber: string;
  baseArticleNumber: string;
  finalArticleNumber: string;
  shortText: string;
  longText: string;
  /** Lines of the variant text, such as "Colour: black". */
  variantText: string[];
  /** `id` is the symbolic name, the same in every language. */
  features: { id: string; name: string; value: string }[];
  packaging: ReportPackaging | null;
  /** Custom text "71". */
  specialModelInfo: string;
  /** Custom text "@add". */
  additionalText: string;
  /** URL for the `image` helper, or null. */
  image: ReportImage | null;
  /** In the order of the request's `imageColumns`. */
  extraImages: ReportImage[];
  /** Net price of one and of all before header discounts; null where there is no price. */
  unitPrice: DecimalText | null;
  totalPrice: DecimalText | null;
  /** What it costs to buy one and all; null where no purchase price is stated. */
  purchaseUnitPrice: DecimalText | null;
  purchaseTotalPrice: DecimalText | null;
  /** What leads from list price to net: empty when there is only one line. */
  priceDetails: PriceDetail[];
  /** Lines of a pseudo calculation: prices of grouped parts of a pseudo article. */
  pseudoCalculationLines: CalculationLine[];
  /** All lines of the item's sheet; empty unless the template's definition says `calculationLines`. */
  calculationLines: CalculationLine[];
  children: ReportItem[];
}

/** Millimetres, kilograms and cubic metres; null where not stated. */
export interface ReportPackaging {
  width: DecimalText | null;
  height: DecimalText | null;
  depth: DecimalText | null;
  volume: DecimalText | null;
  netWeight: DecimalText | null;
  grossWeight: DecimalText | null;
  /** Of the quantity of the line. */
  totalVolume: DecimalText | null;
  totalNetWeight: DecimalText | null;
  totalGrossWeight: DecimalText | null;
  packages: DecimalText | null;
}

export interface ReportImage {
  /** Address that only the report's own browser can load. */
  url: string;
  /** Pixels, where known. */
  width: number | null;
  height: number | null;
  /** Column or tag that it comes from. */
  source: string;
}

export interface PriceDetail {
  kind: "base" | "variant" | "adjusted" | "discount" | "surcharge" | "net";
  label: string;
  /** Percentage of a percent line, such as "-10"; else null. */
  percentage: DecimalText | null;
  unitPrice: DecimalText | null;
  totalPrice: DecimalText;
}

export interface CalculationLine {
  level: number;
  counter: number;
  label: string;
  tags: readonly string[];
  /** Money per quantity, a percentage or a count; null where the line states none. */
  amount: { kind: "money" | "percentage" | "quantity"; value: DecimalText; unit: string } | null;
  value: DecimalText | null;
}

export interface ReportTotals {
  /** Sum of the items before header discounts. */
  itemNet: DecimalText;
  headerDiscounts: { label: string; percentage: DecimalText | null; value: DecimalText }[];
  net: DecimalText;
  /** Eco contribution; null where there is none. */
  eco: DecimalText | null;
  /** One line per tax type and rate that occurs. */
  taxes: { label: string; rate: DecimalText | null; base: DecimalText | null; value: DecimalText }[];
  /** Sum of the taxes. */
  tax: DecimalText;
  /** Null where nothing was rounded off. */
  rounding: DecimalText | null;
  total: DecimalText;
  /** What it costs to buy everything; null where no purchase price is stated. */
  purchase: DecimalText | null;
  /** Items that the totals add up; a set is not one, its parts are. */
  positions: number;
  /** Pieces of all of them. */
  quantity: DecimalText;
  byManufacturer: ReportManufacturerTotal[];
  byFolder: ReportFolderTotal[];
  delivery: ReportDelivery;
}

/** What every row of a part of the totals has. */
export interface TotalPart {
  positions: number;
  quantity: DecimalText;
  net: DecimalText;
  /** Percentage of `itemNet`; null where that is zero. */
  share: DecimalText | null;
}

export interface ReportManufacturerTotal extends TotalPart {
  manufacturerId: string;
  name: string;
}

export interface ReportFolderTotal extends TotalPart {
  /** Id of the folder in `items`; null for what is in none. */
  id: string | null;
  position: string;
  name: string;
}

export interface ReportDelivery {
  packages: DecimalText | null;
  netWeight: DecimalText | null;
  grossWeight: DecimalText | null;
  volume: DecimalText | null;
  withoutWeight: number;
  withoutVolume: number;
}
