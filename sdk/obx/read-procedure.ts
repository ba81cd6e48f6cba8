/** The pricing procedure that a file brings: element `priceProc`. */
import type { ConditionType, PricingProcedure, ProcedureLine } from "../project/document.js";
import { textsIfAny, textsOf } from "./localized-texts.js";
import { present } from "./present.js";
import { conditionClasses, insertModes, lineKinds, rules, signs, taxAccess } from "./procedure-names.js";
import { type ReadContext, warn } from "./read-context.js";
import { attributeOf, childrenOf, integerOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Lines in the order of level and counter; lines and condition types of an unknown kind are left out with a warning. */
export function readProcedure(element: XmlElement, context: ReadContext): PricingProcedure {
  const methods = accessMethods(element);
  const lines = childrenOf(element, "ppLevel").flatMap((level) =>
    childrenOf(level, "ppLine").flatMap((line) => readLine(line, level, methods, context)),
  );
  return {
    name: attributeOf(element, "name") ?? "unnamed",
    label: textsOf(childrenOf(element, "name")),
    halfWay: attributeOf(element, "halfWayRndMode") === "HalfEven" ? "even" : "up",
    lines: lines.sort((first, second) => first.level - second.level || first.counter - second.counter),
    conditionTypes: childrenOf(element, "condType").flatMap((type) => readConditionType(type, context)),
  };
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
  const line = present({
    level: number,
    counter: integerOf(element, "counter") ?? 0,
    kind,
    label: textsIfAny(childrenOf(element, "name")),
    conditionType,
    tags: childrenOf(element, "ppLineTag").flatMap((tag) => attributeOf(tag, "value") ?? []),
    from: integerOf(element, "from"),
    to: integerOf(element, "to"),
    parent: integerOf(level, "parent") ?? integerOf(element, "parent"),
    insertMode: insertModes.get(attributeOf(element, "insertMode") ?? "") ?? ("always" as const),
    printControl: attributeOf(element, "printCtrl"),
    subtotalType: attributeOf(element, "subtType"),
    accessMethod: conditionType === undefined ? undefined : methods.get(conditionType),
  });
  return [line];
}

function readConditionType(element: XmlElement, context: ReadContext): ConditionType[] {
  const name = attributeOf(element, "name");
  const conditionClass = conditionClasses.get(attributeOf(element, "condClass") ?? "");
  const rule = rules.get(attributeOf(element, "calcRule") ?? "");
  if (name === undefined || conditionClass === undefined || rule === undefined) {
    warn(context, element, "skipped: a condition type without a name or of an unknown class or rule");
    return [];
  }
  const flags = childrenOf(element, "condTypeFlag").map((flag) => attributeOf(flag, "value"));
  const type = present({
    name,
    label: textsOf(childrenOf(element, "name")),
    conditionClass,
    sign: signs.get(attributeOf(element, "condSign") ?? ""),
    rule,
    group: flags.includes("GroupCondition"),
    header: flags.includes("HeaderCondition"),
    roundAt: attributeOf(element, "rndLevel") === "Aggregate" ? ("aggregate" as const) : ("item" as const),
    distributeResidue: attributeOf(element, "rndDiffComp") === "Distribute",
    taxType: conditionClass === "tax" ? taxAccess(attributeOf(element, "accMethod")) : undefined,
  });
  return [type];
}
