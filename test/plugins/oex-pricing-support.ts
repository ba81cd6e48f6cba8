/**
 * Small projects with prices, and the pricing lines of their documents as short texts. Uses the part itself: pricing lines
 * are seen as they are made, without a document around them.
 */
import { readFileSync } from "node:fs";
import {
  type Amount,
  type ArticleItem,
  allSteps,
  type ConditionRecord,
  type Item,
  PricingProcedure,
  type ProductPrice,
  type ProjectDocument,
  type ProjectPrices,
  projectPrices,
  Validator,
} from "@slipway/sdk";
import type { ExportConfiguration } from "../../plugins/oex/configuration/export-configuration.js";
import type { PricingLine } from "../../plugins/oex/document/oex-document.js";
import { DocumentPricing } from "../../plugins/oex/pricing/document-pricing.js";
import type { SelectedItem } from "../../plugins/oex/selection/exported-tree.js";
import { article, exported, id, type MadeExport } from "./oex-items-support.js";

export const scheme = "STDB2B_WBK";
export const procedure = readProcedure();

function readProcedure(): PricingProcedure {
  const file = new URL(`../../config/procedures/${scheme}.json`, import.meta.url);
  const json: unknown = JSON.parse(readFileSync(file, "utf8"));
  const checked = new Validator().compile(PricingProcedure, "procedure")(json);
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
  return checked.value;
}

/** An article with a purchase and a sales price; null for one that has none. */
export function priced(
  number: number,
  prices: { purchase?: string | null; sales?: string | null; per?: string; quantity?: string },
  more: Partial<ArticleItem> = {},
): ArticleItem {
  const { purchase = null, sales = null, per, quantity = "1" } = prices;
  const price = (side: "purchase" | "sales", value: string | null): ProductPrice[] => {
    if (value === null) return [];
    const base = { value, currency: "EUR" };
    return [{ side, base, ...(per === undefined ? {} : { perQuantity: { value: per, unit: "C62" } }) }];
  };
  return article(number, {
    quantity: { value: quantity, unit: "C62" },
    productPrices: [...price("purchase", purchase), ...price("sales", sales)],
    ...more,
  });
}

export function percent(value: string): Amount {
  return { kind: "percentage", value };
}

export function money(value: string): Amount {
  return { kind: "money", value, currency: "EUR" };
}

/** A record at "210.0", for an item where its number is given. */
export function record(place: string, amount: Amount, item?: number, label?: string): ConditionRecord {
  const [level, counter] = place.split(".");
  return {
    level: Number(level),
    counter: Number(counter),
    amount,
    ...(item === undefined ? {} : { itemId: id(item) }),
    ...(label === undefined ? {} : { label: [{ lang: "de", value: label }] }),
  };
}

type TaxScheme = NonNullable<ProjectDocument["settings"]["taxScheme"]>;

/** A scheme of percent taxes by type and category; "EUR/KGM" in place of a category's name is the unit of the rate. */
export function taxScheme(taxes: Record<string, Record<string, string>>, rateUnit = "%"): TaxScheme {
  const taxTypes = Object.entries(taxes).map(([type, categories]) => ({
    id: type,
    rateUnit: type.startsWith("ECO") ? "EUR/KGM" : rateUnit,
    categories: Object.entries(categories).map(([category, rate]) => ({ id: category, rate })),
  }));
  return { id: "XX", taxTypes, order: Object.keys(taxes) };
}

export const german = taxScheme({ VAT: { standard_rate: "19", reduced_rate: "7", exemption: "0" } });

export interface PricedProject {
  items: Item[];
  conditions?: ConditionRecord[];
  taxes?: TaxScheme;
  settings?: Partial<ProjectDocument["settings"]>;
  config?: Partial<ExportConfiguration>;
  procedure?: PricingProcedure;
  calculations?: NonNullable<ProjectDocument["calculations"]>;
  locale?: string;
}

export interface PricedExport {
  made: MadeExport;
  prices: ProjectPrices;
  pricing: DocumentPricing;
  /** Lines of the article or set with this number. */
  item(number: number): PricingLine[];
  header(): PricingLine[];
  /** Field and change of each repair, with the item's number where it has one. */
  repairs(): string[];
}

/** The pricing of what an export of the project selects. */
export async function pricedExport(given: PricedProject): Promise<PricedExport> {
  const { items, conditions, taxes, settings, config = {}, calculations, locale } = given;
  const project: Partial<ProjectDocument> = {
    settings: {
      languages: ["de"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      rounding: { halfWay: "even", interval: "0.01" },
      ...(taxes === undefined ? {} : { taxScheme: taxes }),
      ...settings,
    },
    ...(conditions === undefined ? {} : { conditions }),
    ...(calculations === undefined ? {} : { calculations }),
  };
  const made = exported(items, { config, project, ...(locale === undefined ? {} : { locale }) });
  const used = given.procedure ?? procedure;
  const prices = await projectPrices(made.context.project, used.name, { find: async () => used });
  const pricing = allSteps(DocumentPricing.steps({ ...made.context, prices }, made.selected));
  const selected = (number: number): SelectedItem => {
    const found = made.selected.find((each) => each.item.id === id(number));
    if (found === undefined) throw new Error(`${number} is not exported`);
    return found;
  };
  return {
    made,
    prices,
    pricing,
    item: (number) => pricing.item(selected(number)),
    header: () => pricing.header(),
    repairs: () =>
      made.repairs.map(({ id: item, scope = "WARN", field, value, change }) => {
        const place = item === "" ? "" : `${Number(item.slice(-12))}: `;
        return `${scope} ${place}${field} (${value}): ${change}`;
      }),
  };
}

/** "P DISI<1 BD- 20.00% 50.00": area, type, base, kind and sign, tax code, rate, value, unit; with the name on demand. */
export function shown(lines: readonly PricingLine[], withText = false): string[] {
  return lines.map(({ area, type, base, kind, sign, taxCode, rate, value, priceUnit, text }) =>
    [
      area,
      base === undefined ? type : `${type}<${base}`,
      ...(kind === undefined ? [] : [`${kind}${sign}`]),
      ...(taxCode === undefined ? [] : [`tax${taxCode}`]),
      ...(rate === undefined ? [] : [`${rate}%`]),
      value,
      ...(priceUnit === undefined ? [] : [`/${priceUnit}`]),
      ...(withText && text !== undefined ? [`"${text}"`] : []),
    ].join(" "),
  );
}

/** The value of the first line of a type. */
export function lineValue(
  lines: readonly PricingLine[],
  type: PricingLine["type"],
  area = "S",
): string | undefined {
  return lines.find((line) => line.type === type && line.area === area)?.value;
}
