/** Header, parties and settings of the demo project, all fictitious. */
import type { Address, Contact, ProjectHeader, ProjectSettings } from "@slipway/sdk";
import { inBoth } from "./demo-texts.js";

export const header: ProjectHeader = {
  name: "Harbourlight Media: new second floor",
  number: "Q-2026-1187",
  version: 2,
  description: "Fit-out of six workplaces, a conference room and a lounge",
  state: "Offered",
  created: "2026-10-26T08:12:00Z",
  lastModified: "2026-11-18T15:40:00Z",
  projectDate: "2026-11-18",
  validTo: "2026-12-18",
  createdBy: "jonna.lindqvist",
  modifiedBy: "jonna.lindqvist",
  personInCharge: "Jonna Lindqvist",
  externalReferenceNumber: "HL-PO-4471",
  externalReferenceText: "Your enquiry of 22 October 2026",
  customerNumber: "20418",
  externalCustomerId: "DE-HAM-20418",
  company: "Harbourlight Media GmbH",
  generalAgreementNumber: "RV-2025-03",
  keywords: ["fit-out", "Hamburg", "2nd floor"],
  headerText: inBoth(
    "Dear Ms Okafor,\n\nthank you for the pleasant site visit. As agreed, this quote covers the open workspace and the meeting area on the second floor. Alternative and optional positions are listed with their prices but are not part of the total.",
    "Sehr geehrte Frau Okafor,\n\nvielen Dank für den freundlichen Ortstermin. Wie besprochen umfasst dieses Angebot den Arbeitsbereich und den Besprechungsbereich im zweiten Obergeschoss. Alternativ- und Bedarfspositionen sind mit ihren Preisen aufgeführt, aber nicht in der Summe enthalten.",
  ),
  footerText: inBoth(
    "Delivery: six to eight weeks from order, free to place of use, packaging taken back.\nPayment: 30 days net, 2 % discount within 10 days.\nWarranty: five years on all furniture, two years on electrical parts.\n\nWe look forward to your order.",
    "Lieferung: sechs bis acht Wochen ab Auftrag, frei Verwendungsstelle, Rücknahme der Verpackung.\nZahlung: 30 Tage netto, 2 % Skonto innerhalb von 10 Tagen.\nGewährleistung: fünf Jahre auf alle Möbel, zwei Jahre auf elektrische Teile.\n\nWir freuen uns auf Ihren Auftrag.",
  ),
};

export const settings: ProjectSettings = {
  languages: ["en", "de"],
  currency: "EUR",
  referenceCurrency: "EUR",
  exchangeRates: { EUR: "1", SEK: "11.25" },
  defaultPriceDate: "2026-11-02",
  taxScheme: {
    id: "DE",
    name: "Germany",
    taxTypes: [
      {
        id: "VAT",
        name: inBoth("Value Added Tax", "Mehrwertsteuer"),
        rateUnit: "%",
        categories: [
          { id: "standard_rate", rate: "19.0", name: inBoth("Standard rate", "Normalsatz") },
          { id: "reduced_rate", rate: "7.0", name: inBoth("Reduced rate", "Ermäßigter Satz") },
          { id: "zero_rate", rate: "0.0", name: inBoth("Zero rate", "Nullsatz") },
        ],
      },
    ],
    order: ["VAT"],
  },
  rounding: { halfWay: "up", interval: "0.01" },
  defaultScheme: "STDB2B_WBK",
};

export const contacts: Contact[] = [
  {
    id: 4101,
    contactType: "Client",
    title: "Ms",
    firstName: "Adaeze",
    lastName: "Okafor",
    commAddresses: [
      { value: "+49 40 66969 210", type: "Phone", scope: "Business" },
      { value: "a.okafor@harbourlight.example", type: "EMail", scope: "Business" },
    ],
  },
  {
    id: 4102,
    contactType: "Warehouse",
    title: "Mr",
    firstName: "Piet",
    lastName: "Brandt",
    commAddresses: [{ value: "+49 40 66969 244", type: "Mobile", scope: "Business" }],
  },
  {
    id: 4001,
    contactType: "Sale",
    title: "Ms",
    firstName: "Jonna",
    lastName: "Lindqvist",
    commAddresses: [
      { value: "+49 40 66969 118", type: "Phone", scope: "Business" },
      { value: "jonna.lindqvist@atelier-lindqvist.example", type: "EMail", scope: "Business" },
    ],
  },
];

export const addresses: Address[] = [
  {
    addressType: "SoldTo",
    addressNumber: "20418",
    name1: "Harbourlight Media GmbH",
    name2: "Facilities",
    street: "Lotsenkai 14",
    countryCode: "DE",
    postalCode: "20457",
    location: "Hamburg",
    taxCodeEU: "DE000000000",
    commAddresses: [{ value: "www.harbourlight.example", type: "WWW", scope: "Business" }],
    contactIds: [4101],
  },
  {
    addressType: "ShipTo",
    addressNumber: "20418-2",
    name1: "Harbourlight Media GmbH",
    name2: "Building site, 2nd floor, gate B",
    street: "Lotsenkai 16",
    countryCode: "DE",
    postalCode: "20457",
    location: "Hamburg",
    contactIds: [4102],
  },
  {
    addressType: "BillTo",
    addressNumber: "20418-9",
    name1: "Harbourlight Media GmbH",
    name2: "Accounts payable",
    street: "Lotsenkai 14",
    countryCode: "DE",
    postalCode: "20403",
    location: "Hamburg",
    poBox: "11 02 30",
  },
  {
    addressType: "Supplier",
    addressNumber: "70355",
    name1: "Nordpier Objekthandel GmbH",
    name2: "Order desk",
    street: "Kranhausweg 8",
    countryCode: "DE",
    postalCode: "28217",
    location: "Bremen",
    commAddresses: [{ value: "orders@nordpier-objekthandel.example", type: "EMail", scope: "Business" }],
  },
  {
    addressType: "Branch",
    name1: "Office Atelier Lindqvist GmbH",
    street: "Werftgang 3",
    countryCode: "DE",
    postalCode: "22763",
    location: "Hamburg",
    taxCodeEU: "DE000000001",
    commAddresses: [
      { value: "+49 40 66969 100", type: "Phone", scope: "Business" },
      { value: "office@atelier-lindqvist.example", type: "EMail", scope: "Business" },
      { value: "www.atelier-lindqvist.example", type: "WWW", scope: "Business" },
    ],
  },
  {
    addressType: "InCharge",
    name1: "Office Atelier Lindqvist GmbH",
    street: "Werftgang 3",
    countryCode: "DE",
    postalCode: "22763",
    location: "Hamburg",
    contactIds: [4001],
  },
];
