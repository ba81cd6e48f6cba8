import {
  type Host,
  type ProjectPrices,
  projectPrices,
  readImageOptions,
  type Session,
  type Suppression,
} from "@slipway/sdk";
import { defaultConfiguration, type ExportSettings } from "../configuration/plugin-settings.js";
import type { ExportContext } from "../context/export-context.js";
import { VendorCodes } from "../context/vendor-codes.js";
import { CollectedRepairs } from "../repair/collected-repairs.js";
import { type LogoImage, readLogoImage } from "../request/logo-image.js";
import { type ExportRequest, readConfiguration } from "../request/read-configuration.js";
import { checkManufacturers, manufacturerIdsOf } from "../selection/manufacturers.js";
import { checkEmbedding } from "./embed-in-pdf.js";

/** The parts of a request that an export uses. */
export interface ExportCall {
  body: ExportRequest;
  session: Session;
  /** Locale of the session. */
  locale: string;
  signal: AbortSignal;
  suppress(suppression: Suppression): void;
}

/** The context of one export, with prices, repairs and logo. */
export interface PreparedExport {
  context: ExportContext;
  prices: ProjectPrices;
  repairs: CollectedRepairs;
  /** Logo of the order report; undefined if the request has none. */
  logo: LogoImage | undefined;
}

/**
 * Checks a request against the project and prices it.
 * @throws {RequestError} 400 `request-bad-request` for contradictions, unknown manufacturers and a logo that is not a
 * picture (with or without a PDF), 422 `request-calculation-not-found` for an unknown scheme
 */
export async function createContext(
  host: Pick<Host, "now" | "procedures">,
  settings: ExportSettings,
  { body, session, locale, signal, suppress }: ExportCall,
): Promise<PreparedExport> {
  const configuration = readConfiguration(body.config, defaultConfiguration(settings), suppress);
  checkEmbedding(configuration);
  const project = await session.project();
  checkManufacturers(configuration, manufacturerIdsOf(project));
  const { pdfLogoImage } = configuration;
  const logo = pdfLogoImage === null ? undefined : readLogoImage(pdfLogoImage, project);
  const prices = await projectPrices(project, body.calculationScheme, host.procedures);
  for (const error of prices.errors) suppress(error);
  const repairs = new CollectedRepairs(suppress);
  const context: ExportContext = {
    session,
    project,
    configuration,
    format: { type: configuration.documentType, version: configuration.oexVersion },
    locale,
    procedure: prices.procedure,
    preferredImageColumn: body.preferredImageColumn,
    imageTag: readImageOptions(body.imageOptions, suppress).tag,
    now: host.now(),
    timeZone: settings.timeZone,
    codes: new VendorCodes(project, settings),
    signal,
    repairs,
    suppress,
  };
  return { context, prices, repairs, logo };
}
