/** Addresses of a document's header (OEX reference, sections 16.2, 17 and 19). */
import { type AddressType, present, RequestError } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { AddressCode, OexAddress } from "../document/oex-document.js";
import { codeForms, FieldRepairs, type Repairs, splitAtBlanks } from "../repair/repairs.js";
import {
  addressContacts,
  type ChosenAddress,
  type ChosenAddresses,
  communications,
  customerAddress,
  partnerId,
  userContact,
} from "./chosen-addresses.js";

type AddressContext = Pick<ExportContext, "project" | "configuration" | "format" | "repairs">;

/**
 * The addresses that can be written, in the order of the codes.
 * @throws {RequestError} 422 `project-address-missing` for a quotation without a valid address
 */
export function headerAddresses(chosen: ChosenAddresses, context: AddressContext): OexAddress[] {
  const { format, repairs } = context;
  const written = new Map<AddressCode, OexAddress>();
  for (const [type, code] of addressCodes) {
    const address = chosen.get(type);
    const frame = address && addressFrame(address, code, repairs);
    if (frame !== undefined) written.set(code, frame);
  }
  if (format.type === "QUOTES") addDueAddresses(written, context);
  setShipToCode(written, context);
  identifyUser(written, context);
  return addressCodes.flatMap(([, code]) => written.get(code) ?? []);
}

/** `useShipToCode`: the code becomes the number of the ship-to address. */
function setShipToCode(
  written: Map<AddressCode, OexAddress>,
  { configuration, repairs }: AddressContext,
): void {
  if (!configuration.useShipToCode) return;
  const fields = new FieldRepairs(repairs, "config.");
  const code = fields.line("shipToCode", configuration.shipToCode);
  const address = written.get("SH");
  if (code !== undefined && address !== undefined) written.set("SH", { ...address, number: code });
  else if (code === undefined) fields.report("shipToCode", "", "not written: there is no value");
  else fields.report("shipToCode", code, "not written: there is no ship-to address");
}

/** `identicateUser`: the user becomes a contact of the sold-to address. */
function identifyUser(
  written: Map<AddressCode, OexAddress>,
  { configuration, repairs }: AddressContext,
): void {
  if (!configuration.identicateUser) return;
  const fields = new FieldRepairs(repairs, "config.");
  const name = configuration.projectUserName;
  const user = userContact("projectUserName", name, fields);
  const address = written.get("SO");
  if (user !== undefined && address !== undefined) {
    written.set("SO", { ...address, contacts: [...address.contacts, user] });
  } else if (user === undefined)
    fields.report("projectUserName", name ?? "", "not written: there is no value");
  else fields.report("projectUserName", name ?? "", "not written: there is no sold-to address");
}

/** A quotation needs an address, and in version 2.3 a ship-to address. */
function addDueAddresses(written: Map<AddressCode, OexAddress>, context: AddressContext): void {
  const { project, format, repairs } = context;
  const customer = written.size === 0 ? customerAddress(project) : undefined;
  const frame = customer && addressFrame(customer, "SO", repairs);
  if (customer !== undefined && frame !== undefined) {
    written.set("SO", frame);
    repairs.report({ field: customer.path, value: "SoldTo", change: "written, because no other address is" });
  }
  const [first] = [...written.values()];
  if (first === undefined) throw noAddress();
  if (format.version !== "2.3" || written.has("SH")) return;
  const repeated = written.get("SO") ?? first;
  written.set("SH", { ...repeated, type: "SH" });
  const change = `written as the ship-to address, because there is none and OEX ${format.version} demands it`;
  repairs.report({ field: "addresses", value: repeated.names.join(" "), change });
}

function noAddress(): RequestError {
  return new RequestError({
    id: "project-address-missing",
    code: 422,
    message:
      "A quotation needs a complete address: name1, street, countryCode, postalCode and location. Complete one in the project or in `config.addresses`.",
    additionalInformation: { due: ["name1", "street", "countryCode", "postalCode", "location"] },
  });
}

/** Maximum length of each of the up to four name fields (OEX reference, section 19). */
const longestName = 35;

const fields = ["name1", "name2", "name3", "name4"] as const;

type Names = { [field in (typeof fields)[number]]?: string };

/** In writing order (OEX reference, section 19). A person in charge is not exported. */
const addressCodes = [
  ["SoldTo", "SO"],
  ["ShipTo", "SH"],
  ["BillTo", "IN"],
  ["Payer", "PA"],
  ["Carrier", "CA"],
  ["Supplier", "SU"],
  ["EndUser", "EU"],
  ["InstallationCompany", "IS"],
  ["InstallationLocation", "IL"],
  ["Branch", "BR"],
] as const satisfies readonly (readonly [AddressType, AddressCode])[];

const longest = 35;

/** Converts an address to the format. Undefined, with a report, if a required field is missing. */
function addressFrame(chosen: ChosenAddress, type: AddressCode, repairs: Repairs): OexAddress | undefined {
  const { address, path } = chosen;
  const fields = new FieldRepairs(repairs, `${path}.`);
  const names = addressNames(address, fields);
  const street = fields.line("street", address.street, longest);
  const countryCode = fields.code("countryCode", address.countryCode, codeForms.country);
  const postalCode = fields.code("postalCode", address.postalCode, codeForms.postalCode);
  const location = fields.line("location", address.location, longest);
  if (
    names.length === 0 ||
    street === undefined ||
    countryCode === undefined ||
    postalCode === undefined ||
    location === undefined
  ) {
    const due = { name1: names[0], street, countryCode, postalCode, location };
    repairs.report({ field: path, value: address.addressType, change: leftOut(due) });
    return undefined;
  }
  return {
    type,
    names,
    street,
    countryCode,
    postalCode,
    location,
    ...optionalFields(address, fields),
    communication: communications(address.commAddresses, fields),
    contacts: addressContacts(chosen.contacts, repairs),
  };
}

function leftOut(due: Record<string, string | undefined>): string {
  const missing = Object.keys(due).filter((field) => due[field] === undefined);
  return `left out: no valid ${missing.join(", ")}`;
}

type OptionalField =
  | "number"
  | "id"
  | "title"
  | "street2"
  | "district"
  | "countyCode"
  | "poBox"
  | "taxCode"
  | "taxCodeEU"
  | "taxCodeUSA";

function optionalFields(
  address: ChosenAddress["address"],
  fields: FieldRepairs,
): Partial<Pick<OexAddress, OptionalField>> {
  return present({
    number: fields.line("addressNumber", address.addressNumber),
    id: partnerId("addressId", address.addressId, fields),
    title: fields.line("title", address.title),
    street2: fields.line("street2", address.street2, longest),
    district: fields.line("district", address.district, longest),
    countyCode: fields.code("regionCode", withoutCountry(address.regionCode), codeForms.county),
    poBox: fields.line("poBox", address.poBox),
    taxCode: fields.line("taxCode", address.taxCode),
    taxCodeEU: fields.line("taxCodeEU", address.taxCodeEU),
    taxCodeUSA: fields.line("taxCodeUSA", address.taxCodeUSA),
  });
}

/** Removes the country prefix of ISO 3166-2 codes such as "DE-BY", which the format does not use. */
function withoutCountry(regionCode: string | undefined): string | undefined {
  return regionCode?.trim().replace(/^[A-Za-z]{2}-/, "");
}

/**
 * The non-empty names in order, each at most 35 characters. A longer name continues in a free field directly behind it,
 * and is cut if no field is free.
 */
function addressNames(address: Names, repairs: FieldRepairs): string[] {
  const given = fields.flatMap((field) => {
    const name = repairs.line(field, address[field]);
    return name === undefined ? [] : [{ field, name }];
  });
  const [first] = given;
  if (first !== undefined && first.field !== "name1") {
    repairs.report(first.field, first.name, "moved up, because name1 has no value");
  }
  let free = fields.length - given.length;
  return given.flatMap(({ field, name }) => {
    const { parts, rest } = splitAtBlanks(name, longestName, 1 + free);
    free -= parts.length - 1;
    if (parts.length > 1 || rest !== "") repairs.report(field, name, splitting(parts.length, rest !== ""));
    return parts;
  });
}

function splitting(parts: number, isCut: boolean): string {
  if (parts === 1) return `cut to ${longestName} characters, because no other name field is free`;
  const split = `split into ${parts} name fields of ${longestName} characters`;
  return isCut ? `${split}, and cut` : split;
}
