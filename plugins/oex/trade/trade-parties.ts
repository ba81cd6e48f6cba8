/** The parties of an order, from the addresses of its OEX document (OEX reference, sections 6.4 to 6.6). */
import { present } from "@slipway/sdk";
import type {
  AddressCode,
  Communication,
  OexAddress,
  OexContact,
  PartnerId,
} from "../document/oex-document.js";
import { isCountry } from "./trade-codes.js";
import type { LocatedParty, Omissions, PartyId, TradeContact } from "./trade-order.js";

const schemes: Partial<Record<PartnerId["type"], string>> = { GLN: "0088", DUNS: "0060" };

/** In words, for reports. */
export const addressNames: Readonly<Record<AddressCode, string>> = {
  SO: "SoldTo",
  SH: "ShipTo",
  IN: "BillTo",
  PA: "Payer",
  CA: "Carrier",
  SU: "Supplier",
  EU: "EndUser",
  IS: "InstallationCompany",
  IL: "InstallationLocation",
  BR: "Branch",
};

/** A party; undefined, with an omission, if its country is not one of ISO 3166-1. */
export function locatedParty(address: OexAddress, omissions: Omissions): LocatedParty | undefined {
  if (!isCountry(address.countryCode)) {
    omissions.add(`addresses with the country ${address.countryCode}`);
    return undefined;
  }
  if (address.title !== undefined) omissions.add("titles of addresses");
  if (address.taxCodeUSA !== undefined) omissions.add("tax numbers of the USA");
  const [first = "", second, ...others] = address.names;
  const { street, street2, poBox, district } = address;
  const more = [...others, district].filter((each) => each !== undefined);
  const lines = [street, street2, poBox === undefined ? undefined : `PO Box ${poBox}`, ...more].filter(
    (line) => line !== undefined,
  );
  return present({
    name: second === undefined ? first : `${first} ${second}`,
    number: address.number,
    ids: partyIds(address.id === undefined ? [] : [address.id], omissions),
    address: present({
      lines: lines.length > 3 ? [...lines.slice(0, 2), lines.slice(2).join(", ")] : lines,
      postalCode: address.postalCode,
      city: address.location,
      region: address.countyCode,
      country: address.countryCode,
    }),
    vatNumber: address.taxCodeEU,
    taxNumber: address.taxCode,
    contacts: partyContacts(address, omissions),
  });
}

/** Ids that the sender assigned have no scheme and are left out. */
export function partyIds(ids: readonly PartnerId[], omissions: Omissions): PartyId[] {
  return ids.flatMap(({ type, value }) => {
    const scheme = schemes[type];
    if (scheme === undefined) omissions.add("ids of parties that are neither GLN nor DUNS");
    return scheme === undefined ? [] : [{ scheme, value }];
  });
}

/** The persons, else the numbers of the address itself. */
function partyContacts(address: OexAddress, omissions: Omissions): TradeContact[] {
  const contacts = address.contacts.map((contact) => tradeContact(contact, omissions));
  const own = reachable(address.communication, omissions);
  if (Object.keys(own).length === 0) return contacts;
  if (contacts.length === 0) return [own];
  const [first = {}, ...others] = contacts;
  return [{ ...own, ...first }, ...others];
}

function tradeContact(contact: OexContact, omissions: Omissions): TradeContact {
  if (contact.number !== undefined) omissions.add("numbers of contacts");
  const name = [contact.title, contact.firstName, contact.lastName].filter((part) => part !== undefined);
  return { name: name.join(" "), ...reachable(contact.communication, omissions) };
}

function reachable(communication: readonly Communication[], omissions: Omissions): TradeContact {
  const business = communication.filter(({ scope }) => scope === "B");
  if (business.length < communication.length) omissions.add("private numbers and mail addresses");
  const value = (type: Communication["type"]): string | undefined =>
    business.find((each) => each.type === type)?.value;
  if (value("WWW") !== undefined) omissions.add("web addresses");
  if (value("TEL") !== undefined && value("MOB") !== undefined) omissions.add("mobile numbers beside others");
  return present({ phone: value("TEL") ?? value("MOB"), fax: value("FAX"), mail: value("EMA") });
}
