/**
 * The calculations of a file: its procedures, with the amounts that are known for them, and warnings about settings
 * that can change prices and do not here.
 */
import type { ConditionRecord, PricingProcedure } from "../../project/document.js";
import { present } from "./present.js";
import { halfWays } from "./procedure-names.js";
import { readCalculation } from "./read-calculation.js";
import { type ItemCalculation, type ReadContext, warn } from "./read-context.js";
import { keptParts } from "./read-kept.js";
import { attributeOf, childOf, childrenOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Project-wide data from the calculations of a file. */
interface FilePricing {
  /** Names of all procedures that the file has conditions for. */
  schemes: string[];
  /** Procedures contained in the file; one without lines must be known to the reader of the project. */
  procedures: PricingProcedure[];
  conditions: ConditionRecord[];
}

/**
 * Reads procedures and conditions; prices and taxes of items are added to the context. If the file contains a
 * procedure, its records take precedence over the discounts stated in articles, from which they were created.
 */
export function readPricing(root: XmlElement, context: ReadContext): FilePricing {
  const schemes: string[] = [];
  const procedures: PricingProcedure[] = [];
  const conditions: ConditionRecord[] = [];
  const items = new Map<string, ItemCalculation>();
  for (const element of childrenOf(root, "docCalculation")) {
    const calculation = readCalculation(element, context);
    if (!calculation) {
      if (element.children.length > 0) warn(context, element, "skipped: a calculation without a procedure");
      continue;
    }
    const { name, lines } = calculation.procedure;
    if (schemes.includes(name)) {
      warn(
        context,
        element,
        `skipped: another calculation with the procedure "${name}"; the first one counts`,
      );
      continue;
    }
    schemes.push(name);
    if (lines.length > 0) {
      const kept = keptParts(element, context);
      procedures.push({ ...calculation.procedure, ...present({ kept }) });
    }
    conditions.push(...calculation.conditions);
    for (const [id, item] of calculation.items) if (!items.has(id)) items.set(id, item);
  }
  context.calculations = items;
  context.isCalculated = procedures.length > 0;
  return { schemes, procedures, conditions };
}

/**
 * Adds a warning for every setting that is not computed, except those without effect, such as a discount of
 * zero.
 */
export function reportUnusedPricing(basket: XmlElement, pricing: FilePricing, context: ReadContext): void {
  const config = childOf(basket, "config");
  reportRounding(childOf(config, "roundingModes"), context);
  reportTaxes(config, pricing, context);
  if (pricing.procedures.length === 0) reportOldCalculation(childOf(basket, "bskCalc"), context);
}

/** Procedure features with a known effect. */
const knownFeatures = new Set(["LevelTree"]);

/** The currency and the features of calculations. */
export function reportCalculations(root: XmlElement, currency: string, context: ReadContext): void {
  for (const element of childrenOf(root, "docCalculation")) {
    const stated = attributeOf(element, "currency");
    if (stated !== undefined && stated !== currency) {
      warn(context, element, `the calculation is in ${stated}; prices are computed in ${currency}`);
    }
    for (const feature of (attributeOf(element, "usedFeatures") ?? "").split(/[\s,;|]+/)) {
      if (feature === "" || knownFeatures.has(feature)) continue;
      warn(context, element, `the feature "${feature}" of the calculation is not known and has no effect`);
    }
  }
}

/** Rounding of discounts, and of the total to coins, is computed only as part of the procedure. */
function reportRounding(modes: XmlElement | undefined, context: ReadContext): void {
  const ofDiscounts = attributeOf(modes, "discount");
  if (modes && ofDiscounts !== undefined && ofDiscounts !== "none") {
    warn(
      context,
      modes,
      `discount="${ofDiscounts}" has no effect: the procedure says how discounts are rounded`,
    );
  }
  for (const mode of childrenOf(modes, "roundingMode")) {
    const type = attributeOf(mode, "type") ?? "";
    if (type === "default") reportDefaultRounding(mode, context);
    else if (attributeOf(mode, "begin") !== "None") {
      const name = type === "swedish" ? "Swedish rounding" : `the rounding mode "${type}"`;
      warn(context, mode, `${name} is not computed: totals are rounded by lines of the procedure only`);
    }
  }
}

function reportDefaultRounding(mode: XmlElement, context: ReadContext): void {
  const halfWay = attributeOf(mode, "mode");
  if (halfWay !== undefined && !halfWays.has(halfWay)) {
    warn(context, mode, `mode="${halfWay}" is not known: a half is rounded away from zero`);
  }
  const interval = attributeOf(mode, "interval");
  if (interval !== undefined && !/^RI_\d{1,6}(_\d{1,6})?$/.test(interval)) {
    warn(context, mode, `interval="${interval}" is not known: amounts are rounded to 0.01`);
  }
}

/** Taxes come from the scheme and are rounded as the procedure says. */
function reportTaxes(config: XmlElement | undefined, pricing: FilePricing, context: ReadContext): void {
  const scheme = childOf(config, "taxScheme");
  const old = childOf(config, "VAT");
  if (scheme === undefined && old !== undefined && isAmount(attributeOf(old, "value"))) {
    warn(context, old, "has no effect: taxes are computed where the file has a tax scheme");
  }
  for (const type of childrenOf(scheme, "taxType")) {
    const position = attributeOf(type, "rndpos");
    if (position === undefined) continue;
    const id = attributeOf(type, "id") ?? "";
    const perItem = roundedPerItem(id, pricing);
    if (position !== "header") {
      warn(context, type, `rndpos="${position}" is not known: the procedure says where the tax is rounded`);
    } else if (perItem !== undefined) {
      const place = `condition type "${perItem}" rounds the tax of each item`;
      warn(context, type, `rndpos="header" has no effect: ${place}`);
    }
  }
}

/** The condition type of a percentage tax whose total is not rounded. */
function roundedPerItem(taxType: string, { procedures }: FilePricing): string | undefined {
  const types = procedures.flatMap(({ conditionTypes }) => conditionTypes);
  return types.find((type) => type.taxType === taxType && type.rule === "percent" && type.roundAt === "item")
    ?.name;
}

/** Discounts of older programs; the tax comes from the tax scheme. */
function reportOldCalculation(element: XmlElement | undefined, context: ReadContext): void {
  for (const each of element?.children ?? []) {
    if (each.name === "totalPrice" || !isAmount(attributeOf(each, "value") ?? attributeOf(each, "relative")))
      continue;
    warn(context, each, "has no effect: discounts of the whole project count where the file has a procedure");
  }
}

function isAmount(text: string | undefined): boolean {
  return text !== undefined && Number(text) !== 0;
}
