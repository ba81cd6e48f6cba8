/** Names of the pricing part: those of the file, and those of the project document. */
import type { ConditionType, PricingProcedure, ProcedureLine } from "../project/document.js";

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

/** "NoRestriction" is none of the two. */
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

/** Whether what rounding leaves is spread over the items. */
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

/** Flags of condition types whose meaning is known; most are about what a user may change. */
export const conditionFlags: ReadonlySet<string> = new Set([
  "GroupCondition",
  "HeaderCondition",
  // Header conditions are always of the total of the items, which their values are shares of.
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

/** The name that a value has in the file. */
export function fileName<T>(table: ReadonlyMap<string, T>, value: T): string | undefined {
  for (const [name, each] of table) if (each === value) return name;
  return undefined;
}

/** The product data that a built-in access method reads: which side, and the base price or the variant prices. */
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
