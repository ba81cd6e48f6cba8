import { badRequest, type Suppression, shownValue } from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import { isBlank } from "../repair/characters.js";
import type { RequestedConfiguration } from "./export-request.js";
import { knownMembers } from "./known-members.js";

/**
 * The configuration of an export. A member that the request gives replaces its default as a whole, lists and objects
 * too; `null`, where the schema takes it, is the default of these members. Members that it does not have are suppressed errors.
 * @throws {RequestError} 400 `request-bad-request` where its members contradict each other
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
    throw badRequest("The configuration contradicts itself", [
      { path: "body.config.manufacturerId", expected, received: shownValue(manufacturerId) },
    ]);
  }
  return configuration;
}
