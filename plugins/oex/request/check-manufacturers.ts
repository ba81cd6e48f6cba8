import { badRequest, shownValue, type Violation } from "@slipway/sdk";
import type { ExportConfiguration } from "../configuration/export-configuration.js";
import { chosenManufacturers } from "../selection/manufacturers.js";

const shownIds = 50;

/**
 * Rejects manufacturers that the project does not have.
 * @param known ids of all manufacturers that an export of the project can include
 * @throws {RequestError} 400 `request-bad-request` listing each unknown id and the known ones
 */
export function checkManufacturers(configuration: ExportConfiguration, known: Iterable<string>): void {
  const chosen = chosenManufacturers(configuration);
  if (chosen === undefined) return;
  const ids = new Set(known);
  const expected = expectation([...ids].filter((id) => id.trim() !== ""));
  const violations = chosen.ids
    .filter((id) => !ids.has(id))
    .map((id): Violation => {
      const index = `[${configuration.manufacturerIds.indexOf(id)}]`;
      const path = `body.config.${chosen.field}${chosen.field === "manufacturerIds" ? index : ""}`;
      return { path, expected, received: shownValue(id) };
    });
  if (violations.length > 0) throw badRequest("The project has no such manufacturer", violations);
}

function expectation(known: readonly string[]): string {
  if (known.length === 0) return "none, because the project has no articles of a manufacturer";
  const shown = known.slice(0, shownIds).map((id) => shownValue(id));
  return `one of ${shown.join(", ")}${known.length > shown.length ? ", …" : ""}`;
}
