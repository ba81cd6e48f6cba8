/** The session of requests that the host itself sends to plugins: a small project that no client can address. */
import { randomUUID } from "node:crypto";
import { builtInColumns, type Item, type ProjectDocument } from "@slipway/sdk";
import { localeWithoutSession, type SessionContents, takeAssets } from "@slipway/sdk/runtime/host";

/** No stored session has its id, which is new in each process of a host. */
export const sampleSession = { id: randomUUID(), locale: localeWithoutSession, revision: 1 };

const articles = 3;

/** A grey PNG of 128 x 128 points, which is prepared for printing like larger ones. */
const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAIAAAACACAAAAADmVT4XAAAAWklEQVR42u3OsQAAAAACsPzJwgqjZyNYehYBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAYF3YMGCAu+SfLeFAAAAAElFTkSuQmCC";

/** The sessions, and the sample session beside them. */
export function withSampleSession(sessions: SessionContents): SessionContents {
  let made: SessionContents | undefined;
  const contentsOf = (id: string): SessionContents => {
    if (id !== sampleSession.id) return sessions;
    made ??= sampleContents();
    return made;
  };
  return {
    project: async (id, revision) => contentsOf(id).project(id, revision),
    asset: async (id, sha256) => contentsOf(id).asset(id, sha256),
    hasAsset: async (id, sha256) => contentsOf(id).hasAsset(id, sha256),
  };
}

function sampleContents(): SessionContents {
  const { project, assets } = takeAssets(sampleProject(), new Set());
  const bytes = Buffer.from(JSON.stringify(project));
  const pictures = new Map(assets.map(({ sha256, content }) => [sha256, content]));
  return {
    project: async () => bytes,
    asset: async (_, sha256) => pictures.get(sha256),
    hasAsset: async (_, sha256) => pictures.has(sha256),
  };
}

/** What most projects have: articles with texts, features, prices and a picture, below a folder, taxes and a discount. */
function sampleProject(): ProjectDocument {
  const text = (value: string) => [{ lang: "en", value }];
  const article = (_: unknown, index: number): Item => ({
    type: "article",
    id: randomUUID(),
    quantity: { value: String(index + 1), unit: "C62" },
    fields: { [builtInColumns.articleImage]: "picture" },
    articleKind: "article",
    manufacturerId: "SMP",
    seriesId: "A",
    baseArticleNumber: `A-${index}`,
    useFinalArticleNumber: false,
    productDescription: {
      shortText: text(`Article ${index}`),
      longText: text("Height adjustable,\nwith tray"),
    },
    features: [
      { name: "COL", value: "1", nameText: text("Colour"), valueText: text("oak"), visible: true },
      { name: "HGT", value: "2", nameText: text("Height"), valueText: text("72 cm"), visible: true },
    ],
    productPrices: (["purchase", "sales"] as const).map((side) => ({
      side,
      base: { value: `${index + 100}.00`, currency: "EUR" },
    })),
  });
  return {
    formatVersion: "1",
    id: randomUUID(),
    header: { name: "Sample", number: "1", projectDate: "2026-01-01", headerText: text("A sample.") },
    settings: {
      languages: ["en"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      taxScheme: {
        id: "TAX",
        taxTypes: [{ id: "VAT", rateUnit: "%", categories: [{ id: "standard_rate", rate: "19" }] }],
        order: ["VAT"],
      },
      rounding: { halfWay: "even", interval: "0.01" },
    },
    addresses: [
      { addressType: "SoldTo", addressNumber: "1", name1: "Customer", countryCode: "DE", location: "Berlin" },
      { addressType: "Supplier", addressNumber: "2", name1: "Supplier", countryCode: "DE" },
    ],
    manufacturers: { SMP: { name: text("Sample"), series: { A: text("Series") } } },
    conditions: [{ level: 410, counter: 0, amount: { kind: "percentage", value: "-5" } }],
    items: [
      {
        type: "folder",
        id: randomUUID(),
        name: text("Folder"),
        showSubTotal: true,
        children: Array.from({ length: articles }, article),
      },
    ],
    assets: { picture: { mediaType: "image/png", base64: picture } },
  };
}
