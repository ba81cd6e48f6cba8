import {
  type Asset,
  badRequest,
  builtInColumns,
  type Host,
  ImageOptionTexts,
  isBase64,
  type ProjectDocument,
  type ProjectPrices,
  pictureType,
  projectPrices,
  readImageOptions,
  type Session,
  SessionId,
  type Static,
  type Suppression,
  shownValue,
  similarName,
  suppressEach,
  Type,
} from "@slipway/sdk";
import {
  defaultConfiguration,
  ExportConfiguration,
  type ExportSettings,
} from "../configuration/export-configuration.js";
import { type ExportContext, VendorCodes } from "../context/export-context.js";
import { CollectedRepairs } from "../repair/collected-repairs.js";
import { isBlank } from "../repair/text-lines.js";
import { checkManufacturers, manufacturerIdsOf } from "../selection/manufacturers.js";

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
interface PreparedExport {
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

/** The configuration of a request; omitted members have their defaults. */
const RequestedConfiguration = Type.Partial(ExportConfiguration);
type RequestedConfiguration = Static<typeof RequestedConfiguration>;

/**
 * Request body of `export` (interface document, section 4.2). Unknown members are ignored; those of `config` are
 * reported.
 */
export const ExportRequest = Type.Object({
  sessionId: SessionId,
  calculationScheme: Type.String({ minLength: 1, maxLength: 200, default: "STDB2B_WBK" }),
  preferredImageColumn: Type.String({ format: "uuid", default: builtInColumns.articleImage }),
  imageOptions: ImageOptionTexts,
  templateOptions: Type.Record(Type.String(), Type.Unknown(), {
    default: {},
    description: "Options of the template of the PDF. Not part of the interface.",
  }),
  config: Type.Optional(RequestedConfiguration),
});
export type ExportRequest = Static<typeof ExportRequest>;

/** An unknown configuration member: its path, and the known members. */
interface UnknownMember {
  path: string;
  key: string;
  known: readonly string[];
}

/**
 * The configuration of an export. A member of the request replaces its default as a whole, including lists and objects;
 * `null` is the default of the members that accept it. Unknown members are suppressed errors.
 * @throws {RequestError} 400 `request-bad-request` if members contradict each other
 */
export function readConfiguration(
  requested: RequestedConfiguration | undefined,
  defaults: ExportConfiguration,
  suppress: (suppression: Suppression) => void,
): ExportConfiguration {
  const configuration = { ...defaults, ...knownMembers(requested ?? {}, suppress) };
  const { splitDocumentByManufacturers, manufacturerId } = configuration;
  if (splitDocumentByManufacturers && isBlank(manufacturerId ?? "")) {
    const expected = "the manufacturer to export, because splitDocumentByManufacturers is true";
    const message =
      "With `splitDocumentByManufacturers`, `config.manufacturerId` must name the manufacturer to export.";
    throw badRequest({ message }, [
      { path: "body.config.manufacturerId", expected, received: shownValue(manufacturerId) },
    ]);
  }
  checkEmbedding(configuration);
  return configuration;
}

/**
 * @throws {RequestError} 400 `request-bad-request` for files to embed in a PDF that the export does not create, and for two
 * profiles of one Order-X order
 */
function checkEmbedding(configuration: ExportConfiguration): void {
  const { embedInPDF = [], attachPDF, orderX, orderXProfile } = configuration;
  const contradictions: { path: string; expected: string; received: string }[] = [];
  if (embedInPDF.length > 0 && !attachPDF) {
    const expected = "true, because embedInPDF names files to embed in the PDF";
    contradictions.push({ path: "body.config.attachPDF", expected, received: "false" });
  }
  if (orderX !== undefined && orderXProfile !== undefined && orderXProfile !== orderX) {
    const expected = `${orderX}, which is that of orderX, or nothing`;
    contradictions.push({ path: "body.config.orderXProfile", expected, received: orderXProfile });
  }
  if (contradictions.length > 0) throw badRequest("The configuration contradicts itself", contradictions);
}

/**
 * The configuration without unknown members, including those of nested objects. Clients may send members of another
 * version of the service: each is reported as `config-member-unknown` and does not affect the export.
 */
function knownMembers(
  requested: RequestedConfiguration,
  suppress: (suppression: Suppression) => void,
): RequestedConfiguration {
  const unknown: UnknownMember[] = [];
  removeUnknown(requested, RequestedConfiguration, "config", unknown);
  suppressEach(unknown, unknownMember, suppress);
  return requested;
}

function removeUnknown(value: unknown, schema: unknown, path: string, unknown: UnknownMember[]): void {
  if (!isObject(value) || !isObject(schema)) return;
  const { properties, items } = schema;
  if (Array.isArray(value))
    for (const [index, each] of value.entries()) removeUnknown(each, items, `${path}[${index}]`, unknown);
  else if (isObject(properties))
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(properties, key))
        removeUnknown(value[key], properties[key], `${path}.${key}`, unknown);
      else {
        unknown.push({ path, key, known: Object.keys(properties) });
        delete value[key];
      }
    }
}

function unknownMember({ path, key, known }: UnknownMember): Suppression {
  const similar = similarName(key, known);
  const help =
    similar !== undefined
      ? `Did you mean "${similar}"?`
      : path === "config"
        ? "GET config.json lists all members."
        : `It has ${known.join(", ")}.`;
  return {
    id: "config-member-unknown",
    scope: "WARN",
    message: `\`${path}\` has no member ${shownValue(key)}, which was ignored. ${help}`,
    additionalInformation: { field: `${path}.${key}` },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Source of the order report's logo. */
export type LogoImage =
  /** A displayable `data:` URL. */
  | { kind: "embedded"; dataUrl: string }
  /** A picture of the project. */
  | { kind: "asset"; key: string; asset: Asset };

const longestKey = 200;

/** What the printing browser shows; only pictures of a project are converted. */
const shownTypes = ["png", "jpeg", "gif", "webp", "avif", "bmp", "svg+xml"].map((name) => `image/${name}`);

/**
 * Reads `pdfLogoImage`: the key of a project asset, a Base64 data URL, or the bare Base64 of a picture; padding is
 * optional. Accepts PNG, JPEG, GIF, WebP, AVIF, BMP and SVG; the bytes determine the type, not the URL.
 * @throws {RequestError} 400 `request-bad-request` for anything else
 */
export function readLogoImage(value: string, project: ProjectDocument): LogoImage {
  const assets = new Map(Object.entries(project.assets ?? {}));
  const asset = value.length <= longestKey ? assets.get(value) : undefined;
  if (asset !== undefined) return { kind: "asset", key: value, asset };
  const data = value.replace(/^\s*data:[^,]*;base64,/i, "").replace(/\s+/g, "");
  const padded = data.padEnd(4 * Math.ceil(data.length / 4), "=");
  const bytes = padded !== "" && isBase64(padded) ? Buffer.from(padded, "base64") : undefined;
  const type = bytes === undefined ? undefined : pictureType(bytes);
  if (bytes === undefined || type === undefined || !shownTypes.includes(type.mediaType))
    throw noPicture(value);
  return { kind: "embedded", dataUrl: `data:${type.mediaType};base64,${bytes.toString("base64")}` };
}

function noPicture(value: string) {
  return badRequest("The logo is not a picture", [
    {
      path: "body.config.pdfLogoImage",
      expected:
        "a picture (PNG, JPEG, GIF, WebP, AVIF, BMP or SVG) in Base64 or as data URL, or the key of an asset of the project",
      received: shownValue(value),
    },
  ]);
}
