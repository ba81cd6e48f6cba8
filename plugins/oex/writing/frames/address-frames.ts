/** Writes addresses with contacts and communication data (OEX reference, sections 6.4 to 6.6). */
import type { XmlWriter } from "@slipway/sdk";
import type { Communication, OexAddress, OexContact, PartnerId } from "../../document/frames.js";
import { writeOptional, writeValue } from "../values.js";

export function writeAddress(writer: XmlWriter, address: OexAddress): void {
  writer.open("hdrAddress");
  writer.element("vAddressType", address.type);
  writeOptional(writer, "vAddressNumber", address.number);
  if (address.id !== undefined) writePartnerId(writer, "vAddressID", address.id);
  writeOptional(writer, "vTitle", address.title);
  writeNames(writer, address.names);
  writeValue(writer, "vStreet", address.street);
  writeOptional(writer, "vStreet2", address.street2);
  writeValue(writer, "vCountryCode", address.countryCode);
  writeValue(writer, "vPostalCode", address.postalCode);
  writeValue(writer, "vLocation", address.location);
  writeOptional(writer, "vDistrict", address.district);
  writeOptional(writer, "vCountyCode", address.countyCode);
  writeOptional(writer, "vPOBox", address.poBox);
  writeOptional(writer, "vTaxCode", address.taxCode);
  writeOptional(writer, "vTaxCodeEU", address.taxCodeEU);
  writeOptional(writer, "vTaxCodeUSA", address.taxCodeUSA);
  for (const communication of address.communication) writeCommunication(writer, communication);
  for (const contact of address.contacts) writeContact(writer, contact);
  writer.close();
}

/** Writes the id of a business partner; the element name depends on the parent. */
export function writePartnerId(writer: XmlWriter, name: string, { type, value }: PartnerId): void {
  writeValue(writer, name, value, { aBusPartIDType: type });
}

function writeNames(writer: XmlWriter, names: string[]): void {
  const [first = "", second, third, fourth, ...more] = names;
  if (more.length > 0) throw new Error(`an address of the OEX document has ${names.length} names`);
  writeValue(writer, "vName1", first);
  writeOptional(writer, "vName2", second);
  writeOptional(writer, "vName3", third);
  writeOptional(writer, "vName4", fourth);
}

function writeContact(writer: XmlWriter, contact: OexContact): void {
  writer.open("hdrContact");
  writer.element("vContactType", contact.type);
  writeOptional(writer, "vContactNumber", contact.number);
  writeOptional(writer, "vTitle", contact.title);
  writeOptional(writer, "vFirstName", contact.firstName);
  writeValue(writer, "vLastName", contact.lastName);
  for (const communication of contact.communication) writeCommunication(writer, communication);
  writer.close();
}

function writeCommunication(writer: XmlWriter, { type, scope, value }: Communication): void {
  writer.open("hdrCom");
  writer.element("vComType", type, { aScopeInfo: scope });
  writeValue(writer, "vComValue", value);
  writer.close();
}
