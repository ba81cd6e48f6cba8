import type { ArticleItem, FolderItem, Item, ProjectDocument, Texts } from "@slipway/sdk";

/** Column of the external item number. */
export const externalColumn = "c962203c-7e83-4a2f-8060-acaa4a06c921";
const imageColumn = "73bd68f4-da62-11d8-b9d6-00e081513ada";
const firstExtraColumn = "7423b6f0-d424-48b3-b75c-9fc5c61992c1";

export const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

export function id(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

function text(value: string): Texts {
  return [{ lang: "en", value }];
}

/** An article of GBP 100.00 that begins with "No. <number>" and ends with "End of <number>". */
export function article(number: number, changes: Partial<ArticleItem> = {}): ArticleItem {
  return {
    type: "article",
    id: id(number),
    quantity: { value: "1", unit: "C62" },
    articleKind: "article",
    manufacturerId: "NOR",
    seriesId: "FJ",
    baseArticleNumber: `No. ${number}`,
    useFinalArticleNumber: false,
    productDescription: {
      shortText: text(`Chair ${number}`),
      longText: text(`A chair that swivels, with a back of medium height.\nEnd of ${number}`),
    },
    features: [],
    productPrices: [{ side: "sales", base: { value: "100.00", currency: "GBP" } }],
    ...changes,
  };
}

export function project(items: Item[], changes: Partial<ProjectDocument> = {}): ProjectDocument {
  return {
    formatVersion: "1",
    id: id(0xffff_ffff),
    header: { name: "Quay House", number: "Q-0815", projectDate: "2024-07-10", validTo: "2024-08-09" },
    settings: {
      languages: ["en"],
      currency: "GBP",
      referenceCurrency: "EUR",
      exchangeRates: { EUR: "1", GBP: "0.86" },
      rounding: { halfWay: "even", interval: "0.01" },
      taxScheme: {
        id: "GB",
        order: ["VAT"],
        taxTypes: [
          {
            id: "VAT",
            rateUnit: "%",
            categories: [
              { id: "standard_rate", rate: "20" },
              { id: "reduced_rate", rate: "5" },
            ],
          },
        ],
      },
    },
    addresses: [
      {
        addressType: "SoldTo",
        name1: "Brightwater Studios Ltd",
        street: "18 Harbour Lane",
        postalCode: "BS1 4RW",
        location: "Bristol",
        countryCode: "GB",
      },
    ],
    manufacturers: { NOR: { name: text("Nordholm"), series: { FJ: text("Fjell") } } },
    items,
    ...changes,
  };
}

/** Everything that an option of the template shows or hides, each with a text of its own. */
export function fullProject(): ProjectDocument {
  const picture = { mediaType: "image/png", base64: onePixel, width: 1, height: 1 };
  const base = project([furniture(), { type: "text", id: id(90), text: text("Lift available on site") }]);
  return {
    ...base,
    header: {
      ...base.header,
      headerText: text("We thank you for your enquiry"),
      footerText: text("We look forward to your order"),
    },
    addresses: [
      ...(base.addresses ?? []),
      { addressType: "ShipTo", name1: "Warehouse North", street: "Dock Road 2", countryCode: "GB" },
      { addressType: "BillTo", name1: "Accounts Payable", street: "1 Exchange Square", countryCode: "GB" },
      {
        addressType: "Branch",
        name1: "Halden Interiors",
        street: "4 Foundry Yard",
        location: "Leeds",
        countryCode: "GB",
      },
    ],
    conditions: [
      { itemId: id(1), level: 210, counter: 0, amount: { kind: "percentage", value: "-10" } },
      { level: 410, counter: 0, amount: { kind: "percentage", value: "-5" } },
    ],
    assets: { picture },
  };
}

function furniture(): FolderItem {
  return {
    type: "folder",
    id: id(80),
    name: text("Third floor"),
    showSubTotal: true,
    children: [
      article(1, {
        quantity: { value: "4", unit: "C62" },
        fields: {
          [externalColumn]: "EXT-77",
          [imageColumn]: "picture",
          [firstExtraColumn]: "picture",
        },
        features: [
          { name: "c", value: "b", nameText: text("Colour"), valueText: text("slate blue"), visible: true },
        ],
        customTexts: [
          { id: "71", visible: true, text: text("Seat raised by 40 mm") },
          { id: "@add", visible: true, text: text("Delivered assembled") },
        ],
        productPrices: [
          {
            side: "sales",
            base: { value: "100.00", currency: "GBP" },
            components: [
              { label: text("Fabric group 3"), amount: { kind: "money", value: "20.00", currency: "GBP" } },
            ],
          },
        ],
      }),
      article(2, { inactive: [{ kind: "alternative" }] }),
      article(3, { inactive: [{ kind: "optional" }], taxCategories: { VAT: "reduced_rate" } }),
      article(4, { taxCategories: { VAT: "reduced_rate" } }),
      {
        type: "setArticle",
        id: id(5),
        articleNumber: "SET-1",
        quantity: { value: "1", unit: "C62" },
        userDescription: { shortText: text("Double workplace") },
        children: [article(6, { setArticleId: id(5) }), article(7, { setArticleId: id(5) })],
      },
    ],
  };
}
