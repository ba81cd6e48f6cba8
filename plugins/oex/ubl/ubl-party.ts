import type { XmlWriter } from "@slipway/sdk";
import type { Omissions } from "../trade/omissions.js";
import { prefixedVatNumber } from "../trade/trade-codes.js";
import type { LocatedParty, PartyId, TradeAddress, TradeContact, TradeParty } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";

export interface PartyOptions {
  endpoint?: PartyId | undefined;
  /** Sellers and consignees have no tax numbers in a Peppol order. */
  hasTaxNumber: boolean;
  omissions: Omissions;
}

/** A buyer, seller or payer (`cac:Party`). */
export function writeUblParty(writer: XmlWriter, party: LocatedParty, options: PartyOptions): void {
  const { endpoint, hasTaxNumber, omissions } = options;
  const vatNumber = prefixedVatNumber(party.vatNumber ?? "");
  writer.open("cac:Party");
  if (endpoint !== undefined)
    writeValue(writer, "cbc:EndpointID", endpoint.value, { schemeID: endpoint.scheme });
  writeIdentification(writer, party, omissions);
  writePartyName(writer, party.name);
  writer.open("cac:PostalAddress");
  writeUblAddress(writer, party.address);
  writer.close();
  if (vatNumber !== undefined && hasTaxNumber) {
    writer.open("cac:PartyTaxScheme");
    writeValue(writer, "cbc:CompanyID", vatNumber);
    writeTaxScheme(writer);
    writer.close();
  } else if (party.vatNumber !== undefined)
    omissions.add(hasTaxNumber ? "tax numbers without the prefix of a country" : "tax numbers of the seller");
  if (party.taxNumber !== undefined) omissions.add("tax numbers besides those of the value added tax");
  writer.open("cac:PartyLegalEntity");
  writeValue(writer, "cbc:RegistrationName", party.name);
  writer.close();
  writeUblContact(writer, party.contacts, omissions);
  writer.close();
}

/** The consignee (`cac:DeliveryParty`). */
export function writeDeliveryParty(writer: XmlWriter, party: TradeParty, omissions: Omissions): void {
  if (party.vatNumber !== undefined || party.taxNumber !== undefined)
    omissions.add("tax numbers of the consignee");
  writer.open("cac:DeliveryParty");
  writeIdentification(writer, party, omissions);
  writePartyName(writer, party.name);
  writeUblContact(writer, party.contacts, omissions);
  writer.close();
}

/** One id: that of a scheme, else the number that the other party gave. */
function writeIdentification(writer: XmlWriter, party: TradeParty, omissions: Omissions): void {
  const [id, ...others] = party.ids;
  if (others.length > 0 || (id !== undefined && party.number !== undefined))
    omissions.add("numbers of parties that have a GLN or DUNS number");
  const value = id?.value ?? party.number;
  if (value === undefined) return;
  writer.open("cac:PartyIdentification");
  writeValue(writer, "cbc:ID", value, { schemeID: id?.scheme });
  writer.close();
}

function writePartyName(writer: XmlWriter, name: string): void {
  writer.open("cac:PartyName");
  writeValue(writer, "cbc:Name", name);
  writer.close();
}

/** The content of an address (`cac:AddressType`). */
export function writeUblAddress(writer: XmlWriter, address: TradeAddress): void {
  const [first, second, third] = address.lines;
  writeOptional(writer, "cbc:StreetName", first);
  writeOptional(writer, "cbc:AdditionalStreetName", second);
  writeValue(writer, "cbc:CityName", address.city);
  writeValue(writer, "cbc:PostalZone", address.postalCode);
  writeOptional(writer, "cbc:CountrySubentity", address.region);
  if (third !== undefined) {
    writer.open("cac:AddressLine");
    writeValue(writer, "cbc:Line", third);
    writer.close();
  }
  writer.open("cac:Country");
  writeValue(writer, "cbc:IdentificationCode", address.country);
  writer.close();
}

/** The first contact. */
function writeUblContact(
  writer: XmlWriter,
  [contact, ...others]: readonly TradeContact[],
  omissions: Omissions,
): void {
  if (others.length > 0) omissions.add("contacts beyond the first one of a party");
  if (contact === undefined) return;
  const { name, phone, mail, fax } = contact;
  if (fax !== undefined) omissions.add("fax numbers");
  if (name === undefined && phone === undefined && mail === undefined) return;
  writer.open("cac:Contact");
  writeOptional(writer, "cbc:Name", name);
  writeOptional(writer, "cbc:Telephone", phone);
  writeOptional(writer, "cbc:ElectronicMail", mail);
  writer.close();
}

/** The value added tax (`cac:TaxScheme`). */
export function writeTaxScheme(writer: XmlWriter): void {
  writer.open("cac:TaxScheme");
  writeValue(writer, "cbc:ID", "VAT");
  writer.close();
}
