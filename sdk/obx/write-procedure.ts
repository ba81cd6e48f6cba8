/** A pricing procedure: element `priceProc`. */
import type { ConditionType, PricingProcedure, ProcedureLine } from "../project/document.js";
import { conditionClasses, fileName, insertModes, lineKinds, rules, signs } from "./procedure-names.js";
import { writeTexts } from "./write-texts.js";
import { append, type Builder } from "./xml-writing.js";

/** Appends the procedure; the access methods of its lines are written with their condition types. */
export function writeProcedure(parent: Builder, procedure: PricingProcedure): void {
  const element = append(parent, "priceProc", {
    name: procedure.name,
    halfWayRndMode: procedure.halfWay === "even" ? "HalfEven" : "HalfUp",
  });
  writeTexts(element, "name", procedure.label);
  const methods = new Map(procedure.lines.flatMap(methodOfLine));
  for (const name of new Set(methods.values())) append(element, "accessMethod", { name });
  for (const type of procedure.conditionTypes) writeConditionType(element, type, methods.get(type.name));
  let level: { number: number; element: Builder } | undefined;
  for (const line of procedure.lines) {
    if (level?.number !== line.level) {
      const attributes = { number: line.level, parent: line.parent };
      level = { number: line.level, element: append(element, "ppLevel", attributes) };
    }
    writeLine(level.element, line);
  }
}

function methodOfLine({ conditionType, accessMethod }: ProcedureLine): [string, string][] {
  return conditionType === undefined || accessMethod === undefined ? [] : [[conditionType, accessMethod]];
}

function writeConditionType(parent: Builder, type: ConditionType, method: string | undefined): void {
  const element = append(parent, "condType", {
    name: type.name,
    accMethod: method ?? (type.taxType === undefined ? undefined : `TAX01_${type.taxType}`),
    condClass: fileName(conditionClasses, type.conditionClass),
    condSign: type.sign && fileName(signs, type.sign),
    calcRule: fileName(rules, type.rule),
    rndRule: "RoundToNearest",
    rndLevel: type.roundAt === "aggregate" ? "Aggregate" : "Item",
    rndDiffComp: type.distributeResidue ? "Distribute" : "None",
  });
  writeTexts(element, "name", type.label);
  if (type.group) append(element, "condTypeFlag", { value: "GroupCondition" });
  if (type.header) append(element, "condTypeFlag", { value: "HeaderCondition" });
}

function writeLine(level: Builder, line: ProcedureLine): void {
  const element = append(level, "ppLine", {
    counter: line.counter,
    lineType: fileName(lineKinds, line.kind),
    insertMode: fileName(insertModes, line.insertMode),
    printCtrl: line.printControl,
    condType: line.conditionType,
    subtType: line.subtotalType,
    from: line.from,
    to: line.to,
  });
  writeTexts(element, "name", line.label);
  for (const value of line.tags) append(element, "ppLineTag", { value });
}
