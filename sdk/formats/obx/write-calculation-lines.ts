/**
 * Lines of a calculation: the procedure lines of the project and of each item, with the places of their
 * amounts.
 */
import type { PricingProcedure, ProcedureLine, ProjectDocument } from "../../project/document.js";
import { isPosition, walkItems } from "../../project/item-tree.js";
import type { XmlWriter } from "../xml/xml-writer.js";

/** A record at its place in the procedure; without an item, it applies to the whole project. */
export interface PlacedCondition {
  itemId: string | undefined;
  level: number;
  counter: number;
  record: number;
}

/** A condition shared by the project and all items, and its record, once it has an amount. */
interface Group {
  id: number;
  record: number | undefined;
}

type Place = Pick<PlacedCondition, "level" | "counter">;

const kinds = { text: "TextLine", subtotal: "Subtotal", break: "BreakLine", condition: "Condition" } as const;

/** A unique key for a line of the procedure. */
export function placeKey({ level, counter }: Place): string {
  return `${level}.${counter}`;
}

/**
 * Writes groups of header conditions, then the lines of the project and of each item. A line is written if it
 * has an amount, or if the procedure always has it.
 */
export function writeLines(
  writer: XmlWriter,
  project: ProjectDocument,
  procedure: PricingProcedure,
  conditions: readonly PlacedCondition[],
): void {
  const byItem = new Map<string | undefined, PlacedCondition[]>();
  for (const condition of conditions) {
    const known = byItem.get(condition.itemId);
    if (known) known.push(condition);
    else byItem.set(condition.itemId, [condition]);
  }
  const groups = writeGroups(writer, procedure, byItem.get(undefined) ?? []);
  writer.open("calcLines");
  for (const line of linesWith(procedure, conditions)) {
    writer.element(`doc${kinds[line.kind]}`, "", { level: line.level, counter: line.counter });
  }
  writer.close();
  writer.open("itemCalculations");
  for (const item of walkItems(project.items)) {
    if (isPosition(item)) writeItem(writer, procedure, item.id, byItem.get(item.id) ?? [], groups);
  }
  writer.close();
}

/** Every line that can have one amount for the whole project is a group, with or without that amount. */
function writeGroups(
  writer: XmlWriter,
  { conditionTypes, lines }: PricingProcedure,
  header: readonly PlacedCondition[],
): Map<string, Group> {
  const grouping = new Set(conditionTypes.filter(({ group }) => group).map(({ name }) => name));
  const records = new Map(header.map((condition) => [placeKey(condition), condition.record]));
  const places = new Map<string, Place>();
  for (const line of lines) if (grouping.has(line.conditionType ?? "")) places.set(placeKey(line), line);
  for (const condition of header) places.set(placeKey(condition), condition);
  const groups = new Map<string, Group>();
  writer.open("condGroups");
  for (const [key, { level, counter }] of places) {
    const id = groups.size;
    const record = records.get(key);
    groups.set(key, { id, record });
    const condType = lines.find((line) => placeKey(line) === key)?.conditionType;
    writer.open("condGroup", { id, condType, condRecord: record });
    writer.element("groupKey", "", { level, counter });
    writer.close();
  }
  writer.close();
  return groups;
}

function writeItem(
  writer: XmlWriter,
  procedure: PricingProcedure,
  id: string,
  conditions: readonly PlacedCondition[],
  groups: ReadonlyMap<string, Group>,
): void {
  const records = new Map(conditions.map((condition) => [placeKey(condition), condition.record]));
  writer.open("itemCalculation", { id });
  writer.open("calcLines");
  for (const line of linesWith(procedure, conditions)) {
    const { level, counter, kind } = line;
    const condRecord = records.get(placeKey(line));
    if (kind === "condition" && condRecord === undefined) {
      const group = groups.get(placeKey(line));
      writer.open("itemCondition", { level, counter, condGroup: group?.id });
      if (group?.record === undefined) writer.element("inactiveFlag", "", { value: "NoData" });
      writer.close();
    } else writer.element(`item${kinds[kind]}`, "", { level, counter, condRecord });
  }
  writer.close();
  writer.close();
}

type Line = Place & Pick<ProcedureLine, "kind">;

/** Lines that always exist and those with an amount, sorted by level and counter. */
function linesWith({ lines }: PricingProcedure, conditions: readonly PlacedCondition[]): Line[] {
  const found = new Map<string, Line>();
  for (const line of lines) if (line.insertMode === "always") found.set(placeKey(line), line);
  for (const { level, counter } of conditions) {
    found.set(placeKey({ level, counter }), { level, counter, kind: "condition" });
  }
  return [...found.values()].sort(
    (first, second) => first.level - second.level || first.counter - second.counter,
  );
}
