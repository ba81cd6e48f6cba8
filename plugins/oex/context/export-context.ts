import type { PricingProcedure, ProjectDocument, Session, Suppression } from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { OexFormat } from "../document/oex-format.js";
import type { Repairs } from "../repair/repairs.js";
import type { VendorCodes } from "./vendor-codes.js";

/** What every part of an export needs to know of the request. */
export interface ExportContext {
  session: Session;
  project: ProjectDocument;
  configuration: ExportConfiguration;
  format: OexFormat;
  /** Of the session, such as "de_DE". */
  locale: string;
  procedure: PricingProcedure;
  preferredImageColumn: string;
  /** From `imageOptions` (interface document, section 4.2): which of an article's tagged pictures comes first. */
  imageTag: string | undefined;
  /** Moment of the export. */
  now: Date;
  /** IANA name of the zone that dates are written in. */
  timeZone: string;
  codes: VendorCodes;
  /** Aborts when nobody waits for the export any more. */
  signal: AbortSignal;
  repairs: Repairs;
  suppress(suppression: Suppression): void;
}
