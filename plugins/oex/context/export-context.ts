import type { PricingProcedure, ProjectDocument, Session, Suppression } from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { OexFormat } from "../document/oex-document.js";
import type { Repairs } from "../repair/repairs.js";
import type { VendorCodes } from "./vendor-codes.js";

/** Request data shared by all parts of an export. */
export interface ExportContext {
  session: Session;
  project: ProjectDocument;
  configuration: ExportConfiguration;
  format: OexFormat;
  /** Locale of the session, such as "de_DE". */
  locale: string;
  procedure: PricingProcedure;
  preferredImageColumn: string;
  /** From `imageOptions` (interface document, section 4.2): the tag of the article pictures that come first. */
  imageTag: string | undefined;
  /** Time of the export. */
  now: Date;
  /** IANA time zone of written dates. */
  timeZone: string;
  codes: VendorCodes;
  /** Aborts when the client no longer waits for the export. */
  signal: AbortSignal;
  repairs: Repairs;
  suppress(suppression: Suppression): void;
}
