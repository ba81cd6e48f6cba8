/** The pricing procedure in a file: element `priceProc`. */
import type { ConditionType, PricingProcedure, ProcedureLine } from "../../project/document.js";
import { ifAny, present } from "./present.js";
import {
  conditionClasses,
  conditionFlags,
  formulaLevels,
  halfWays,
  insertModes,
  lineKinds,
  noSign,
  residueModes,
  roundingLevels,
  roundingRules,
  rules,
  signs,
  subtotalRules,
  taxAccess,
} from "./procedure-names.js";
import { type ReadContext, warn } from "./read-context.js";
import { attributeOf, childrenOf, flagOf, integerOf, textsIfAny, textsOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

type SubtotalType = NonNullable<PricingProcedure["subtotalTypes"]>[number];
type ValueFormula = NonNullable<ProcedureLine["formulas"]>[number];

/**
 * Lines sorted by level and counter; lines and condition types of unknown kinds are skipped with a warning.
 */
export function readProcedure(element: XmlElement, context: ReadContext): PricingProcedure {
  const methods = accessMethods(element);
  const lines = childrenOf(element, "ppLevel").flatMap((level) =>
    childrenOf(level, "ppLine").flatMap((line) => readLine(line, level, methods, context)),
  );
  return present({
    name: attributeOf(element, "name") ?? "unnamed",
    label: textsOf(childrenOf(element, "name")),
    halfWay: named(element, "halfWayRndMode", halfWays, context) ?? ("up" as const),
    lines: lines.sort((first, second) => first.level - second.level || first.counter - second.counter),
    conditionTypes: childrenOf(element, "condType").flatMap((type) => readConditionType(type, context)),
    subtotalTypes: ifAny(childrenOf(element, "subtType").flatMap((type) => readSubtotalType(type, context))),
  });
}

/** Looks up a name; an unknown one may change prices and produces a warning. */
function named<T>(
  element: XmlElement,
  attribute: string,
  names: ReadonlyMap<string, T>,
  context: ReadContext,
): T | undefined {
  const name = attributeOf(element, attribute);
  if (name === undefined) return undefined;
  const found = names.get(name);
  if (found === undefined) {
    const expected = [...names.keys()].join(", ");
    warn(
      context,
      element,
      `${attribute}="${name}" is not known and has no effect on prices, expected ${expected}`,
    );
  }
  return found;
}

/** A level or counter; anything but a whole number produces a warning. */
function place(element: XmlElement, attribute: string, context: ReadContext): number | undefined {
  const number = integerOf(element, attribute);
  const text = attributeOf(element, attribute);
  if (number === undefined && text !== undefined) {
    warn(context, element, `${attribute}="${text}" has no effect on prices, expected a whole number`);
  }
  return number;
}

/** Condition type to the method that finds its amounts. */
function accessMethods(procedure: XmlElement): Map<string, string> {
  const pairs = childrenOf(procedure, "condType").map((type) => [
    attributeOf(type, "name") ?? "",
    attributeOf(type, "accMethod") ?? "",
  ]);
  return new Map(pairs.flatMap(([name, method]) => (name && method ? [[name, method]] : [])));
}

function readLine(
  element: XmlElement,
  level: XmlElement,
  methods: ReadonlyMap<string, string>,
  context: ReadContext,
): ProcedureLine[] {
  const number = integerOf(level, "number");
  const kind = lineKinds.get(attributeOf(element, "lineType") ?? "");
  if (number === undefined || number < 0 || kind === undefined) {
    warn(context, element, "skipped: a line of the pricing procedure without a level or of an unknown type");
    return [];
  }
  const conditionType = attributeOf(element, "condType");
  named(element, "ndiscMode", notDiscountableModes, context);
  const line = present({
    level: number,
    counter: place(element, "counter", context) ?? 0,
    kind,
    label: textsIfAny(childrenOf(element, "name")),
    conditionType,
    tags: childrenOf(element, "ppLineTag").flatMap((tag) => attributeOf(tag, "value") ?? []),
    from: place(element, "from", context),
    to: place(element, "to", context),
    parent: place(level, "parent", context) ?? place(element, "parent", context),
    insertMode: insertModes.get(attributeOf(element, "insertMode") ?? "") ?? ("always" as const),
    printControl: attributeOf(element, "printCtrl"),
    subtotalType: attributeOf(element, "subtType"),
    accessMethod: conditionType === undefined ? undefined : methods.get(conditionType),
    formulas: ifAny(childrenOf(element, "valueFormula").flatMap((formula) => readFormula(formula, context))),
  });
  return [line];
}

/** How discounts apply to articles that are not discountable: not at all; files only use "Hide". */
const notDiscountableModes = new Map([["Hide", "hide"]]);

function readFormula(element: XmlElement, context: ReadContext): ValueFormula[] {
  const level = formulaLevels.get(attributeOf(element, "level") ?? "");
  if (level === undefined) {
    warn(
      context,
      element,
      "skipped: a formula that is neither for items nor for aggregates; the line is a plain sum",
    );
    return [];
  }
  return [present({ level, text: element.text, signature: attributeOf(element, "signature") })];
}

function readConditionType(element: XmlElement, context: ReadContext): ConditionType[] {
  const name = attributeOf(element, "name");
  const conditionClass = conditionClasses.get(attributeOf(element, "condClass") ?? "");
  const rule = rules.get(attributeOf(element, "calcRule") ?? "");
  if (name === undefined || conditionClass === undefined || rule === undefined) {
    warn(context, element, "skipped: a condition type without a name or of an unknown class or rule");
    return [];
  }
  const flags = childrenOf(element, "condTypeFlag").map((flag) => attributeOf(flag, "value") ?? "");
  for (const flag of flags) {
    if (!conditionFlags.has(flag))
      warn(context, element, `the flag "${flag}" is not known and has no effect`);
  }
  const isUnrestricted = attributeOf(element, "condSign") === noSign;
  const type = present({
    name,
    label: textsOf(childrenOf(element, "name")),
    conditionClass,
    sign: isUnrestricted ? undefined : named(element, "condSign", signs, context),
    rule,
    group: flags.includes("GroupCondition"),
    header: flags.includes("HeaderCondition"),
    roundAt: named(element, "rndLevel", roundingLevels, context) ?? ("item" as const),
    distributeResidue: named(element, "rndDiffComp", residueModes, context) ?? false,
    roundingRule: readRoundingRule(element, context),
    taxType: conditionClass === "tax" ? taxAccess(attributeOf(element, "accMethod")) : undefined,
  });
  return [type];
}

/** Undefined for the default rule. */
function readRoundingRule(element: XmlElement, context: ReadContext): ConditionType["roundingRule"] {
  const rule = named(element, "rndRule", roundingRules, context);
  return rule === "nearest" ? undefined : rule;
}

/** Other subtotal types control which condition a user's change goes to, and do not affect reports. */
function readSubtotalType(element: XmlElement, context: ReadContext): SubtotalType[] {
  const name = attributeOf(element, "name");
  if (name === undefined) {
    warn(context, element, "skipped: a subtotal type without a name");
    return [];
  }
  return [
    present({
      name,
      rule: named(element, "calcRule", subtotalRules, context),
      roundingRule: readRoundingRule(element, context),
      margin: flagOf(element, "margin"),
    }),
  ];
}
