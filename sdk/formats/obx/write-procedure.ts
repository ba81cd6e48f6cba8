/** A pricing procedure: element `priceProc`. */
import type { ConditionType, PricingProcedure, ProcedureLine } from "../../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import {
  conditionClasses,
  fileName,
  formulaLevels,
  halfWays,
  insertModes,
  lineKinds,
  residueModes,
  roundingLevels,
  roundingRules,
  rules,
  signs,
  subtotalRules,
} from "./procedure-names.js";
import { writeTexts } from "./write-context.js";

/** Writes the procedure; the access methods of its lines are written with their condition types. */
export function writeProcedure(writer: XmlWriter, procedure: PricingProcedure): void {
  writer.open("priceProc", {
    name: procedure.name,
    halfWayRndMode: fileName(halfWays, procedure.halfWay),
  });
  writeTexts(writer, "name", procedure.label);
  const methods = new Map(procedure.lines.flatMap(methodOfLine));
  const kept = new Set(
    procedure.kept?.elements?.flatMap((each) =>
      each.name === "accessMethod" ? (each.attributes?.["name"] ?? []) : [],
    ),
  );
  const names = [...new Set(methods.values())].filter((name) => !kept.has(name));
  for (const name of names) writer.element("accessMethod", "", { name });
  for (const type of procedure.conditionTypes) writeConditionType(writer, type, methods.get(type.name));
  for (const { name, rule, roundingRule, margin } of procedure.subtotalTypes ?? []) {
    writer.element("subtType", "", {
      name,
      calcRule: rule && fileName(subtotalRules, rule),
      rndRule: fileName(roundingRules, roundingRule ?? "nearest"),
      margin: margin === undefined ? undefined : String(margin),
    });
  }
  writeLevels(writer, procedure.lines);
  writer.close();
}

function methodOfLine({ conditionType, accessMethod }: ProcedureLine): [string, string][] {
  return conditionType === undefined || accessMethod === undefined ? [] : [[conditionType, accessMethod]];
}

function writeConditionType(writer: XmlWriter, type: ConditionType, method: string | undefined): void {
  writer.open("condType", {
    name: type.name,
    accMethod: method ?? (type.taxType === undefined ? undefined : `TAX01_${type.taxType}`),
    condClass: fileName(conditionClasses, type.conditionClass),
    condSign: type.sign && fileName(signs, type.sign),
    calcRule: fileName(rules, type.rule),
    rndRule: fileName(roundingRules, type.roundingRule ?? "nearest"),
    rndLevel: fileName(roundingLevels, type.roundAt),
    rndDiffComp: fileName(residueModes, type.distributeResidue),
  });
  writeTexts(writer, "name", type.label);
  if (type.group) writer.element("condTypeFlag", "", { value: "GroupCondition" });
  if (type.header) writer.element("condTypeFlag", "", { value: "HeaderCondition" });
  writer.close();
}

/** Groups consecutive lines of one level in one element. */
function writeLevels(writer: XmlWriter, lines: readonly ProcedureLine[]): void {
  let level: number | undefined;
  for (const line of lines) {
    if (line.level !== level) {
      if (level !== undefined) writer.close();
      level = line.level;
      writer.open("ppLevel", { number: level, parent: line.parent });
    }
    writeLine(writer, line);
  }
  if (level !== undefined) writer.close();
}

function writeLine(writer: XmlWriter, line: ProcedureLine): void {
  writer.open("ppLine", {
    counter: line.counter,
    lineType: fileName(lineKinds, line.kind),
    insertMode: fileName(insertModes, line.insertMode),
    printCtrl: line.printControl,
    condType: line.conditionType,
    subtType: line.subtotalType,
    from: line.from,
    to: line.to,
  });
  writeTexts(writer, "name", line.label);
  for (const { level, text, signature } of line.formulas ?? []) {
    writer.element("valueFormula", text, { level: fileName(formulaLevels, level), signature });
  }
  for (const value of line.tags) writer.element("ppLineTag", "", { value });
  writer.close();
}
