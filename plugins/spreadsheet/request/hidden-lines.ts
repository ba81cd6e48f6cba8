/** Which lines of price sheets a request hides, and what would tell them. */
import {
  isVisible,
  type PriceLine,
  type PricingProcedure,
  type ProcedureLine,
  sectionOf,
} from "@slipway/sdk";
import type { ExportRequest } from "./export-request.js";

/** The members of a request that hide something. */
export type HidingOptions = Pick<
  ExportRequest,
  | "hideMargins"
  | "hideTaxes"
  | "hideDiscounts"
  | "hideHeaderDiscounts"
  | "hidePurchaseDiscounts"
  | "hideSalesDiscounts"
  | "hideFinalTotal"
  | "hideLineTags"
  | "hideConditionTypes"
  | "hideAccessMethods"
>;

type IsMeant = (line: ProcedureLine) => boolean;

/**
 * Lines of a procedure that a request hides: those that its options mean, and those that name a hidden one as what they
 * start from, because they would tell it.
 */
export class HiddenLines {
  private readonly lines: readonly ProcedureLine[];
  private readonly hidden = new Set<ProcedureLine>();
  /** Lines that do not fit the procedure could tell anything. */
  private readonly hidesUnknown: boolean;

  constructor(procedure: PricingProcedure, options: HidingOptions) {
    this.lines = procedure.lines.toSorted(
      (one, other) => one.level - other.level || one.counter - other.counter,
    );
    const rules = this.rules(procedure, options);
    for (const line of this.lines) {
      if (rules.some((isMeant) => isMeant(line)) || this.startsFromHidden(line)) this.hidden.add(line);
    }
    this.hidesUnknown = rules.length > 0;
  }

  hides(line: PriceLine): boolean {
    if (!isVisible(line)) return true;
    return line.procedureLine === undefined ? this.hidesUnknown : this.hidden.has(line.procedureLine);
  }

  /** Whether a line with this tag is hidden. */
  hidesTag(tag: string): boolean {
    return this.lines.some((line) => line.tags.includes(tag) && this.hidden.has(line));
  }

  /** Whether one of the conditions that lead from the line with one tag to the line with another is hidden. */
  hidesBetween(from: string, to: string): boolean {
    const isBetween = levelsBetween(this.levelOf(from), this.levelOf(to));
    return this.lines.some((line) => line.kind === "condition" && isBetween(line) && this.hidden.has(line));
  }

  private rules(procedure: PricingProcedure, options: HidingOptions): IsMeant[] {
    const { hideLineTags, hideConditionTypes, hideAccessMethods } = options;
    const rules: IsMeant[] = [];
    if (hideLineTags.length > 0) rules.push(({ tags }) => hideLineTags.some((tag) => tags.includes(tag)));
    if (hideConditionTypes.length > 0)
      rules.push(({ conditionType }) => hideConditionTypes.includes(conditionType ?? ""));
    if (hideAccessMethods.length > 0)
      rules.push(({ accessMethod }) => hideAccessMethods.includes(accessMethod ?? ""));
    if (options.hideMargins)
      rules.push((line) => sectionOf(line, procedure) === "summary", hasTag("MARGIN_"));
    // A total tells the taxes in it.
    if (options.hideTaxes)
      rules.push(hasTag("TAX"), isTax(procedure), hasTag("NET_VALUE_ECO"), hasTag("FINAL_VALUE"));
    if (options.hideFinalTotal) rules.push(hasTag("FINAL_VALUE"));
    if (options.hideDiscounts || options.hideSalesDiscounts)
      rules.push(this.leadsTo("ITEM_NET_VALUE", "sales", procedure));
    if (options.hideDiscounts || options.hidePurchaseDiscounts)
      rules.push(this.leadsTo("PURCHASE_VALUE", "purchase", procedure));
    if (options.hideDiscounts || options.hideHeaderDiscounts)
      rules.push(hasTag("HEADER_"), hasTag("ITEM_NET_VALUE"));
    return rules;
  }

  /** List prices are hidden with the discounts on them: their difference to the net price is the discount. */
  private leadsTo(tag: string, section: "purchase" | "sales", procedure: PricingProcedure): IsMeant {
    const level = this.levelOf(tag) ?? 0;
    return (line) => line.level < level && sectionOf(line, procedure) === section;
  }

  private startsFromHidden({ from, to = from }: ProcedureLine): boolean {
    if (from === undefined || to === undefined) return false;
    return [...this.hidden].some(({ level }) => level >= from && level <= to);
  }

  private levelOf(tag: string): number | undefined {
    return this.lines.findLast((line) => line.tags.includes(tag) && isVisible(line))?.level;
  }
}

/** A tag, or any tag that begins so where it ends with an underscore. */
function hasTag(wanted: string): IsMeant {
  const isWanted = (tag: string): boolean =>
    tag === wanted || (wanted.endsWith("_") && tag.startsWith(wanted));
  return ({ tags }) => tags.some(isWanted);
}

function levelsBetween(first = 0, last = 0): IsMeant {
  return ({ level }) => level > first && level < last;
}

function isTax({ conditionTypes }: PricingProcedure): IsMeant {
  const taxes = new Set(conditionTypes.flatMap((type) => (type.conditionClass === "tax" ? type.name : [])));
  return ({ conditionType }) => taxes.has(conditionType ?? "");
}
