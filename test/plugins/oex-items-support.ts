/**
 * Small projects, and what an export makes of their items. Uses the part itself: items are seen as they are made, without a
 * document around them.
 */
import type {
  ArticleItem,
  FolderItem,
  Item,
  ProjectDocument,
  Session,
  SetArticleItem,
  Suppression,
  TextItem,
  Texts,
  UserArticleItem,
} from "@slipway/sdk";
import { id } from "@slipway/sdk/testing";
import {
  defaultConfiguration,
  type ExportConfiguration,
  type ExportSettings,
} from "../../plugins/oex/configuration/export-configuration.js";
import { type ExportContext, VendorCodes } from "../../plugins/oex/context/export-context.js";
import type {
  OexArticle,
  OexDocument,
  OexItem,
  OexText,
  PricingLine,
} from "../../plugins/oex/document/oex-document.js";
import { createItem } from "../../plugins/oex/items/create-item.js";
import { itemTools } from "../../plugins/oex/items/item-context.js";
import type { Repair, Repairs } from "../../plugins/oex/repair/repairs.js";
import type { SelectedItem } from "../../plugins/oex/selection/exported-tree.js";
import type { LeftOutArticle } from "../../plugins/oex/selection/left-out.js";
import { selectItems } from "../../plugins/oex/selection/select-items.js";
import { writeOexDocument } from "../../plugins/oex/writing/write-document.js";
import { shownPicture } from "./shown-picture.js";

export { id } from "@slipway/sdk/testing";

export function de(value: string): Texts {
  return [{ lang: "de", value }];
}

export function pieces(value: string): ArticleItem["quantity"] {
  return { value, unit: "C62" };
}

export function article(number: number, more: Partial<ArticleItem> = {}): ArticleItem {
  return {
    type: "article",
    id: id(number),
    articleKind: "article",
    quantity: pieces("1"),
    manufacturerId: "FHM",
    seriesId: "TZ1",
    baseArticleNumber: `A-${number}`,
    useFinalArticleNumber: false,
    productDescription: { shortText: de(`Artikel ${number}`) },
    features: [],
    productPrices: [],
    ...more,
  };
}

export function userArticle(number: number, more: Partial<UserArticleItem> = {}): UserArticleItem {
  return { type: "userArticle", id: id(number), quantity: pieces("1"), productPrices: [], ...more };
}

export function folder(number: number, children: Item[], more: Partial<FolderItem> = {}): FolderItem {
  return { type: "folder", id: id(number), name: de(`Ordner ${number}`), children, ...more };
}

export function set(number: number, children: Item[], more: Partial<SetArticleItem> = {}): SetArticleItem {
  return { type: "setArticle", id: id(number), quantity: pieces("1"), children, ...more };
}

export function text(number: number, more: Partial<TextItem> = {}): TextItem {
  return { type: "text", id: id(number), text: de(`Hinweis ${number}`), ...more };
}

export function project(items: Item[], more: Partial<ProjectDocument> = {}): ProjectDocument {
  return {
    formatVersion: "1",
    id: id(999_999),
    header: {},
    settings: {
      languages: ["de"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      rounding: { halfWay: "up", interval: "0.01" },
    },
    items,
    ...more,
  };
}

export interface ExportSetup {
  config?: Partial<ExportConfiguration>;
  project?: Partial<ProjectDocument>;
  locale?: string;
  imageTag?: string;
  /** Settings of the plugin. */
  codes?: Partial<Pick<ExportSettings, "manufacturerCodes" | "seriesCodes">>;
  /** Bytes of assets; an error is thrown when it is read. */
  assets?: Record<string, Uint8Array | Error>;
}

export interface MadeExport {
  context: ExportContext;
  selected: SelectedItem[];
  leftOut: readonly LeftOutArticle[];
  /** With the item's id, or "" for those of the request. */
  repairs: (Repair & { id: string; position: string })[];
  suppressed: Suppression[];
  /** Keys of assets in the order in which they were read. */
  read: string[];
  items(): Promise<OexItem[]>;
}

const settings = {
  applicationName: "Slipway",
  applicationVersion: { major: "1", minor: "0" },
  timeZone: "UTC",
  manufacturerCodes: {},
  seriesCodes: {},
  validate: false,
  validateLimit: 0,
};

/** What an export of these items selects and makes. */
export function exported(items: Item[], setup: ExportSetup = {}): MadeExport {
  const configuration = { ...defaultConfiguration(settings), attachOBX: false, ...setup.config };
  const repairs: MadeExport["repairs"] = [];
  const suppressed: Suppression[] = [];
  const read: string[] = [];
  const document = project(items, setup.project);
  const codes = new VendorCodes(document, { ...settings, ...setup.codes });
  const context: ExportContext = {
    codes,
    session: session(setup.assets ?? {}, read),
    project: document,
    configuration,
    format: { type: configuration.documentType, version: configuration.oexVersion },
    locale: setup.locale ?? "de_DE",
    procedure: { name: "STDB2B_WBK", label: [], halfWay: "even", lines: [], conditionTypes: [] },
    preferredImageColumn: "73bd68f4-da62-11d8-b9d6-00e081513ada",
    imageTag: setup.imageTag,
    now: new Date(0),
    timeZone: "UTC",
    signal: new AbortController().signal,
    repairs: collect(repairs),
    suppress: (suppression) => suppressed.push(suppression),
  };
  const { items: selected, leftOut } = selectItems(context);
  const tools = itemTools(context);
  return {
    context,
    selected,
    leftOut,
    repairs,
    suppressed,
    read,
    async items() {
      const made: OexItem[] = [];
      for (const each of selected) made.push(await createItem(each, [], tools));
      return made;
    },
  };
}

/** The only article that an export has. */
export async function onlyArticle(item: Item, setup: ExportSetup = {}): Promise<OexArticle & MadeExport> {
  const made = exported([item], setup);
  const [first, ...others] = await made.items();
  if (first?.kind !== "article" || others.length > 0)
    throw new Error("expected one article and nothing else");
  return { ...made, ...first };
}

/** Texts as "ARTS de: first line|second line", with "~" before lines that continue. */
export function shown(texts: readonly OexText[]): string[] {
  return texts.map(({ type, language, lines }) => {
    const country = language.country === undefined ? "" : `-${language.country}`;
    const all = lines.map((line) => (line.format === "~" ? `~${line.text}` : line.text)).join("|");
    return `${type} ${language.code}${country}: ${all}`;
  });
}

/** The items as a whole document, with a header that is as short as the format allows, apart from prices. */
export async function documentOf(
  made: Pick<MadeExport, "context" | "items">,
  pricing: PricingLine[] = [],
): Promise<Uint8Array> {
  const order = ["article", "set", "folder", "text"];
  const items = await made.items();
  const sorted = order.flatMap((kind) => items.filter((item) => item.kind === kind));
  const { format } = made.context;
  const dates = format.type === "ORDERS" ? (["DOC"] as const) : (["DOC", "QUO", "DLD"] as const);
  const document: OexDocument = {
    format,
    application: { name: "Slipway", major: "1", minor: "0" },
    header: {
      ...{ number: "1", clientNumber: "2", vendorNumber: "3", currency: "EUR", language: { code: "de" } },
      ...(format.type === "ORDERS" && { partialDelivery: true }),
      ...{ clientIds: [], supplierIds: [], documentNumbers: [], organisation: [], texts: [] },
      dates: dates.map((type) => ({
        type,
        timeZone: "+0000",
        format: "D",
        value: "20261121",
        ...(type === "DOC" && { time: "120000" }),
      })),
      addresses: (["SO", "SH"] as const).map((type) => ({
        ...{ type, names: ["Name"], street: "Weg 1", countryCode: "DE", postalCode: "12345" },
        ...{ location: "Ort", communication: [], contacts: [] },
      })),
      ...{ references: [], pricing },
    },
    itemCount: sorted.length,
    items: sorted,
  };
  const parts: string[] = [];
  for await (const part of writeOexDocument(document)) parts.push(String(part));
  return Buffer.from(parts.join(""), "utf8");
}

function collect(list: MadeExport["repairs"], item = { id: "", position: "" }): Repairs {
  return {
    report: (repair) => list.push({ ...repair, ...item }),
    forItem: (other) => collect(list, other),
  };
}

function session(assets: Record<string, Uint8Array | Error>, read: string[]): Session {
  return {
    id: id(1),
    locale: "de_DE",
    revision: 1,
    project: () => Promise.reject(new Error("items are made of the project that they are given")),
    asset: () => Promise.reject(new Error("orders have pictures as every program shows them")),
    async picture(key) {
      read.push(key);
      const found = assets[key];
      if (found instanceof Error) throw found;
      return shownPicture(found);
    },
  };
}
