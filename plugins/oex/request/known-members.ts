import { type Suppression, shownValue, similarName, suppressEach } from "@slipway/sdk";
import { RequestedConfiguration } from "./export-request.js";

/** A member that the configuration does not have: where it stands, and the members that there are. */
interface UnknownMember {
  path: string;
  key: string;
  known: readonly string[];
}

/**
 * The configuration without members that it does not have, those of addresses and other objects in it too. Clients send what
 * another version of the service knows: each is reported as `config-member-unknown` and takes nothing from the export.
 */
export function knownMembers(
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
      ? `did you mean "${similar}"?`
      : path === "config"
        ? "GET config.json lists those that there are"
        : `there are: ${known.join(", ")}`;
  return {
    id: "config-member-unknown",
    scope: "WARN",
    message: `${path}: there is no member ${shownValue(key)}; ${help}`,
    additionalInformation: { field: `${path}.${key}` },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
