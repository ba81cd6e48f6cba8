/** Numbers of the document and of its parties (OEX reference, sections 4 and 17.2). */
import { type AddressType, localTime } from "@slipway/sdk";
import { type ChosenAddresses, partnerId } from "../addresses/chosen-addresses.js";
import type { ExportContext } from "../context/export-context.js";
import type { DocumentNumber, PartnerId } from "../document/oex-document.js";
import { FieldRepairs, type GivenValue } from "../repair/repairs.js";
import { oneLine } from "../repair/text-lines.js";

const longestNumber = 35;
const unknown = "0";

/** The document's own number: configured, else the project's, else the time of the export. */
export function documentNumber(
  context: Pick<ExportContext, "project" | "configuration" | "now" | "timeZone" | "repairs">,
): string {
  const { project, configuration, now, timeZone, repairs } = context;
  const own = new FieldRepairs(repairs, "config.").line("docNumber", configuration.docNumber, longestNumber);
  if (own !== undefined) return own;
  const ofProject = new FieldRepairs(repairs, "project.header.");
  const { day, time } = localTime(now, timeZone);
  return ofProject.line("number", project.header.number, longestNumber) ?? `${day}-${time}`;
}

/** The number of a party: configured, else that of its address, else "0" with a report. */
export function partyNumber(
  field: "clientNo" | "vendorNo",
  configured: GivenValue,
  address: string | undefined,
  repairs: FieldRepairs,
): string {
  const number = repairs.line(field, configured) ?? address;
  if (number !== undefined) return number;
  const party = field === "clientNo" ? "sold-to" : "supplier";
  repairs.report(
    field,
    "",
    `"${unknown}" is written: there is no value, and no number of the ${party} address`,
  );
  return unknown;
}

/** The number of an address on one line; undefined without one. */
export function addressNumber(addresses: ChosenAddresses, type: AddressType): string | undefined {
  const number = oneLine(addresses.get(type)?.address.addressNumber ?? "", Number.POSITIVE_INFINITY);
  return number === "" ? undefined : number;
}

/** `clientILN`, `vendorILN`: location numbers, called GLN today. */
export function locationNumbers(
  field: "clientILN" | "vendorILN",
  value: GivenValue,
  repairs: FieldRepairs,
): PartnerId[] {
  const id = partnerId(field, value, repairs);
  if (id?.type === "IIS") {
    repairs.report(
      field,
      id.value,
      'written as an id of the type "IIS": a GLN has 13 digits with a check digit',
    );
  }
  return id === undefined ? [] : [id];
}

/**
 * Numbers of other documents: the framework contract, and in an order the quotation, which is the project's number. The
 * own number is never repeated (OEX reference, section 4).
 */
export function otherDocuments(
  own: string,
  context: Pick<ExportContext, "project" | "configuration" | "format" | "repairs">,
): DocumentNumber[] {
  const { project, configuration, format, repairs } = context;
  const quotation = new FieldRepairs(repairs, "project.header.");
  const contract = new FieldRepairs(repairs, "config.");
  const found: DocumentNumber[] = [];
  if (format.type === "ORDERS" && oneLine(project.header.number ?? "", longestNumber) !== own) {
    const number = quotation.line("number", project.header.number, longestNumber);
    if (number !== undefined) found.push({ type: "QUO", context: "S", number });
  }
  const number = contract.line("conditionNo", configuration.conditionNo, longestNumber);
  if (number === own) contract.report("conditionNo", number, "left out: it is the document's own number");
  else if (number !== undefined) found.push({ type: "CON", context: "R", number });
  return found;
}
