/** The calculations of a file: its procedures, with the amounts that are known for them. */
import type { ConditionRecord, PricingProcedure } from "../project/document.js";
import { present } from "./present.js";
import { readCalculation } from "./read-calculation.js";
import { type ItemCalculation, type ReadContext, warn } from "./read-context.js";
import { keptParts } from "./read-kept.js";
import { childrenOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** What the calculations of a file say of the whole project. */
export interface FilePricing {
  /** Names of all procedures that the file has conditions for. */
  schemes: string[];
  /** Those that it brings along; one without lines is known to the reader of the project. */
  procedures: PricingProcedure[];
  conditions: ConditionRecord[];
}

/**
 * Procedures with their conditions; prices and taxes of items go into the context. Where the file brings a procedure, its
 * records decide: discounts that articles state beside it are what it was made from.
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
