/**
 * Writes frames (OEX reference, section 6), whose names have different prefixes in the header and in items:
 * addresses with contacts and communication data (6.4 to 6.6), pricing lines (6.9 and 9.7), organisational data
 * (6.3), texts and references (6.7 and 6.8).
 */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";
import type {
  Communication,
  OexAddress,
  OexContact,
  OexLanguage,
  OexReference,
  OexText,
  OrganisationalDatum,
  PartnerId,
  PriceArea,
  PricingLine,
  TextLine,
  Weights,
} from "../document/oex-document.js";
import { demanded, hasValue, writeOptional, writeValue } from "./values.js";

/** Names of the shared frames in the header or in items. */
interface FrameNames {
  organisation: string;
  text: string;
  reference: string;
  pricing: string;
}

export const headerFrames: FrameNames = frameNames("hdr");
export const itemFrames: FrameNames = frameNames("itm");

function frameNames(prefix: string): FrameNames {
  return {
    organisation: `${prefix}OrgData`,
    text: `${prefix}Text`,
    reference: `${prefix}Reference`,
    pricing: `${prefix}Pricing`,
  };
}

// Weights and volume of the document or of an article (OEX reference, sections 4 and 5.2).

interface Measured {
  weights?: Weights;
  volume?: string;
}

/** Each unit follows its values, and never occurs alone. */
export function writeMeasures(writer: XmlWriter, { weights, volume }: Measured): void {
  if (hasValue(weights?.gross) || hasValue(weights?.net)) {
    writeOptional(writer, "vGrossWeight", weights?.gross);
    writeOptional(writer, "vNetWeight", weights?.net);
    writer.element("vUnitWeight", "KGM");
  }
  if (hasValue(volume)) {
    writer.element("vVolume", volume);
    writer.element("vUnitVolume", "MTQ");
  }
}

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

/** Lines are numbered from 1 in the header and in each item. `pricedUnit`: element name of a price's unit. */
export function writePricing(
  writer: XmlWriter,
  frames: FrameNames,
  lines: PricingLine[],
  pricedUnit: string,
): void {
  let number = 0;
  for (const line of lines) {
    number += 1;
    writer.open(frames.pricing, { aCondNo: number });
    writer.element("vConditionType", line.type, conditionAttributes(line));
    writeValue(writer, "vConditionValue", line.value);
    writeOptional(writer, "vConditionRate", line.rate);
    writeValue(writer, "vCondCurrency", line.currency);
    writeOptional(writer, "vConditionText", line.text);
    writeOptional(writer, "vPriceUnit", line.priceUnit);
    writeOptional(writer, pricedUnit, line.quantityUnit);
    writer.close();
  }
}

/** Attributes per condition type (section 9.7); most have the area only. */
function conditionAttributes(line: PricingLine): XmlAttributes {
  switch (line.type) {
    case "DISI":
    case "DISH":
      return {
        aCondArea: line.area,
        aCondRef: line.base,
        aTypeDis: given(line.kind),
        aCondSign: line.sign,
      };
    case "SURI":
    case "SURH":
      return {
        aCondArea: line.area,
        aCondRef: line.base,
        aTypeSur: given(line.kind),
        aCondSign: line.sign,
      };
    case "TTNE":
    case "TTAX":
      return { aCondArea: line.area, aCondRef: line.base, aTaxCode: line.taxCode };
    default:
      return line.base === undefined ? areaAlone[line.area] : { aCondArea: line.area, aCondRef: line.base };
  }
}

const areaAlone: Record<PriceArea, XmlAttributes> = { P: { aCondArea: "P" }, S: { aCondArea: "S" } };

function given(kind: string | undefined): string | undefined {
  return hasValue(kind) ? kind : undefined;
}

export function writeOrganisation(writer: XmlWriter, frames: FrameNames, datum: OrganisationalDatum): void {
  writer.open(frames.organisation);
  writer.element("vOrgDataType", datum.type);
  writeValue(writer, "vOrgDataValue", datum.value);
  writer.close();
}

export function writeText(writer: XmlWriter, frames: FrameNames, { type, language, lines }: OexText): void {
  if (lines.length === 0) throw new Error(`the text ${type} of the OEX document has no lines`);
  writer.open(frames.text);
  writer.element("vTextType", type);
  writeLanguage(writer, "vTextLanguage", language);
  writeLines(writer, "vTextContent", lines);
  writer.close();
}

/** Lines are numbered from 1 in each frame. */
export function writeLines(writer: XmlWriter, name: string, lines: TextLine[]): void {
  let number = 0;
  for (const { format, text } of lines) {
    number += 1;
    writeValue(writer, name, text, { aTextLineNo: number, aLineFormat: format });
  }
}

export function writeLanguage(writer: XmlWriter, name: string, { code, country }: OexLanguage): void {
  writeValue(writer, name, code, hasValue(country) ? { aLocale: country } : undefined);
}

export function writeReference(writer: XmlWriter, frames: FrameNames, reference: OexReference): void {
  const { type, mediaType, value, description } = reference;
  writer.open(frames.reference);
  writer.element("vReferenceType", type, { aMIMEType: demanded("aMIMEType", mediaType) });
  const text = demanded("vReferenceValue", String(value));
  if (type === "XML") writer.cdataElement("vReferenceValue", text);
  else writer.element("vReferenceValue", value);
  writeValue(writer, "vReferenceDesc", description);
  writer.close();
}
