import type { XmlWriter } from "@slipway/sdk";
import type { OrderXProfile } from "../configuration/embeddable-files.js";
import type { Omissions } from "../trade/omissions.js";
import type { TradeAddress, TradeContact, TradeParty } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";

interface PartyOptions {
  profile: OrderXProfile;
  omissions: Omissions;
}

/** A party (`TradePartyType`). */
export function writeParty(
  writer: XmlWriter,
  name: string,
  party: TradeParty,
  { profile, omissions }: PartyOptions,
): void {
  writer.open(name);
  writeOptional(writer, "ram:ID", party.number);
  for (const { scheme, value } of party.ids) writeValue(writer, "ram:GlobalID", value, { schemeID: scheme });
  writeValue(writer, "ram:Name", party.name);
  for (const contact of party.contacts) writeContact(writer, contact, profile, omissions);
  if (party.address !== undefined) writePostalAddress(writer, party.address);
  writeRegistration(writer, "VA", party.vatNumber);
  writeRegistration(writer, "FC", party.taxNumber);
  writer.close();
}

function writeContact(
  writer: XmlWriter,
  { name, phone, fax, mail }: TradeContact,
  profile: OrderXProfile,
  omissions: Omissions,
): void {
  const isExtended = profile === "EXTENDED";
  if (fax !== undefined && !isExtended) omissions.add("fax numbers");
  if (name === undefined && phone === undefined && mail === undefined && !isExtended) return;
  writer.open("ram:DefinedTradeContact");
  writeOptional(writer, "ram:PersonName", name);
  writeNumber(writer, "ram:TelephoneUniversalCommunication", "ram:CompleteNumber", phone);
  if (isExtended) writeNumber(writer, "ram:FaxUniversalCommunication", "ram:CompleteNumber", fax);
  writeNumber(writer, "ram:EmailURIUniversalCommunication", "ram:URIID", mail);
  writer.close();
}

function writeNumber(writer: XmlWriter, name: string, member: string, value: string | undefined): void {
  if (value === undefined) return;
  writer.open(name);
  writeValue(writer, member, value);
  writer.close();
}

function writePostalAddress(writer: XmlWriter, address: TradeAddress): void {
  const [first, second, third] = address.lines;
  writer.open("ram:PostalTradeAddress");
  writeValue(writer, "ram:PostcodeCode", address.postalCode);
  writeOptional(writer, "ram:LineOne", first);
  writeOptional(writer, "ram:LineTwo", second);
  writeOptional(writer, "ram:LineThree", third);
  writeValue(writer, "ram:CityName", address.city);
  writeValue(writer, "ram:CountryID", address.country);
  writeOptional(writer, "ram:CountrySubDivisionName", address.region);
  writer.close();
}

function writeRegistration(writer: XmlWriter, schemeID: string, value: string | undefined): void {
  if (value === undefined) return;
  writer.open("ram:SpecifiedTaxRegistration");
  writeValue(writer, "ram:ID", value, { schemeID });
  writer.close();
}

/** UNTDID 2379: a day. */
const dayFormat = "102";

/** A day, given as "2026-05-11". */
export function writeDay(writer: XmlWriter, name: string, day: string): void {
  writer.open(name);
  writeValue(writer, "udt:DateTimeString", day.replaceAll("-", ""), { format: dayFormat });
  writer.close();
}
