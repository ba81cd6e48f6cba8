/** Element `docCalculation`: a procedure and its known amounts. Values of lines are not stored. */

import { DiscountLines } from "../../pricing/condition-records.js";
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
} from "../../project/document.js";
import { isPosition, walkItems } from "../../project/item-tree.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import type { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { treeOf } from "./kept-tree.js";
import { priceAccess, taxAccess } from "./procedure-names.js";
import { type PlacedCondition, placeKey, writeLines } from "./write-calculation-lines.js";
import { writeTexts } from "./write-context.js";
import { writeProcedure } from "./write-procedure.js";

/** An amount at its place in the procedure; without an item, it applies to the whole project. */
interface PlacedAmount extends Omit<PlacedCondition, "record"> {
  amount: Amount;
  perQuantity: Quantity | undefined;
  label: Texts | undefined;
}

/** Writes the calculation of one procedure: list prices, taxes, conditions of items, conditions of the header. */
export function writeCalculation(
  writer: KeepingXmlWriter,
  project: ProjectDocument,
  procedure: PricingProcedure,
): void {
  writer.expect(procedure.kept && treeOf(procedure.kept));
  writer.open("docCalculation.2", { usedFeatures: "LevelTree", currency: project.settings.currency });
  writeProcedure(writer, procedure);
  const own = entered(project.conditions ?? [], procedure);
  const taken = new Set(own.map(amountKey));
  const amounts = [
    ...listPrices(project.items, procedure),
    // A rate missing from the tax scheme is a condition of the item.
    ...taxRates(project, procedure).filter((rate) => !taken.has(amountKey(rate))),
    ...own,
    ...discounts(project, procedure, taken),
  ];
  writer.open("condRecords");
  for (const [id, placed] of amounts.entries()) writeRecord(writer, id, placed);
  writer.close();
  writeLines(
    writer,
    project,
    procedure,
    amounts.map((amount, record) => ({ ...amount, record })),
  );
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

function amountKey({ itemId, ...place }: Omit<PlacedCondition, "record">): string {
  return `${itemId} ${placeKey(place)}`;
}

/** In a file with a procedure, article discounts are records of that procedure. */
function discounts(
  project: ProjectDocument,
  procedure: PricingProcedure,
  taken: ReadonlySet<string>,
): PlacedAmount[] {
  const lines = new DiscountLines(procedure);
  const found: PlacedAmount[] = [];
  for (const item of walkItems(project.items)) {
    if (item.type !== "article" && item.type !== "userArticle") continue;
    const { records } = lines.place(item.id, item.productPrices, (level, counter) =>
      taken.has(amountKey({ itemId: item.id, level, counter })),
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

/** Base and variant prices at the procedure lines that read them; each variant price has its own counter. */
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

/** The rate of each item's tax category, at the procedure lines that use it. */
function taxRates({ items, settings }: ProjectDocument, procedure: PricingProcedure): PlacedAmount[] {
  const lines = procedure.lines.flatMap((line) => {
    const id = taxAccess(line.accessMethod);
    const type = settings.taxScheme?.taxTypes.find((each) => each.id === id && each.rateUnit === "%");
    const names = procedure.conditionTypes.find(({ name }) => name === line.conditionType)?.label ?? [];
    return type ? [{ ...line, type, label: names.filter(({ lang }) => lang === "und") }] : [];
  });
  return [...walkItems(items)].filter(isPosition).flatMap((item) =>
    lines.flatMap(({ type, level, counter, label }): PlacedAmount[] => {
      const category = item.taxCategories?.[type.id] ?? "standard_rate";
      const rate = type.categories.find(({ id }) => id === category)?.rate;
      if (rate === undefined) return [];
      const amount: Amount = { kind: "percentage", value: rate };
      return [{ itemId: item.id, level, counter, amount, perQuantity: undefined, label }];
    }),
  );
}
