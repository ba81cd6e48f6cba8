/** Sums and taxes of a document's articles, collected in one pass. */
import { ownItemStatus, type ProjectPrices } from "@slipway/sdk";
import type { PriceArea } from "../document/frames.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { writable } from "./area-amounts.js";
import { AreaTotals } from "./area-totals.js";
import type { ArticleAmounts } from "./article-amounts.js";
import type { ConditionKinds } from "./condition-kinds.js";
import type { LineTexts } from "./line-texts.js";
import type { Tax } from "./tax-codes.js";

export interface TotalsContext {
  prices: ProjectPrices;
  areas: readonly PriceArea[];
  kinds: ConditionKinds;
  texts: LineTexts;
}

type TotalsByArea = ReadonlyMap<PriceArea, AreaTotals>;

/** The sums of a document. Alternative and optional articles count only in their own set. */
export class DocumentTotals {
  readonly header: TotalsByArea;
  readonly sets = new Map<SelectedItem, TotalsByArea>();
  /** Taxes of all articles. */
  readonly taxes = new Map<string, Tax>();
  /** The document has all articles of the project's totals, and all of them can be written. */
  complete = false;

  private constructor(
    private readonly articles: ArticleAmounts,
    private readonly context: TotalsContext,
  ) {
    this.header = this.newTotals();
  }

  /** Adds one article per step. */
  static *steps(
    selected: readonly SelectedItem[],
    articles: ArticleAmounts,
    context: TotalsContext,
  ): Generator<undefined, DocumentTotals> {
    const totals = new DocumentTotals(articles, context);
    const counted = new Set<string>();
    for (const item of selected) {
      if (item.kind !== "article") continue;
      if (totals.add(item) && item.status === "active") counted.add(item.item.id);
      yield;
    }
    totals.complete = context.prices.countedItemIds.every((id) => counted.has(id));
    return totals;
  }

  /** Returns whether all amounts of the article can be written. */
  private add(article: SelectedItem): boolean {
    const sets = this.setsOf(article);
    let isWritable = true;
    for (const given of this.articles.of(article.item.id)) {
      const { amounts, unwritable } = writable(given);
      if (unwritable === "net") isWritable = false;
      for (const tax of amounts.taxes) this.taxes.set(tax.key, tax);
      if (article.status === "active") this.header.get(amounts.area)?.add(amounts);
      for (const set of sets) set.get(amounts.area)?.add(amounts);
    }
    return isWritable;
  }

  /** The sets whose price includes the article; an alternative within a set is not included. */
  private setsOf(article: SelectedItem): TotalsByArea[] {
    const found: TotalsByArea[] = [];
    const { name } = this.context.prices.procedure;
    for (let each = article; each.parent !== undefined; each = each.parent) {
      if (ownItemStatus(each.item, name) !== "active") break;
      if (each.parent.kind === "set") found.push(this.ofSet(each.parent));
    }
    return found;
  }

  private ofSet(set: SelectedItem): TotalsByArea {
    const known = this.sets.get(set);
    if (known !== undefined) return known;
    const made = this.newTotals();
    this.sets.set(set, made);
    return made;
  }

  private newTotals(): TotalsByArea {
    const { areas, kinds, texts } = this.context;
    return new Map(areas.map((area) => [area, new AreaTotals(area, kinds, texts)]));
  }
}
