/**
 * An order of any size; its articles are made when they are read, from a few that were made before. Uses the part itself,
 * for the types of what its writer takes.
 */
import type {
  Configuration,
  OexArticle,
  OexDocument,
  OexHeader,
  PricingLine,
} from "../../../plugins/oex/document/oex-document.js";

const distinctArticles = 100;
const language = { code: "de" };

/** An order in 3.1 with so many articles, each of 100 elements: 3 features, 3 texts, 8 price lines. */
export function benchmarkDocument(articles: number): OexDocument {
  return {
    format: { type: "ORDERS", version: "3.1" },
    application: { name: "Slipway", major: "1", minor: "0" },
    header: benchmarkHeader(),
    itemCount: articles,
    items: { [Symbol.iterator]: () => benchmarkArticles(articles) },
  };
}

/** Parsed, because objects put together by spreading have a layout each, and reading those takes all the time. */
const templates: OexArticle[] = JSON.parse(
  JSON.stringify(Array.from({ length: distinctArticles }, (_, number) => article(number))),
);

function* benchmarkArticles(count: number): Generator<OexArticle> {
  for (let index = 0; index < count; index++) {
    const template = templates[index % templates.length];
    if (template === undefined) throw new Error("there are no articles");
    const counter = String(index + 1).padStart(6, "0");
    yield { ...template, id: `5e11a0f2-4c1e-4f6a-9b3d-000000${counter}`, itemNumber: counter };
  }
}

function benchmarkHeader(): OexHeader {
  return {
    number: "BE-2026-00417",
    clientNumber: "20418",
    clientIds: [],
    vendorNumber: "700312",
    supplierIds: [],
    currency: "EUR",
    partialDelivery: true,
    language: { code: "de", country: "DE" },
    documentNumbers: [],
    dates: [{ type: "DOC", timeZone: "+0200", format: "D", value: "20260511", time: "141503" }],
    organisation: [],
    addresses: [],
    texts: [],
    references: [],
    pricing: [],
  };
}

function article(number: number): OexArticle {
  const width = 1200 + number * 10;
  return {
    kind: "article",
    id: "",
    itemNumber: "",
    topLevelNumber: "000001",
    pseudo: false,
    articleNumber: `TZ-${4400 + number}`,
    status: "O",
    vendor: "FHM",
    series: "TZ1",
    catalogId: "de-2026.1",
    quantity: `${1 + (number % 9)}.000`,
    unit: "C62",
    classifications: [{ system: "ECLASS-11.0", value: String(25020100 + number) }],
    configurations: [
      feature("PLATTE", "EI1", "Tischplatte", "Eiche natur"),
      feature("BREITE", `${width}`, "Breite", `${width} mm`),
      feature(
        "KANTE",
        "K2",
        "Kantenausführung",
        number % 10 === 0 ? "ABS > 2 mm, weiß & grau" : "ABS 2 mm, weiß",
      ),
    ],
    organisation: [
      { type: "POS", value: `1.${number + 1}` },
      { type: "OVC", value: `TZ.PLATTE=EI1;TZ.BREITE=${width};TZ.KANTE=K2` },
      { type: "ITM", value: `TZ${4400 + number}-EI1-${width}` },
    ],
    texts: [
      { type: "ARTS", language, lines: [{ format: "\\", text: `Schreibtisch TZ ${width} x 800 mm` }] },
      {
        type: "ARTL",
        language,
        lines: [
          { format: "\\", text: "Schreibtisch mit elektrischer Höhenverstellung, Verstellbereich 620 bis" },
          { format: "~", text: "1270 mm, Kollisionsschutz und Bedienteil mit vier Speicherplätzen." },
          { format: "\\", text: "Gestell weiß, Platte Eiche natur." },
        ],
      },
      { type: "ARTV", language, lines: [{ format: "\\", text: `Platte Eiche natur, Breite ${width} mm` }] },
    ],
    references: [],
    pricing: pricing(number),
  };
}

function feature(optionId: string, valueId: string, option: string, value: string): Configuration {
  const texts = [{ language, option, value: [{ format: "\\" as const, text: value }] }];
  return { visible: true, classId: "TISCH", optionId, valueId, texts };
}

function pricing(number: number): PricingLine[] {
  const line = { area: "P", currency: "EUR" } as const;
  const net = (500 + number).toFixed(2);
  const units = { priceUnit: "1.000", quantityUnit: "C62" };
  const discount = { ...line, type: "DISI", sign: "-" } as const;
  return [
    { ...line, type: "SGRO", value: (900 + number).toFixed(2), ...units },
    { ...discount, base: 1, kind: "BD", value: "350.00", rate: "38.00", text: "Grundrabatt" },
    { ...discount, base: 2, kind: "D1", value: "50.00", rate: "9.00", text: "Rahmenvertrag Objekt" },
    { ...line, type: "SNET", value: net, ...units },
    { ...line, type: "TNET", value: net },
    { ...line, type: "TTNE", value: net, taxCode: 1 },
    { ...line, type: "TTAX", value: "95.00", base: 6, rate: "19.00", taxCode: 1 },
    { ...line, type: "TOTL", value: net },
  ];
}
