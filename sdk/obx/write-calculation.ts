/** Element `docCalculation`: a procedure and the amounts that are known for it. Values of lines are not stored. */

import { DiscountLines } from "../pricing/price-discounts.js";
import type {
  Amount,
  ConditionRecord,
  Item,
  PricingProcedure,
  ProcedureLine,
  ProductPrice,
  ProjectDocument,
  Quantity,
  Texts,
} from "../project/document.js";
import { walkItems } from "../project/item-tree.js";
import type { XmlAttributes, XmlWriter } from "../xml/xml-writer.js";
import type { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { priceAccess } from "./procedure-names.js";
import { writeProcedure } from "./write-procedure.js";
import { writeTexts } from "./write-texts.js";

/** An amount at its place in the procedure; without an item it is one for the whole project. */
interface PlacedAmount {
  itemId: string | undefined;
  level: number;
  counter: number;
  amount: Amount;
  perQuantity: Quantity | undefined;
  label: Texts | undefined;
}

/** Writes the calculation of one procedure: list prices, conditions of items, conditions of the header. */
export function writeCalculation(
  writer: KeepingXmlWriter,
  project: ProjectDocument,
  procedure: PricingProcedure,
): void {
  writer.expect(procedure.kept);
  writer.open("docCalculation.2", { usedFeatures: "LevelTree", currency: project.settings.currency });
  writeProcedure(writer, procedure);
  const conditions = entered(project.conditions ?? [], procedure);
  const amounts = [
    ...listPrices(project.items, procedure),
    ...conditions,
    ...discounts(project, conditions, procedure),
  ];
  writer.open("condRecords");
  for (const [id, placed] of amounts.entries()) writeRecord(writer, id, placed);
  writer.close();
  writeGroups(writer, amounts, procedure);
  writer.element("calcLines", "");
  writeItemLines(writer, amounts);
  writer.close();
}

function writeRecord(
  writer: XmlWriter,
  id: number,
  { itemId, amount, perQuantity, label }: PlacedAmount,
): void {
  writer.open("condRecord", { id });
  if (itemId !== undefined) writer.element("accessKey", itemId);
  writeTexts(writer, "description", label);
  const { kind, ...rest } = amount;
  writer.element("amount", "", { type: kind, ...rest });
  if (amount.kind === "money") {
    writer.element("qtyRel", "", { value: perQuantity?.value ?? "1", unit: perQuantity?.unit ?? "C62" });
  }
  writer.close();
}

/** Amounts for the whole project. */
function writeGroups(writer: XmlWriter, amounts: readonly PlacedAmount[], procedure: PricingProcedure): void {
  writer.open("condGroups");
  for (const [record, { itemId, level, counter }] of amounts.entries()) {
    if (itemId !== undefined) continue;
    const condType = procedure.lines.find((line) => line.level === level && line.counter === counter);
    writer.open("condGroup", { id: record, condType: condType?.conditionType, condRecord: record });
    writer.element("groupKey", "", { level, counter });
    writer.close();
  }
  writer.close();
}

/** Amounts of items, by item in the order of their first one. */
function writeItemLines(writer: XmlWriter, amounts: readonly PlacedAmount[]): void {
  const lines = new Map<string, XmlAttributes[]>();
  for (const [condRecord, { itemId, level, counter }] of amounts.entries()) {
    if (itemId === undefined) continue;
    const known = lines.get(itemId);
    if (known) known.push({ level, counter, condRecord });
    else lines.set(itemId, [{ level, counter, condRecord }]);
  }
  writer.open("itemCalculations");
  for (const [id, conditions] of lines) {
    writer.open("itemCalculation", { id });
    writer.open("calcLines");
    for (const condition of conditions) writer.element("itemCondition", "", condition);
    writer.close();
    writer.close();
  }
  writer.close();
}

/** Where a file has a procedure, discounts of articles are records of it. */
function discounts(
  project: ProjectDocument,
  conditions: readonly PlacedAmount[],
  procedure: PricingProcedure,
): PlacedAmount[] {
  const key = (itemId: string | undefined, level: number, counter: number): string =>
    `${itemId} ${level}.${counter}`;
  const taken = new Set(conditions.map(({ itemId, level, counter }) => key(itemId, level, counter)));
  const lines = new DiscountLines(procedure);
  const found: PlacedAmount[] = [];
  for (const item of walkItems(project.items)) {
    if (item.type !== "article" && item.type !== "userArticle") continue;
    const { records } = lines.place(item.id, item.productPrices, (level, counter) =>
      taken.has(key(item.id, level, counter)),
    );
    found.push(...entered(records, procedure));
  }
  return found;
}

function entered(conditions: readonly ConditionRecord[], procedure: PricingProcedure): PlacedAmount[] {
  return conditions
    .filter(({ scheme }) => scheme === undefined || scheme === procedure.name)
    .map(({ itemId, level, counter, amount, perQuantity, label }) => ({
      itemId,
      level,
      counter,
      amount,
      perQuantity,
      label,
    }));
}

/** Base and variant prices at the lines of the procedure that read them; variant prices have counters of their own. */
function listPrices(items: readonly Item[], procedure: PricingProcedure): PlacedAmount[] {
  return items.flatMap((item): PlacedAmount[] => {
    if (item.type === "text") return [];
    const prices = item.type === "article" || item.type === "userArticle" ? item.productPrices : [];
    const own = prices.flatMap((price) => listPrice(item.id, price, procedure.lines));
    return [...own, ...listPrices(item.children ?? [], procedure)];
  });
}

function listPrice(itemId: string, price: ProductPrice, lines: readonly ProcedureLine[]): PlacedAmount[] {
  const { perQuantity } = price;
  return lines.flatMap((line): PlacedAmount[] => {
    const access = priceAccess(line.accessMethod);
    if (access?.side !== price.side) return [];
    const { level, counter } = line;
    if (access.part === "base") {
      const amount = { kind: "money" as const, ...price.base };
      return [{ itemId, level, counter, amount, perQuantity, label: undefined }];
    }
    return (price.components ?? []).map(({ label, amount }, index) => ({
      itemId,
      level,
      counter: counter + index,
      amount,
      perQuantity,
      label,
    }));
  });
}
