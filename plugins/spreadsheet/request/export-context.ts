import {
  isPosition,
  type PositionItem,
  type PriceContext,
  type PriceLine,
  type Rounding,
  type SuppressedError,
  type Suppression,
  type TextReader,
  type ViewNode,
} from "@slipway/sdk";
import type { Words } from "../words/english.js";
import type { HiddenLines, SheetSettings } from "./export-request.js";

/** Inputs shared by all sheets of one file. */
export interface ExportContext extends PriceContext {
  /** The exported lines. */
  nodes: readonly ViewNode[];
  /** Price sheet of all lines: of the project, or of the requested items. */
  total: readonly PriceLine[];
  /** Ids of the items in `total`. */
  countedIds: readonly string[];
  viewName: string | undefined;
  currency: string;
  rounding: Rounding;
  locale: string;
  /** Headings, in the language of the session. */
  words: Words;
  /** Languages of project texts, best first. */
  languages: readonly string[];
  /** Reads project texts in `languages`. */
  texts: TextReader;
  /** Reads names of price lines in the language of the session. */
  labels: TextReader;
  hidden: HiddenLines;
  preferredImageColumn: string;
  imageTag: string | undefined;
  externalRefColumn: string | undefined;
  withVariantText: boolean;
  settings: SheetSettings;
  now: Date;
  /** IANA time zone of dates and file names. */
  timeZone: string;
  suppress(suppression: Suppression | SuppressedError): void;
}

/** A line with a quantity and a price. */
export interface PricedNode extends ViewNode {
  item: PositionItem;
}

/** Whether a line has a quantity and a price. */
export function isPriced(node: ViewNode): node is PricedNode {
  return isPosition(node.item);
}
