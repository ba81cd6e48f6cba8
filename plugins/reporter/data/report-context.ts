import type { PriceContext, Rounding, Suppression, TextReader } from "@slipway/sdk";
import type { PageBreaks } from "../request/page-breaks.js";

/** What all parts of a report's data are made from. */
export interface ReportContext extends PriceContext {
  rounding: Rounding;
  /** Of texts, best first. */
  languages: readonly string[];
  /** In these languages. */
  texts: TextReader;
  /** In the language of the session: names of price lines and taxes. */
  labels: TextReader;
  /** Column ids of the request. */
  columns: { preferredImage: string; images: readonly string[]; externalReference: string | undefined };
  imageTag: string | undefined;
  /** The template reads all lines of the articles' price sheets. */
  withCalculationLines: boolean;
  pageBreaks: PageBreaks;
  suppress(suppression: Suppression): void;
}
