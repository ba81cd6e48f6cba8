/** Maps pricing names of the file to those of the project document. */
import type { ConditionType, PricingProcedure, ProcedureLine } from "../../project/document.js";

type Rule = ConditionType["rule"];
type SubtotalType = NonNullable<PricingProcedure["subtotalTypes"]>[number];
type ValueFormula = NonNullable<ProcedureLine["formulas"]>[number];

export const rules = new Map<string, Rule>([
  ["Percent", "percent"],
  ["FixedAmount", "fixedAmount"],
  ["Quantity", "quantity"],
  ["GrossWeight", "grossWeight"],
  ["NetWeight", "netWeight"],
  ["Volume", "volume"],
  ["Rounding", "rounding"],
]);

export const conditionClasses = new Map<string, ConditionType["conditionClass"]>([
  ["Price", "price"],
  ["PriceModifier", "priceModifier"],
  ["Tax", "tax"],
]);

export const signs = new Map<string, NonNullable<ConditionType["sign"]>>([
  ["Negative", "negative"],
  ["Positive", "positive"],
]);

/** Neither of the two signs. */
export const noSign = "NoRestriction";

export const halfWays = new Map<string, PricingProcedure["halfWay"]>([
  ["HalfEven", "even"],
  ["HalfUp", "up"],
]);

export const roundingRules = new Map<string, NonNullable<ConditionType["roundingRule"]>>([
  ["RoundToNearest", "nearest"],
  ["RoundUp", "up"],
  ["RoundDown", "down"],
  ["NoRounding", "none"],
]);

export const roundingLevels = new Map<string, ConditionType["roundAt"]>([
  ["Item", "item"],
  ["Aggregate", "aggregate"],
]);

/** Whether the rounding residue is distributed to the items. */
export const residueModes = new Map<string, boolean>([
  ["None", false],
  ["Distribute", true],
]);

export const subtotalRules = new Map<string, NonNullable<SubtotalType["rule"]>>([
  ["Quantity", "quantity"],
  ["Percent", "percent"],
]);

export const formulaLevels = new Map<string, ValueFormula["level"]>([
  ["Item", "item"],
  ["Aggregate", "aggregate"],
]);

/** Condition type flags with a known meaning; most control what a user may change. */
export const conditionFlags: ReadonlySet<string> = new Set([
  "GroupCondition",
  "HeaderCondition",
  // Header conditions always apply to the total of the items, of which their values are shares.
  "HeaderCondBase",
  "HeaderGroupValue",
  // Every condition may have several results.
  "MultiResult",
  "AmountEditable",
  "QtyRelEditable",
  "ValueEditable",
  "CondDeletable",
]);

export const lineKinds = new Map<string, ProcedureLine["kind"]>([
  ["Condition", "condition"],
  ["Subtotal", "subtotal"],
  ["Text", "text"],
  ["CalculationBreak", "break"],
]);

export const insertModes = new Map<string, ProcedureLine["insertMode"]>([
  ["Always", "always"],
  ["Manual", "manual"],
  ["Auto", "auto"],
]);

/** The name of a value in the file. */
export function fileName<T>(table: ReadonlyMap<string, T>, value: T): string | undefined {
  for (const [name, each] of table) if (each === value) return name;
  return undefined;
}

/**
 * The product data that a built-in access method reads: the side, and the base price or the variant prices.
 */
export function priceAccess(
  method: string | undefined,
): { side: "purchase" | "sales"; part: "base" | "variant" } | undefined {
  const match = /^(BPR|VAPR)0([01])$/.exec(method ?? "");
  if (!match) return undefined;
  return { side: match[2] === "0" ? "sales" : "purchase", part: match[1] === "BPR" ? "base" : "variant" };
}

/** The tax type that a built-in access method reads: "VAT" of "TAX01_VAT", "ECO" of "TAX01_ECO_FR". */
export function taxAccess(method: string | undefined): string | undefined {
  return /^TAX\d+_([A-Z]+)/.exec(method ?? "")?.[1];
}
