/** Organisational data of a document's header (OEX reference, sections 9.3 and 17). */

import type { ExportConfiguration } from "../configuration/export-configuration.js";
import type { OrganisationalDatum } from "../document/frames.js";
import type { FieldRepairs } from "../repair/field-repairs.js";

/** `soldTo` is the number of the sold-to address; undefined where there is none. `repairs` are those of the configuration. */
export function headerOrganisation(
  configuration: ExportConfiguration,
  soldTo: string | undefined,
  repairs: FieldRepairs,
): OrganisationalDatum[] {
  const data = [
    { type: "COM", value: repairs.line("commission", configuration.commission) },
    { type: "PJN", value: repairs.line("projectNumber", configuration.projectNumber) },
    { type: "SOR", value: repairs.line("salesOrganisation", configuration.salesOrganisation) },
    { type: "SGR", value: salesGroup(configuration, soldTo, repairs) },
  ] as const;
  return data.flatMap(({ type, value }) => (value === undefined ? [] : [{ type, value }]));
}

/** `dealerAsSGR`: the dealer stands for the sales group. */
function salesGroup(
  configuration: ExportConfiguration,
  soldTo: string | undefined,
  repairs: FieldRepairs,
): string | undefined {
  const group = repairs.line("salesGroup", configuration.salesGroup);
  if (!configuration.dealerAsSGR) return group;
  const dealer = soldTo ?? repairs.line("clientNo", configuration.clientNo);
  if (dealer === undefined) repairs.report("dealerAsSGR", "true", "without effect: the dealer has no number");
  return dealer ?? group;
}
