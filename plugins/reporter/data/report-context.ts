import type { PriceContext, Rounding, Suppression, TextReader } from "@slipway/sdk";
import type { PageBreaks } from "../request/page-breaks.js";

/** Inputs shared by all parts of a report's data. */
export interface ReportContext extends PriceContext {
  rounding: Rounding;
  /** Languages of texts, best first. */
  languages: readonly string[];
  /** Reads texts in `languages`. */
  texts: TextReader;
  /** Reads names of price lines and taxes, in the language of the session. */
  labels: TextReader;
  /** Column ids of the request. */
  columns: { preferredImage: string; images: readonly string[]; externalReference: string | undefined };
  imageTag: string | undefined;
  /** The template reads all lines of the articles' price sheets. */
  withCalculationLines: boolean;
  pageBreaks: PageBreaks;
  suppress(suppression: Suppression): void;
}
