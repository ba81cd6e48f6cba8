import type {
  PriceContext,
  PriceLine,
  Rounding,
  SuppressedError,
  Suppression,
  TextReader,
  ViewNode,
} from "@slipway/sdk";
import type { Words } from "../words/english.js";
import type { SheetSettings } from "./export-request.js";
import type { HiddenLines } from "./hidden-lines.js";

/** What all sheets of one file are made from. */
export interface ExportContext extends PriceContext {
  /** The lines that are exported. */
  nodes: readonly ViewNode[];
  /** The sheet of all of them together: of the project, or of what the request asks for. */
  total: readonly PriceLine[];
  /** Ids of the items that `total` adds up. */
  countedIds: readonly string[];
  viewName: string | undefined;
  currency: string;
  rounding: Rounding;
  locale: string;
  /** Headings, in the language of the session. */
  words: Words;
  /** Of texts of the project, best first. */
  languages: readonly string[];
  /** In these languages. */
  texts: TextReader;
  /** Names of price lines, in the language of the session. */
  labels: TextReader;
  hidden: HiddenLines;
  preferredImageColumn: string;
  imageTag: string | undefined;
  externalRefColumn: string | undefined;
  withVariantText: boolean;
  settings: SheetSettings;
  now: Date;
  /** IANA name of the zone of dates and file names. */
  timeZone: string;
  suppress(suppression: Suppression | SuppressedError): void;
}
