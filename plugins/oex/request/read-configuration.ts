import {
  badRequest,
  builtInColumns,
  ImageOptionTexts,
  SessionId,
  type Static,
  type Suppression,
  shownValue,
  similarName,
  suppressEach,
  Type,
} from "@slipway/sdk";
import { ExportConfiguration } from "../configuration/export-configuration.js";
import { isBlank } from "../repair/text-lines.js";

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
  return configuration;
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
