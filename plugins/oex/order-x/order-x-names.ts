import type { XmlAttributes } from "@slipway/sdk";
import type { OrderXProfile } from "../configuration/export-configuration.js";

/** The only name that readers look for in a PDF (Order-X 1.0, 4.1.1). */
export const orderXName = "order-x.xml";

export const orderXMediaType = "text/xml";

/** UNCL 1001: order. */
export const orderTypeCode = "220";

export const orderXRoot = "rsm:SCRDMCCBDACIOMessageStructure";

export const orderXNamespaces: XmlAttributes = {
  "xmlns:rsm": "urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100",
  "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:128",
  "xmlns:qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:128",
  "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:128",
};

/** The identifier of a profile (`GuidelineSpecifiedDocumentContextParameter`). */
export function guideline(profile: OrderXProfile): string {
  return `urn:order-x.eu:1p0:${profile.toLowerCase()}`;
}

/** What the metadata of a PDF say of the order within it; the names are those of the published samples. */
export function orderXStatement(profile: OrderXProfile) {
  return {
    schema: "Factur-X PDFA Extension Schema",
    namespace: "urn:factur-x:pdfa:CrossIndustryDocument:1p0#",
    prefix: "fx",
    properties: [
      { name: "DocumentFileName", value: orderXName, description: "Name of the embedded XML file" },
      { name: "DocumentType", value: "ORDER", description: "Type of the document" },
      { name: "Version", value: "1.0", description: "Version of the Order-X standard" },
      { name: "ConformanceLevel", value: profile, description: "Profile of the order" },
    ],
  };
}
