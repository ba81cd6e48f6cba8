/** A header with everything that its format has. Uses the part itself, for the types of what its writer takes. */
import type {
  OexAddress,
  OexDate,
  OexHeader,
  PriceArea,
  PricingLine,
} from "../../plugins/oex/document/oex-document.js";
import type { OexFormat } from "./oex-formats.js";
import { hardText } from "./oex-writing-parts.js";

/** Its prices are those of the OEX reference, section 15.6. */
export function richHeader(format: OexFormat): OexHeader {
  const isOrder = format.type === "ORDERS";
  return {
    number: "BE-2026-00417",
    clientNumber: "20418",
    clientIds: [{ type: "GLN", value: "4012345000009" }],
    vendorNumber: "700312",
    supplierIds: [{ type: "IIS", value: "FH 1" }],
    currency: "EUR",
    ...(isOrder ? { partialDelivery: false, orderType: "SO" } : {}),
    language: { code: "de", country: "DE" },
    weights: { gross: "412.500", net: "371.200" },
    volume: "3.840",
    documentNumbers: [
      ...(isOrder ? [{ type: "QUO", context: "S", number: "AN-2026-0093" } as const] : []),
      { type: "CON", context: "R", number: "RV-7781" },
    ],
    dates: richDates(format),
    organisation: [
      { type: "COM", value: "Kommission <C>" },
      { type: "PJN", value: "P-26-1180" },
    ],
    addresses: richAddresses(),
    texts: [
      {
        type: "HEAD",
        language: { code: "de" },
        lines: [
          { format: "\\", text: "Bestellung gemäß Angebot AN-2026-0093." },
          { format: "~", text: hardText },
          { format: "\\", text: " " },
        ],
      },
      { type: "HEAD", language: { code: "en", country: "GB" }, lines: [{ format: "\\", text: "Order" }] },
    ],
    references: [
      { type: "ATT", mediaType: "application/pdf", value: "oex.pdf", description: "Bestellung als PDF" },
      { type: "LNK", mediaType: "text/html", value: "https://a.example/?b=1&c=2", description: "Projekt" },
    ],
    pricing: headerPricing(isOrder ? "P" : "S"),
  };
}

function richDates({ type, version }: OexFormat): OexDate[] {
  const day = { timeZone: "+0200", format: "D", value: "20260511" } as const;
  const written: OexDate = { ...day, type: "DOC", time: "141503" };
  if (type === "QUOTES") {
    return [written, { ...day, type: "QUO" }, { ...day, type: version === "2.3" ? "DLD" : "QUV" }];
  }
  return [written, { ...day, type: "ORD" }, { type: "CRD", timeZone: "+0200", format: "W", value: "202627" }];
}

function richAddresses(): OexAddress[] {
  const place = { street: "Am Platz 3", countryCode: "DE", postalCode: "12347", location: "Musterstadt" };
  const phone = { type: "TEL", scope: "B", value: "+49 30 23125000" } as const;
  return [
    {
      type: "SO",
      number: "20418",
      id: { type: "GLN", value: "4012345000009" },
      title: "Firma",
      names: ["Lindenblatt GmbH & Co.", "Einkauf", "Raum 3", "c/o Werk"],
      ...place,
      street2: "Tor 2",
      district: "Süd",
      countyCode: "BE",
      poBox: "4711",
      taxCode: "12/345",
      taxCodeEU: "DE999999999",
      taxCodeUSA: "99-9999999",
      communication: [phone, { type: "EMA", scope: "P", value: "einkauf@lindenblatt.example" }],
      contacts: [
        {
          type: "EM",
          number: "E-17",
          title: "Frau",
          firstName: "Jördis",
          lastName: "Probst",
          communication: [phone],
        },
        { type: "WC", lastName: "Öhler", communication: [] },
      ],
    },
    { type: "SH", names: ["Stadtwerke"], ...place, communication: [], contacts: [] },
  ];
}

function headerPricing(area: PriceArea): PricingLine[] {
  const line = { area, currency: "EUR" };
  return [
    { ...line, type: "TGRO", value: "830.00" },
    { ...line, type: "DISI", value: "150.00", base: 1, sign: "-", kind: "BD" },
    { ...line, type: "DISI", value: "30.00", base: 1, sign: "-", kind: "D1" },
    { ...line, type: "DISI", value: "8.00", base: 1, sign: "-", kind: "SD" },
    { ...line, type: "TNET", value: "642.00" },
    { ...line, type: "DISH", value: "19.26", rate: "3.00", base: 5, sign: "-", kind: "VO" },
    { ...line, type: "SURH", value: "25.00", base: 6, sign: "+", kind: "TP", text: "Transport" },
    { ...line, type: "TNEH", value: "647.74" },
    { ...line, type: "TTNE", value: "575.10", taxCode: 1 },
    { ...line, type: "TTAX", value: "109.27", rate: "19.00", base: 9, taxCode: 1 },
    { ...line, type: "TTNE", value: "72.64", taxCode: 2 },
    { ...line, type: "TTAX", value: "5.08", rate: "7.00", base: 11, taxCode: 2 },
    { ...line, type: "TOTL", value: "762.09" },
  ];
}
