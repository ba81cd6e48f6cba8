/** The pricing lines of a document (OEX reference, section 15). */
import { Exact, Rounding } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../document/oex-document.js";
import type { Repairs } from "../repair/repairs.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { type AreaAmounts, noAmounts } from "./area-amounts.js";
import { ArticleAmounts } from "./article-amounts.js";
import { ConditionKinds, LineTexts, type Tax, TaxCodes } from "./codes.js";
import { DocumentTotals } from "./document-totals.js";
import { addHeaderLines, headerChanges, reportDifferences } from "./header-lines.js";
import { addItemLines } from "./item-lines.js";
import { type DocumentRules, hiddenLines, type PricingContext, PricingLines } from "./pricing-lines.js";
import type { ProcedureParts } from "./procedure-parts.js";
import { SheetParts } from "./sheet-parts.js";

/** ISO 4217 "no currency": the format has two decimals for all currencies. */
const anyCurrency = "XXX";

/** A tax with the code of its lines. */
export type CodedTax = Tax & { code: number };

/** A part of a discount (below zero) or surcharge of the header. */
export interface HeaderShare {
  /** Place among the lines `DISH` and `SURH` of the area, from 0; beyond them for parts that add up to nothing. */
  line: number;
  value: Exact;
  /** Of the articles that it falls to. */
  taxCodes: number[];
  /** A tax that is not a percentage, such as an eco contribution. */
  isCharge: boolean;
  /** Empty without a name. */
  text: string;
}

/** Shared inputs of a document's sums and lines. */
interface PricingTools {
  parts: SheetParts;
  articles: ArticleAmounts;
  areas: readonly PriceArea[];
  kinds: ConditionKinds;
  texts: LineTexts;
}

/**
 * Prices of a document: sums are computed once for all items, lines on demand. Orders have purchase prices, followed by
 * sales prices if the configuration wants both; quotations have sales prices only.
 *
 * All amounts come from the session: totals of articles, their shares of header discounts, and the taxes if the
 * document covers all of the project's totals. In that case the header's totals equal the project's. A document with
 * only some of the articles has their shares, also of lump sums for the whole project, which is reported. Its taxes are
 * computed from its own totals at the rates of the articles, as purchase taxes always are.
 *
 * Amounts that the session adds after the taxes to round the total are left out: `TOTL` is the sum of net value and
 * taxes (section 15.3). That is reported as well.
 */
export class DocumentPricing {
  /** ISO 4217. */
  readonly currency: string;
  private readonly articles: ArticleAmounts;
  private readonly rules: DocumentRules;
  private readonly areas: readonly PriceArea[];
  private readonly ofProject: readonly AreaAmounts[];
  private readonly changedAreas: ReadonlySet<PriceArea>;

  private constructor(
    private readonly context: PricingContext,
    { parts, articles, areas, kinds, texts }: PricingTools,
    private readonly totals: DocumentTotals,
  ) {
    const { prices, project, configuration, format } = context;
    this.currency = prices.calculation.header.currency;
    this.areas = areas;
    this.articles = articles;
    this.rules = {
      kinds,
      texts,
      taxCodes: new TaxCodes(project, this.totals.taxes.values()),
      hidden: { P: hiddenLines("P", configuration), S: hiddenLines("S", configuration) },
      tolerance: Exact.max(Rounding.of(project.settings, "up").interval, "0.01"),
      unitRounding: Rounding.toUnit(anyCurrency, prices.procedure),
      eitherTextOrUnit: format.type === "QUOTES",
    };
    this.changedAreas = new Set(areas.filter((area) => this.isChanged(area)));
    // Purchase taxes are computed at the sales rates unless the procedure has lines for them.
    this.ofProject = this.articles
      .ofProject()
      .map((each) => (each.area === "P" && !parts.parts.purchaseTaxes ? { ...each, taxes: [] } : each));
    reportDifferences({ ...context, totals: this.totals, ofProject: this.ofProject, rules: this.rules });
  }

  /**
   * Sums up the prices of a document, one article per step, and reports where its totals differ from the project's.
   * `selected`: all items of the document.
   */
  static *steps(
    context: PricingContext,
    selected: readonly SelectedItem[],
  ): Generator<undefined, DocumentPricing> {
    const { prices, project, locale, repairs } = context;
    const parts = new SheetParts(prices.procedure);
    const areas = documentAreas(context, parts.parts);
    const kinds = new ConditionKinds(prices.procedure, parts.parts);
    const texts = new LineTexts(project, locale, repairs);
    const articles = new ArticleAmounts(project, prices, parts, areas);
    const totals = yield* DocumentTotals.steps(selected, articles, { prices, areas, kinds, texts });
    return new DocumentPricing(context, { parts, articles, areas, kinds, texts }, totals);
  }

  /**
   * The lines of an article, or of a set: the sum of its exported articles, for information. Other items have none.
   * `reports`: where repairs go.
   */
  item(selected: SelectedItem, reports: Repairs = this.context.repairs): PricingLine[] {
    const { kind, item, quantity, position } = selected;
    if (kind !== "article" && kind !== "set") return [];
    const lines = new PricingLines(this.currency);
    const repairs = reports.forItem({ id: item.id, position });
    if (kind === "article" && this.areas.length > 0 && !this.articles.known(item.id)) {
      const change = "written without a price: there is no price sheet for the item";
      repairs.report({
        field: "calculation",
        value: this.context.prices.procedure.name,
        change,
        scope: "ERROR",
      });
    }
    for (const amounts of kind === "set" ? this.amountsOfSet(selected) : this.articles.of(item.id)) {
      const priced = {
        amounts,
        quantity: new Exact(quantity?.value ?? 0),
        isSet: kind === "set",
        changedByHeader: this.changedAreas.has(amounts.area),
        repairs,
      };
      addItemLines(lines, priced, this.rules);
    }
    return lines.lines;
  }

  header(): PricingLine[] {
    const lines = new PricingLines(this.currency);
    const { complete, header } = this.totals;
    for (const [area, totals] of header) {
      const taxes = this.ofProject.find((each) => each.area === area)?.taxes ?? [];
      const sessionTaxes = new Map<string, Exact>();
      for (const { key, value } of taxes) sessionTaxes.set(key, value.plus(sessionTaxes.get(key) ?? 0));
      const { repairs } = this.context;
      addHeaderLines(lines, { totals, complete, sessionTaxes, repairs }, this.rules);
    }
    return lines.lines;
  }

  /** The taxes that the lines refer to by their codes, in the order of the project's scheme. */
  taxes(): CodedTax[] {
    const { taxCodes } = this.rules;
    return taxCodes.taxes.flatMap((tax) => {
      const code = taxCodes.codeOf(tax);
      return code === undefined ? [] : [{ ...tax, code }];
    });
  }

  /**
   * The discounts and surcharges of the header in one area, each divided by the taxes of the articles that it falls to, in
   * order of calculation. The parts of one that is a line (`DISH`, `SURH`) add up to its value. Empty if they are hidden.
   */
  headerShares(area: PriceArea): HeaderShare[] {
    const totals = this.totals.header.get(area);
    if (totals === undefined || this.rules.hidden[area].headerDiscounts) return [];
    const written = headerChanges(totals);
    const others = [...totals.changes.values()].filter((change) => !written.includes(change));
    return [...written, ...others].flatMap(({ step, byTaxes }, line) =>
      [...byTaxes].flatMap(([taxKeys, value]) => {
        if (value.isZero()) return [];
        const taxCodes = taxKeys.split("\n").flatMap((key) => this.rules.taxCodes.codeOf({ key }) ?? []);
        return [{ line, value, taxCodes, isCharge: step.charge, text: this.rules.texts.of(step.label) }];
      }),
    );
  }

  private amountsOfSet(set: SelectedItem): AreaAmounts[] {
    const totals = this.totals.sets.get(set);
    return this.areas.map((area) => totals?.get(area)?.amounts() ?? noAmounts(area));
  }

  private isChanged(area: PriceArea): boolean {
    const totals = this.totals.header.get(area);
    return totals !== undefined && headerChanges(totals).length > 0;
  }
}

// Price areas of a document (OEX reference, sections 15.2 and 17.1).

/**
 * Quotations never have purchase prices, because those must not reach a customer. A procedure without purchase prices
 * has none either; the area is left out with a report, because writing it would mean free articles.
 */
function documentAreas(
  {
    format,
    configuration,
    prices,
    repairs,
  }: Pick<PricingContext, "format" | "configuration" | "prices" | "repairs">,
  parts: ProcedureParts,
): PriceArea[] {
  const areas: PriceArea[] = [];
  if (format.type === "ORDERS" && configuration.calculationPurchase) {
    if (parts.areas.has("P")) areas.push("P");
    else {
      const change = "purchase prices left out: the price calculation scheme has none";
      repairs.report({ field: "calculationScheme", value: prices.procedure.name, change });
    }
  }
  if (configuration.calculationSales) areas.push("S");
  return areas;
}
