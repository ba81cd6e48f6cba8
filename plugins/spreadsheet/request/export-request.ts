/** Request body of all operations. Unknown members are ignored, because existing clients send some. */
import {
  builtInColumns,
  ImageOptionTexts,
  isVisible,
  type PriceLine,
  type PricingProcedure,
  type ProcedureLine,
  SessionId,
  type Static,
  sectionOf,
  Type,
  Uuid,
} from "@slipway/sdk";

/** An XLSX sheet ends with row 1,048,576 and column 16,384; the limit leaves room for the columns of every sheet. */
const StartRow = Type.Integer({ minimum: 1, maximum: 1_048_576, default: 1 });
const StartColumn = Type.Integer({ minimum: 1, maximum: 16_000, default: 1 });

/** First row and column of the workbook's sheets, counted from 1. */
const SheetSettings = Type.Object({
  articleStartRow: StartRow,
  articleStartColumn: StartColumn,
  calcStartRow: StartRow,
  calcStartColumn: StartColumn,
  reportStartRow: StartRow,
  reportStartColumn: StartColumn,
});
export type SheetSettings = Static<typeof SheetSettings>;

const Hide = Type.Boolean({ default: false });
const Names = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000, default: [] });

/** Selects the exported data and the hidden parts of it. */
export const ExportRequest = Type.Object({
  sessionId: SessionId,
  calculationScheme: Type.String({ minLength: 1, maxLength: 200, default: "STDB2B_WBK" }),
  preferredImageColumn: Type.String({ format: "uuid", default: builtInColumns.articleImage }),
  externalRefColumn: Type.Optional(Uuid),
  viewId: Type.Optional(Uuid),
  items: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { description: "Only these; an empty list means all." }),
  ),
  matchBasketItemIds: Type.Boolean({ default: false }),
  imageOptions: ImageOptionTexts,
  filename: Type.Optional(Type.String({ maxLength: 1000 })),
  sheetSettings: Type.Object(SheetSettings.properties, { default: {} }),
  hideMargins: Hide,
  hideTaxes: Hide,
  hideDiscounts: Hide,
  hideHeaderDiscounts: Hide,
  hidePurchaseDiscounts: Hide,
  hideSalesDiscounts: Hide,
  hideFinalTotal: Hide,
  showVariantText: Type.Boolean({ default: false }),
  hideLineTags: Names,
  hideConditionTypes: Names,
  hideAccessMethods: Names,
});
export type ExportRequest = Static<typeof ExportRequest>;

// Lines of price sheets that a request hides, including lines that would reveal them.

/** The members of a request that hide something. */
type HidingOptions = Pick<
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
 * Lines of a procedure that a request hides: those matched by its options, and those based on a hidden line, because
 * they would reveal it.
 */
export class HiddenLines {
  private readonly lines: readonly ProcedureLine[];
  private readonly hidden = new Set<ProcedureLine>();
  /** Lines outside the procedure are hidden too, because they could reveal anything. */
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

  /** Whether any condition between the lines with these two tags is hidden. */
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
    // A total would reveal the taxes in it.
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

  /** List prices are hidden with the discounts on them: their difference from the net price is the discount. */
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

/** Matches a tag, or a prefix if it ends with an underscore. */
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
