/** The columns of the article list. */
import type { ExportContext } from "../request/export-context.js";
import type { Column } from "../workbook/sheet.js";
import { type PriceColumn, rateColumns, shownPriceColumns } from "./price-columns.js";

/** The columns before and after the prices, by the keys of their headings in `Words`. */
const before = [
  "position",
  "picture",
  "type",
  "manufacturer",
  "series",
  "articleNumber",
  "shortText",
  "longText",
  "variantText",
  "externalReference",
  "quantity",
  "unit",
] as const;
const after = ["status", "inTotal", "notInQuotes", "notInOrders"] as const;

export type ArticleColumn = (typeof before)[number] | PriceColumn | (typeof after)[number];

/** The columns with texts. */
export type TextColumn = Exclude<ArticleColumn, PriceColumn | "picture" | "quantity">;
export const textColumns: readonly TextColumn[] = [...before, ...after].filter(
  (column) => column !== "picture" && column !== "quantity",
);

/** The columns of one list, in order. */
export class ArticleColumns {
  readonly keys: readonly ArticleColumn[];
  readonly prices: readonly PriceColumn[];
  private readonly places: ReadonlyMap<ArticleColumn, number>;

  constructor(context: ExportContext, { pictures }: { pictures: boolean }) {
    this.prices = shownPriceColumns(context.hidden);
    const isShown = (column: ArticleColumn): boolean =>
      (column !== "picture" || pictures) &&
      (column !== "variantText" || context.withVariantText) &&
      (column !== "externalReference" || context.externalRefColumn !== undefined);
    this.keys = [...before, ...this.prices, ...after].filter(isShown);
    this.places = new Map(this.keys.map((key, place) => [key, place]));
  }

  /** Index of a column in the table, from 0; undefined if it is hidden. */
  readonly index = (column: ArticleColumn): number | undefined => this.places.get(column);

  /** Headers and layout of the columns. */
  headers({ words, currency }: ExportContext): Column[] {
    return this.keys.map((key) => {
      const isMoney = this.prices.some((price) => price === key && !rateColumns.has(price));
      const header = isMoney ? `${words[key]} (${currency})` : words[key];
      return { header, ...layout[key] };
    });
  }
}

const layout: { readonly [Key in ArticleColumn]?: Omit<Column, "header"> } = {
  picture: { width: 14 },
  shortText: { width: { min: 12, max: 40 }, wrap: true },
  longText: { width: { min: 12, max: 60 }, wrap: true },
  variantText: { width: { min: 12, max: 50 }, wrap: true },
  inTotal: { align: "center" },
  notInQuotes: { align: "center" },
  notInOrders: { align: "center" },
};
