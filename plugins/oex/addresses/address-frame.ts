import { type AddressType, present } from "@slipway/sdk";
import type { AddressCode, OexAddress } from "../document/frames.js";
import { FieldRepairs, type Repairs } from "../repair/repairs.js";
import { codeForms, splitAtBlanks } from "../repair/value-repairs.js";
import type { ChosenAddress } from "./chosen-addresses.js";
import { addressContacts, communications } from "./contacts.js";
import { partnerId } from "./partner-id.js";

/** Maximum length of each of the up to four name fields (OEX reference, section 19). */
const longestName = 35;

const fields = ["name1", "name2", "name3", "name4"] as const;

type Names = { [field in (typeof fields)[number]]?: string };

/** In writing order (OEX reference, section 19). A person in charge is not exported. */
export const addressCodes = [
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
export function addressFrame(
  chosen: ChosenAddress,
  type: AddressCode,
  repairs: Repairs,
): OexAddress | undefined {
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
