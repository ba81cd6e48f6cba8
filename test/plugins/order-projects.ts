/** Projects whose orders are hard to tell in general trade, with the configurations of their exports. */
import type { ArticleItem, ConditionRecord, ProjectDocument } from "@slipway/sdk";
import { type ItemDescription, type ProjectDescription, projectOf } from "@slipway/sdk/testing";
import fc from "fast-check";
import type { Json } from "./plugin-client.js";

/** An export of a project. */
export interface OrderCase {
  project: ProjectDocument;
  config: Json;
}

const cents = fc
  .oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 999_999 }) },
    { weight: 1, arbitrary: fc.integer({ min: -99_999, max: -1 }) },
  )
  .map((value) => (value / 100).toFixed(2));
const rate = fc.integer({ min: 1, max: 6000 }).map((value) => (value / 100).toFixed(2));
const text = fc.constantFrom("Chair", "Tisch & Stuhl", "a < b", "Zażółć 🪑", "x".repeat(200), "Zeile\nZeile");

const position = fc.record(
  {
    quantity: fc.oneof(
      fc.integer({ min: 1, max: 300 }).map(String),
      fc.integer({ min: 1, max: 9_999 }).map((value) => (value / 1000).toFixed(3)),
    ),
    unit: fc.constantFrom("C62", "MTR", "MTK", "SET"),
    taxCategory: fc.constantFrom("standard_rate", "reduced_rate", "zero_rate", "exemption"),
    text,
  },
  { requiredKeys: ["quantity", "taxCategory", "text"] },
);
const priced = fc.record(
  {
    sales: cents,
    purchase: cents,
    discount: rate,
    purchaseDiscount: rate,
  },
  { requiredKeys: [] },
);
const article = fc
  .tuple(
    position,
    priced,
    fc.record(
      {
        article: fc.constantFrom("TD-160", "PB-20", "Ä 7/2"),
        finalNumber: fc.constantFrom("TD-160-OAK", "PB-20-X"),
        manufacturer: fc.constantFrom("NLF", "BREN"),
        longText: text,
        remark: text,
        features: fc.constantFrom({ TOP: "oak" }, { TOP: { label: "Colour", text: "blue", value: "B1" } }),
        packaging: fc.constant({
          width: { value: "160", unit: "CMT" },
          depth: { value: "8.5", unit: "CMT" },
        }),
        more: fc.constantFrom<Partial<Omit<ArticleItem, "type">>>(
          { ofmlVariantCode: "CFG.TOP=OAK" },
          { classifications: [{ system: "eCl@ss", version: "11.0", classId: "24-12-04-01" }] },
          { classifications: [{ system: "UNSPSC", classId: "56101700" }] },
        ),
      },
      { requiredKeys: ["article"] },
    ),
  )
  .map(([place, prices, own]): ItemDescription => ({ ...place, ...prices, ...own }));
const composite = fc
  .tuple(article, fc.array(article, { minLength: 1, maxLength: 2 }))
  .map(([main, parts]): ItemDescription => ({ ...main, parts }) as ItemDescription);
const userArticle = fc.tuple(position, priced).map(
  ([place, prices]): ItemDescription => ({
    userArticle: "U-1",
    manufacturerName: "Own",
    ...place,
    ...prices,
  }),
);
const leaf = fc.oneof({ weight: 5, arbitrary: article }, composite, userArticle);
const set = fc
  .tuple(text, fc.array(leaf, { minLength: 1, maxLength: 3 }), fc.constantFrom("1", "2", "0.5"))
  .map(([name, items, quantity]): ItemDescription => ({ set: "SET", text: name, quantity, items }));
const folder = fc
  .array(fc.oneof(leaf, set), { minLength: 1, maxLength: 3 })
  .map((items): ItemDescription => ({ folder: "Room", items }));
const note = fc.constant<ItemDescription>({ note: "On weekdays only" });
const items = fc
  .tuple(article, fc.array(fc.oneof({ weight: 3, arbitrary: leaf }, set, folder, note), { maxLength: 6 }))
  .map(([first, others]): ItemDescription[] => [
    { ...first, manufacturer: "NLF" } as ItemDescription,
    ...others,
  ]);

const place = { street: "7 Slipway Road", postalCode: "PL1 3XX", location: "Plymouth" };
const contact = {
  id: 1,
  firstName: "Ann",
  lastName: "Bow",
  commAddresses: [
    { type: "Phone" as const, scope: "Business" as const, value: "+44 1" },
    { type: "EMail" as const, scope: "Business" as const, value: "a@example.org" },
    { type: "Fax" as const, scope: "Business" as const, value: "+44 2" },
  ],
};
const address = fc.record(
  {
    name1: fc.constantFrom("Gullwing Boats Ltd", "A & B GmbH"),
    name2: fc.constant("Purchasing"),
    name3: fc.constant("Building 7"),
    addressNumber: fc.constant("10042"),
    addressId: fc.constantFrom("4012345000009", "OWN-1"),
    street2: fc.constant("2nd floor"),
    poBox: fc.constant("11 02 30"),
    district: fc.constant("Old town"),
    regionCode: fc.constant("GB-PLY"),
    countryCode: fc.constantFrom("GB", "DE", "FR", "IT", "NL", "PL", "ZZ"),
    taxCode: fc.constant("12/345"),
    taxCodeEU: fc.constantFrom("DE123456789", "FR12345678901", "123"),
    contactIds: fc.constant([1]),
  },
  { requiredKeys: ["name1", "countryCode"] },
);
const kinds = {
  SoldTo: address,
  ShipTo: address,
  BillTo: address,
  Supplier: address,
  EndUser: address,
  InstallationLocation: address,
  Branch: address,
  Carrier: address,
};
const addresses = fc
  .oneof(
    { weight: 4, arbitrary: fc.record(kinds, { requiredKeys: ["SoldTo", "Supplier"] }) },
    fc.record(kinds, { requiredKeys: [] }),
  )
  .map((given) =>
    Object.fromEntries(Object.entries(given).map(([type, value]) => [type, { ...place, ...value }])),
  );

const header = fc.array(
  fc.tuple(
    fc.constantFrom("410.0", "410.1", "411.0", "413.0", "414.0"),
    fc.integer({ min: -1500, max: 1500 }),
    fc.constantFrom("percentage" as const, "money" as const),
  ),
  { maxLength: 4 },
);
const config = fc.record(
  {
    calculationPurchase: fc.boolean(),
    calculationSales: fc.boolean(),
    hideDiscounts: fc.constantFrom(false, false, true),
    hideHeaderDiscounts: fc.constantFrom(false, false, true),
    exportFolders: fc.boolean(),
    exportSetArticle: fc.boolean(),
    structuralInformation: fc.boolean(),
    refNumber: fc.boolean(),
    oexVersion: fc.constantFrom("3.1", "3.0", "2.3"),
    manufacturerIds: fc.constantFrom([], ["NLF"]),
    clientNo: fc.constant("4711"),
    clientILN: fc.constant("4012345000009"),
    conditionNo: fc.constant("C-1"),
    commission: fc.constant("Com"),
    projectNumber: fc.constant("PR-1"),
    delivery: fc.constantFrom("2027-W03", "2027-01-18", "in spring"),
    orderInfo: fc.constant("Urgent"),
    dispatchNotes: fc.constant("Ring twice"),
    additionalAgreement: fc.constant("As agreed"),
    buyer: fc.constantFrom("SoldTo", "Branch"),
    buyerEndpoint: fc.constant("0088:4012345000009"),
    sellerEndpoint: fc.constant("9930:DE123456789"),
  },
  { requiredKeys: [] },
);

const scheme = {
  id: "TAX",
  taxTypes: [
    {
      id: "VAT",
      rateUnit: "%",
      categories: [
        { id: "standard_rate", rate: "19" },
        { id: "reduced_rate", rate: "7" },
        { id: "zero_rate", rate: "0" },
        { id: "exemption", rate: "0" },
      ],
    },
    { id: "LUX", rateUnit: "%", categories: [{ id: "standard_rate", rate: "2.5" }] },
  ],
};

/** Sets, composites, several taxes, discounts of items and header, currencies, fractions of quantities, missing addresses. */
export const orderCases: fc.Arbitrary<OrderCase> = fc
  .record({
    items,
    addresses,
    header,
    config,
    currency: fc.constantFrom("EUR", "CHF", "USD", "JPY", "PLN"),
    twoTaxes: fc.constantFrom(false, false, true),
  })
  .map(({ currency, twoTaxes, ...given }) => {
    const description: ProjectDescription = {
      languages: ["en", "de"],
      currency,
      items: given.items,
      contacts: [contact],
      addresses: given.addresses,
      manufacturers: { NLF: { name: "Northlight Furniture" }, BREN: { name: { de: "Brenholt" } } },
      conditions: given.header.map(([level, value, kind]) => condition(level, value, kind, currency)),
      settings: {
        taxScheme: {
          ...scheme,
          order: twoTaxes ? ["VAT", "LUX"] : ["VAT"],
          taxTypes: twoTaxes ? scheme.taxTypes : scheme.taxTypes.slice(0, 1),
        },
      },
    };
    return { project: projectOf(description), config: given.config };
  });

function condition(
  place: string,
  value: number,
  kind: "percentage" | "money",
  currency: string,
): ConditionRecord {
  const [level, counter] = place.split(".").map(Number);
  const amount = (value / 100).toFixed(2);
  return {
    level: level ?? 0,
    counter: counter ?? 0,
    amount: kind === "money" ? { kind, value: amount, currency } : { kind, value: amount },
    label: [{ lang: "en", value: "Agreed" }],
  };
}
