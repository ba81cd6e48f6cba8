/** Sums and taxes of a document's articles, collected in one pass. */
import { type Exact, ownItemStatus, type ProjectPrices } from "@slipway/sdk";
import type { PriceArea } from "../document/oex-document.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { type AreaAmounts, amountsOf, nothing, type Step, writable } from "./area-amounts.js";
import type { ArticleAmounts } from "./article-amounts.js";
import type { ConditionKinds, LineTexts, Tax } from "./codes.js";

interface TotalsContext {
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

// Sums over the articles of a document or of a set in one area.

/** Sum of one header condition over all articles. It has a rate only if all its articles share it. */
export interface ChangeTotal {
  step: Step;
  /** Number of articles with a part of it. */
  carriers: number;
  /** Its parts, by the taxes of the articles that have them: keys, with line feeds between them. */
  byTaxes: Map<string, Exact>;
}

/** Sums of written amounts, so that totals agree with the item lines to the cent. */
export class AreaTotals {
  net = nothing;
  changed = nothing;
  charge = nothing;
  late = nothing;
  /** Articles whose net price is not zero. */
  valued = 0;
  /** Net value after header discounts, by tax key. */
  readonly taxed = new Map<string, Exact>();
  readonly changes = new Map<string, ChangeTotal>();
  private priced = false;
  private readonly stepsOfKind = new Map<string, Step>();

  constructor(
    readonly area: PriceArea,
    private readonly kinds: ConditionKinds,
    private readonly texts: LineTexts,
  ) {}

  add(amounts: AreaAmounts): void {
    this.priced ||= amounts.priced;
    this.net = this.net.plus(amounts.net);
    this.changed = this.changed.plus(amounts.changed);
    this.charge = this.charge.plus(amounts.charge);
    this.late = this.late.plus(amounts.late);
    if (!amounts.net.isZero()) this.valued += 1;
    for (const step of amounts.steps) this.addStep(step);
    const taxes = new Set(amounts.taxes.map((tax) => tax.key));
    const taxKeys = [...taxes].join("\n");
    for (const step of amounts.changes) this.addChange(step, taxKeys);
    for (const key of taxes) {
      this.taxed.set(key, amounts.changed.plus(this.taxed.get(key) ?? 0));
    }
  }

  /** One discount or surcharge per kind, without rates, in the order of the procedure. */
  steps(): Step[] {
    return [...this.stepsOfKind.values()].sort(byPlace);
  }

  /** The sums as amounts of one article, for a set. Taxes are not summed. */
  amounts(): AreaAmounts {
    const { area, priced, net, late } = this;
    const changes = [...this.changes.values()].map(({ step }) => step);
    return amountsOf({ area, priced, net, steps: this.steps(), changes, taxes: [], late });
  }

  private addStep(step: Step): void {
    const kind = this.kinds.kindOf(this.area, "item", step.conditionType, step.value.isNegative());
    const before = this.stepsOfKind.get(kind);
    this.stepsOfKind.set(kind, before === undefined ? withoutRate(step) : this.merged(before, step));
  }

  private addChange(step: Step, taxKeys: string): void {
    const before = this.changes.get(step.key);
    if (before === undefined) {
      this.changes.set(step.key, { step, carriers: 1, byTaxes: new Map([[taxKeys, step.value]]) });
    } else {
      before.step = this.merged(before.step, step);
      before.carriers += 1;
      before.byTaxes.set(taxKeys, step.value.plus(before.byTaxes.get(taxKeys) ?? 0));
    }
  }

  private merged(before: Step, step: Step): Step {
    const sameRate = before.rate !== undefined && step.rate?.eq(before.rate);
    const sameName = this.texts.of(before.label) === this.texts.of(step.label);
    return {
      ...before,
      value: before.value.plus(step.value),
      rate: sameRate ? before.rate : undefined,
      label: sameName ? before.label : [],
    };
  }
}

/** Compares by position in the procedure. */
export function byPlace(left: Step, right: Step): number {
  return left.level - right.level || left.counter - right.counter;
}

function withoutRate(step: Step): Step {
  return { ...step, rate: undefined };
}
