/**
 * Taxes: which rate of which tax an item has, from the project's tax scheme, and the taxes of a document, one row
 * per name and rate, with what it is charged on.
 */

import { Exact } from "../locale/exact.js";
import type { ProjectDocument, Sheet, TaxType, Texts } from "../project/document.js";
import { ownMember } from "../schema/own-member.js";
import type { Position } from "./positions.js";
import type { PriceErrors } from "./price-errors.js";
import { isVisible, type PriceLine, type SheetReader, tagged } from "./sheet-lines.js";

const standardCategory = "standard_rate";

export interface TaxRate {
  taxType: string;
  taxCategory: string;
  /** Decimal text. */
  rate: string;
  /** "%", or a currency and a unit such as "EUR/KGM" for a tax by weight. */
  rateUnit: string;
  name: Texts | undefined;
}

export class TaxRates {
  private readonly types: ReadonlyMap<string, TaxType>;
  private readonly schemeId: string;

  constructor(
    project: ProjectDocument,
    private readonly errors: PriceErrors,
  ) {
    const scheme = project.settings.taxScheme;
    this.types = new Map(scheme?.taxTypes.map((type) => [type.id, type]));
    this.schemeId = scheme?.id ?? "";
  }

  /**
   * Undefined if the tax scheme does not contain the tax, or has no rate for the item's category; the latter
   * is reported. An item without a category has the standard rate.
   */
  find(taxType: string, { item }: Position): TaxRate | undefined {
    const type = this.typeOf(taxType);
    if (type === undefined) return undefined;
    const named = ownMember(item.taxCategories, type.id) ?? ownMember(item.taxCategories, taxType);
    const wanted = named ?? standardCategory;
    const category = type.categories.find(({ id }) => id === wanted);
    const rate = category?.rate ?? (wanted === "exemption" && category !== undefined ? "0" : undefined);
    if (rate === undefined) {
      const where = `Tax scheme "${this.schemeId}" has no rate for category "${wanted}" of ${taxType}`;
      if (named === undefined) this.errors.add(undefined, `${where}, which items without a category have`);
      else this.errors.add(item.id, `${where}; the item is not taxed`);
      return undefined;
    }
    return { taxType: type.id, taxCategory: wanted, rate, rateUnit: type.rateUnit, name: type.name };
  }

  /** The tax in the scheme; "ECO" and "ECO_FR" are the same tax, without and with the country. */
  typeOf(taxType: string): TaxType | undefined {
    const [kind] = taxType.split("_", 1);
    return this.types.get(taxType) ?? [...this.types.values()].find(({ id }) => id.split("_", 1)[0] === kind);
  }
}

/** One tax at one rate. */
export interface TaxTotal {
  /** Its first line, which determines label, condition type and rate of the row. */
  line: PriceLine;
  /** The taxable amount: the sum over the items with this tax; undefined if no item states it. */
  base: Exact | undefined;
  /** The amount of tax. */
  value: Exact;
}

/**
 * The taxes in a header sheet. `itemSheets` are the sheets of the counted items: the taxable amount is the
 * sum over the taxed items. Eco contributions are lines before the net value.
 */
export function taxTotals(
  header: readonly PriceLine[],
  itemSheets: readonly Sheet[],
  sheets: SheetReader,
): TaxTotal[] {
  const sums = new Map<string, { line: PriceLine; value: Exact }>();
  for (const line of taxLines(header)) {
    const key = taxKey(line);
    const sum = sums.get(key);
    sums.set(key, { line: sum?.line ?? line, value: line.value.plus(sum?.value ?? 0) });
  }
  const bases = taxBases(itemSheets, sheets);
  return [...sums].map(([key, { line, value }]) => ({ line, value, base: bases.get(key) }));
}

function taxLines(lines: readonly PriceLine[]): PriceLine[] {
  const ecoLevel = tagged(lines, "NET_VALUE_ECO")?.line.level ?? -1;
  return lines.filter((line) => line.tags.includes("TAX") && isVisible(line) && line.line.level > ecoLevel);
}

function taxBases(itemSheets: readonly Sheet[], sheets: SheetReader): Map<string, Exact> {
  const bases = new Map<string, Exact>();
  for (const sheet of itemSheets) {
    const lines = sheets.lines(sheet);
    const base = (tagged(lines, "NET_VALUE_ECO") ?? tagged(lines, "NET_VALUE"))?.value;
    if (base === undefined) continue;
    for (const key of new Set(taxLines(lines).map(taxKey))) bases.set(key, base.plus(bases.get(key) ?? 0));
  }
  return bases;
}

function taxKey({ line }: PriceLine): string {
  const rate = line.amount?.kind === "percentage" ? new Exact(line.amount.value).toFixed() : "";
  return `${line.level} ${line.conditionType ?? ""} ${rate}`;
}
