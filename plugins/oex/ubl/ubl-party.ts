import { prefixedVatNumber } from "../trade/trade-codes.js";
import type {
  LocatedParty,
  Omissions,
  PartyId,
  TradeAddress,
  TradeContact,
  TradeParty,
} from "../trade/trade-order.js";
import { optional, wrapped, type XmlElement } from "../writing/values.js";

export interface PartyOptions {
  endpoint?: PartyId | undefined;
  /** Sellers and consignees have no tax numbers in a Peppol order. */
  hasTaxNumber: boolean;
  omissions: Omissions;
}

/** A buyer, seller or payer (`cac:Party`). */
export function ublParty(party: LocatedParty, options: PartyOptions): XmlElement {
  const { endpoint, omissions } = options;
  return [
    "cac:Party",
    [
      endpoint && ["cbc:EndpointID", endpoint.value, { schemeID: endpoint.scheme }],
      identification(party, omissions),
      ["cac:PartyName", [["cbc:Name", party.name]]],
      ["cac:PostalAddress", ublAddress(party.address)],
      partyTax(party, options),
      ["cac:PartyLegalEntity", [["cbc:RegistrationName", party.name]]],
      firstContact(party.contacts, omissions),
    ],
  ];
}

/** The consignee (`cac:DeliveryParty`). */
export function deliveryParty(party: TradeParty, omissions: Omissions): XmlElement {
  if (party.vatNumber !== undefined || party.taxNumber !== undefined)
    omissions.add("tax numbers of the consignee");
  return [
    "cac:DeliveryParty",
    [
      identification(party, omissions),
      ["cac:PartyName", [["cbc:Name", party.name]]],
      firstContact(party.contacts, omissions),
    ],
  ];
}

/** One id: that of a scheme, else the number that the other party gave. */
function identification(party: TradeParty, omissions: Omissions): XmlElement {
  const [id, ...others] = party.ids;
  if (others.length > 0 || (id !== undefined && party.number !== undefined))
    omissions.add("numbers of parties that have a GLN or DUNS number");
  return wrapped("cac:PartyIdentification", "cbc:ID", id?.value ?? party.number, { schemeID: id?.scheme });
}

function partyTax(party: LocatedParty, { hasTaxNumber, omissions }: PartyOptions): XmlElement {
  const vatNumber = hasTaxNumber ? prefixedVatNumber(party.vatNumber ?? "") : undefined;
  if (vatNumber === undefined && party.vatNumber !== undefined)
    omissions.add(hasTaxNumber ? "tax numbers without the prefix of a country" : "tax numbers of the seller");
  if (party.taxNumber !== undefined) omissions.add("tax numbers besides those of the value added tax");
  return vatNumber === undefined
    ? undefined
    : ["cac:PartyTaxScheme", [["cbc:CompanyID", vatNumber], taxScheme]];
}

/** The only tax that these orders state. */
export const taxScheme: XmlElement = ["cac:TaxScheme", [["cbc:ID", "VAT"]]];

/** The content of an address (`cac:AddressType`). */
export function ublAddress(address: TradeAddress): XmlElement[] {
  const [first, second, third] = address.lines;
  return [
    optional("cbc:StreetName", first),
    optional("cbc:AdditionalStreetName", second),
    ["cbc:CityName", address.city],
    ["cbc:PostalZone", address.postalCode],
    optional("cbc:CountrySubentity", address.region),
    wrapped("cac:AddressLine", "cbc:Line", third),
    ["cac:Country", [["cbc:IdentificationCode", address.country]]],
  ];
}

function firstContact([contact, ...others]: readonly TradeContact[], omissions: Omissions): XmlElement {
  if (others.length > 0) omissions.add("contacts beyond the first one of a party");
  if (contact === undefined) return undefined;
  const { name, phone, mail, fax } = contact;
  if (fax !== undefined) omissions.add("fax numbers");
  if (name === undefined && phone === undefined && mail === undefined) return undefined;
  return [
    "cac:Contact",
    [optional("cbc:Name", name), optional("cbc:Telephone", phone), optional("cbc:ElectronicMail", mail)],
  ];
}
