/** A project in which every flag of the export configuration has an effect, and nothing needs a repair. */
import { type Json, article as plainArticle } from "./reporter-client.js";

const externalItemNumber = "c962203c-7e83-4a2f-8060-acaa4a06c921";
const articleImage = "73bd68f4-da62-11d8-b9d6-00e081513ada";

export const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Names of the items, in reading order, by which tests speak of them. */
export const itemNames = [
  "floor",
  "note",
  "workplace",
  "desk",
  "shelf",
  "room",
  "table",
  "leg",
  "chair",
  "stool",
  "lamp",
  "plant",
] as const;
export type ItemName = (typeof itemNames)[number];

export function itemId(name: ItemName): string {
  return `00000000-0000-4000-8000-${String(itemNames.indexOf(name) + 1).padStart(12, "0")}`;
}

/** What an export of the project is configured with besides the flags. */
export const baseConfiguration: Json = {
  oexVersion: "3.1",
  appName: "Planner",
  appVersion: { aMajor: "4", aMinor: "2" },
  docNumber: "B-2042",
  manufacturerIds: ["FHM", "GRN"],
  manufacturerId: "FHM",
  orderInfo: "Bitte Ankunft melden",
  projectUserName: "Jule von Ahn",
  salesGroup: "SG-1",
  salesOrganisation: "4100",
  shipToCode: "TOR-9",
};

/**
 * A floor with a note and a set, a room with a composite, a chair of which everything is known and two that are not
 * ordered, and a plant of another manufacturer with another tax. Sales prices have discounts of the item and of the
 * header, purchase prices one of the item.
 */
export function flagProject(): Json {
  return {
    formatVersion: "1",
    id: "00000000-0000-4000-8000-000000000999",
    header: {
      number: "A-77",
      projectDate: "2026-11-02",
      validTo: "2026-12-02",
      headerText: de("Lieferung an Tor 9"),
    },
    settings: settings(),
    addresses: [
      address("SoldTo", "20001", "Hafenlicht GmbH"),
      address("ShipTo", "20001-2", "Hafenlicht Lager"),
      address("Supplier", "70001", "Fjord Holz AG"),
    ],
    items: [floor(), plant()],
    conditions: [
      { itemId: itemId("chair"), level: 20, counter: 0, amount: { kind: "percentage", value: "-25" } },
      { itemId: itemId("chair"), level: 210, counter: 0, amount: { kind: "percentage", value: "-10" } },
      { level: 410, counter: 0, amount: { kind: "percentage", value: "-5" }, label: de("Projektrabatt") },
    ],
    assets: { picture: { mediaType: "image/png", base64: picture } },
  };
}

function settings(): Json {
  const categories = [
    { id: "standard_rate", rate: "19" },
    { id: "reduced_rate", rate: "7" },
  ];
  return {
    languages: ["de"],
    currency: "EUR",
    referenceCurrency: "EUR",
    exchangeRates: {},
    taxScheme: { id: "DE", taxTypes: [{ id: "VAT", rateUnit: "%", categories }], order: ["VAT"] },
    rounding: { halfWay: "up", interval: "0.01" },
  };
}

function floor(): Json {
  return {
    type: "folder",
    id: itemId("floor"),
    name: de("Erdgeschoss"),
    appData: { Slipway: { isLocation: true } },
    children: [
      { type: "text", id: itemId("note"), text: de("Aufbau nachts"), longText: de("Nur mit Anmeldung") },
      workplace(),
      {
        type: "folder",
        id: itemId("room"),
        name: de("Besprechung"),
        children: [table(), chair(), ...notOrdered()],
      },
    ],
  };
}

/** Members without prices. */
function workplace(): Json {
  return {
    type: "setArticle",
    id: itemId("workplace"),
    articleNumber: "WP-1",
    quantity: pieces("2"),
    userDescription: { shortText: de("Arbeitsplatz") },
    children: ["desk" as const, "shelf" as const].map((name) =>
      article(name, { setArticleId: itemId("workplace") }),
    ),
  };
}

/** A composite with its generated part. */
function table(): Json {
  return article("table", {
    addStateCodes: [{ domain: "OFML", value: "T-STATE" }],
    children: [article("leg", { mainArticleId: itemId("table"), quantity: pieces("4") })],
  });
}

function chair(): Json {
  return article("chair", {
    quantity: pieces("2"),
    productDescription: { shortText: de("Stuhl"), longText: de("Drehstuhl\nmit Rollen") },
    features: [feature("FABRIC", "Bezug", "Filz", true), feature("GLIDE", "Gleiter", "Teppich", false)],
    customTexts: [{ id: "@add", visible: true, text: de("Montiert liefern") }],
    fields: { [externalItemNumber]: "EXT-5", [articleImage]: "picture" },
    productPrices: [price("purchase", "80.00"), price("sales", "200.00")],
  });
}

function notOrdered(): Json[] {
  return [
    article("stool", { inactive: [{ kind: "alternative" }], productPrices: [price("sales", "30.00")] }),
    article("lamp", { inactive: [{ kind: "optional" }] }),
  ];
}

function plant(): Json {
  return article("plant", {
    manufacturerId: "GRN",
    taxCategories: { VAT: "reduced_rate" },
    features: [feature("POT", "Topf", "Ton", true)],
    productPrices: [price("purchase", "20.00"), price("sales", "60.00")],
  });
}

function feature(name: string, label: string, valueText: string, visible: boolean): Json {
  return { name, value: "V1", nameText: de(label), valueText: de(valueText), visible };
}

/** Without a price. */
function article(name: ItemName, more: Json): Json {
  const number = itemNames.indexOf(name) + 1;
  return plainArticle(number, "0", {
    id: itemId(name),
    manufacturerId: "FHM",
    seriesId: "TZ1",
    baseArticleNumber: name.toUpperCase(),
    productDescription: { shortText: de(`Artikel ${name}`) },
    productPrices: [],
    ...more,
  });
}

function address(addressType: string, addressNumber: string, name1: string): Json {
  return {
    ...{ addressType, addressNumber, name1, street: "Kai 1" },
    ...{ countryCode: "DE", postalCode: "20457", location: "Hamburg" },
  };
}

function price(side: string, value: string): Json {
  return { side, base: { value, currency: "EUR" } };
}

function pieces(value: string): Json {
  return { value, unit: "C62" };
}

function de(text: string): Json[] {
  return [{ lang: "de", value: text }];
}
