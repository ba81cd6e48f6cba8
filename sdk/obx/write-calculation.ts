/** Element `docCalculation`: a procedure and the amounts that are known for it. Values of lines are not stored. */
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
import { priceAccess } from "./procedure-names.js";
import { writeProcedure } from "./write-procedure.js";
import { writeTexts } from "./write-texts.js";
import { append, type Builder } from "./xml-writing.js";

/** An amount at its place in the procedure; without an item it is one for the whole project. */
interface PlacedAmount {
  itemId: string | undefined;
  level: number;
  counter: number;
  amount: Amount;
  perQuantity: Quantity | undefined;
  label: Texts | undefined;
}

/** Appends the calculation of one procedure: list prices, conditions of items, conditions of the header. */
export function writeCalculation(root: Builder, project: ProjectDocument, procedure: PricingProcedure): void {
  const element = append(root, "docCalculation.2", {
    usedFeatures: "LevelTree",
    currency: project.settings.currency,
  });
  writeProcedure(element, procedure);
  const amounts = [...listPrices(project.items, procedure), ...entered(project.conditions ?? [], procedure)];
  const records = append(element, "condRecords");
  for (const [id, placed] of amounts.entries()) writeRecord(records, id, placed);
  const groups = append(element, "condGroups");
  for (const [record, { itemId, level, counter }] of amounts.entries()) {
    if (itemId !== undefined) continue;
    const condType = procedure.lines.find((line) => line.level === level && line.counter === counter);
    const attributes = { id: record, condType: condType?.conditionType, condRecord: record };
    append(append(groups, "condGroup", attributes), "groupKey", { level, counter });
  }
  append(element, "calcLines");
  writeItemLines(append(element, "itemCalculations"), amounts);
}

function writeRecord(
  records: Builder,
  id: number,
  { itemId, amount, perQuantity, label }: PlacedAmount,
): void {
  const record = append(records, "condRecord", { id });
  if (itemId !== undefined) append(record, "accessKey", {}, itemId);
  writeTexts(record, "description", label);
  const { kind, ...rest } = amount;
  append(record, "amount", { type: kind, ...rest });
  if (amount.kind === "money") {
    append(record, "qtyRel", { value: perQuantity?.value ?? "1", unit: perQuantity?.unit ?? "C62" });
  }
}

function writeItemLines(calculations: Builder, amounts: readonly PlacedAmount[]): void {
  const lines = new Map<string, Builder>();
  for (const [condRecord, { itemId, level, counter }] of amounts.entries()) {
    if (itemId === undefined) continue;
    const known =
      lines.get(itemId) ?? append(append(calculations, "itemCalculation", { id: itemId }), "calcLines");
    lines.set(itemId, known);
    append(known, "itemCondition", { level, counter, condRecord });
  }
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
