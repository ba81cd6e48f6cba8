/** Element `docCalculation`: a procedure, the amounts that somebody entered for it, and the prices and taxes found for items. */
import type {
  Amount,
  ConditionRecord,
  PricingProcedure,
  ProductPrice,
  Quantity,
} from "../project/document.js";
import { textsIfAny } from "./localized-texts.js";
import { present } from "./present.js";
import { priceAccess, taxAccess } from "./procedure-names.js";
import { type ItemCalculation, type ReadContext, warn } from "./read-context.js";
import { readProcedure } from "./read-procedure.js";
import { attributeOf, childOf, childrenOf, decimalOf, integerOf, uuidOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** What one `docCalculation` holds. Values of lines are not stored in files; they follow from these. */
export interface FileCalculation {
  procedure: PricingProcedure;
  conditions: ConditionRecord[];
  items: Map<string, ItemCalculation>;
}

type StoredRecord = Pick<ConditionRecord, "amount" | "perQuantity" | "label">;

/** Reads one `docCalculation`; nothing when it has no procedure. */
export function readCalculation(element: XmlElement, context: ReadContext): FileCalculation | undefined {
  const procedureElement = childOf(element, "priceProc");
  if (!procedureElement) return undefined;
  const reading = new CalculationReading(element, readProcedure(procedureElement, context), context);
  reading.readItems();
  reading.readHeader();
  return { procedure: reading.procedure, conditions: reading.conditions, items: reading.items };
}

class CalculationReading {
  readonly conditions: ConditionRecord[] = [];
  readonly items = new Map<string, ItemCalculation>();
  private readonly records: ReadonlyMap<string, StoredRecord>;
  private readonly groups: ReadonlyMap<string, XmlElement>;
  private readonly headerLines = new Set<string>();

  constructor(
    private readonly element: XmlElement,
    readonly procedure: PricingProcedure,
    private readonly context: ReadContext,
  ) {
    const records = childrenOf(childOf(element, "condRecords"), "condRecord");
    this.records = new Map(
      records.flatMap((record) => {
        const stored = this.readRecord(record);
        return stored ? [[attributeOf(record, "id") ?? "", stored] as const] : [];
      }),
    );
    const groups = childrenOf(childOf(element, "condGroups"), "condGroup");
    this.groups = new Map(groups.map((group) => [attributeOf(group, "id") ?? "", group]));
  }

  /** Amounts for the whole project stand with a condition group or with a line of the document. */
  readHeader(): void {
    for (const group of this.groups.values()) {
      const key = childOf(group, "groupKey");
      if (key) this.addHeader(key, this.records.get(attributeOf(group, "condRecord") ?? ""));
    }
    for (const line of childrenOf(childOf(this.element, "calcLines"), "docCondition")) {
      if (!isEmptySlot(line)) this.addHeader(line, this.records.get(attributeOf(line, "condRecord") ?? ""));
    }
  }

  readItems(): void {
    for (const item of childrenOf(childOf(this.element, "itemCalculations"), "itemCalculation")) {
      const itemId = uuidOf(item, "id");
      if (itemId === undefined) {
        warn(this.context, item, "skipped: the calculation of an item without an id");
        continue;
      }
      const calculation: ItemCalculation = { productPrices: [], taxRates: new Map() };
      for (const line of childrenOf(childOf(item, "calcLines"), "itemCondition")) {
        if (!isEmptySlot(line)) this.readItemLine(line, itemId, calculation);
      }
      this.items.set(itemId, calculation);
    }
  }

  private readItemLine(line: XmlElement, itemId: string, calculation: ItemCalculation): void {
    const record = this.records.get(attributeOf(line, "condRecord") ?? "");
    const level = integerOf(line, "level");
    const counter = integerOf(line, "counter") ?? 0;
    if (!record || level === undefined || level < 0) return;
    const method = this.accessMethod(level, counter);
    const price = priceAccess(method);
    const taxType = taxAccess(method);
    if (price) addProductPrice(calculation.productPrices, price, record);
    else if (taxType !== undefined) {
      if (record.amount.kind === "percentage") calculation.taxRates.set(taxType, record.amount.value);
    } else if (attributeOf(line, "condGroup") !== undefined) this.addHeader(line, record);
    else this.conditions.push({ scheme: this.procedure.name, itemId, level, counter, ...record });
  }

  private addHeader(place: XmlElement, record: StoredRecord | undefined): void {
    const level = integerOf(place, "level");
    const counter = integerOf(place, "counter") ?? 0;
    const key = `${level}.${counter}`;
    if (!record || level === undefined || level < 0 || this.headerLines.has(key)) return;
    this.headerLines.add(key);
    this.conditions.push({ scheme: this.procedure.name, level, counter, ...record });
  }

  /** Several results of one condition have counters of their own; the procedure knows them under counter 0. */
  private accessMethod(level: number, counter: number): string | undefined {
    const lines = this.procedure.lines.filter((line) => line.level === level);
    return (lines.find((line) => line.counter === counter) ?? lines.find((line) => line.counter === 0))
      ?.accessMethod;
  }

  private readRecord(element: XmlElement): StoredRecord | undefined {
    const amount = readAmount(childOf(element, "amount"));
    if (!amount) {
      warn(this.context, element, "skipped: a condition record without an amount");
      return undefined;
    }
    return present({
      amount,
      perQuantity: readQuantity(childOf(element, "qtyRel")),
      label: textsIfAny(childrenOf(element, "description")),
    });
  }
}

/** A line that waits for an amount. */
function isEmptySlot(line: XmlElement): boolean {
  return childrenOf(line, "inactiveFlag").some((flag) => attributeOf(flag, "value") === "NoData");
}

function readAmount(element: XmlElement | undefined): Amount | undefined {
  const value = decimalOf(element, "value");
  if (value === undefined) return undefined;
  const type = attributeOf(element, "type");
  const currency = attributeOf(element, "currency");
  if (type === "percentage" || currency === "%") return { kind: "percentage", value };
  if (type === "quantity") return { kind: "quantity", value, unit: attributeOf(element, "unit") ?? "" };
  return currency === undefined || !/^[A-Z]{3}$/.test(currency)
    ? undefined
    : { kind: "money", value, currency };
}

/** A quantity other than one piece, which is what an amount is for when nothing is said. */
function readQuantity(element: XmlElement | undefined): Quantity | undefined {
  const value = decimalOf(element, "value");
  if (value === undefined) return undefined;
  const unit = attributeOf(element, "unit") ?? "C62";
  return unit === "C62" && Number(value) === 1 ? undefined : { value, unit };
}

function addProductPrice(
  prices: ProductPrice[],
  access: { side: "purchase" | "sales"; part: "base" | "variant" },
  record: StoredRecord,
): void {
  const known = prices.find((price) => price.side === access.side);
  if (access.part === "base") {
    if (known || record.amount.kind !== "money") return;
    const base = { value: record.amount.value, currency: record.amount.currency };
    prices.push(present({ side: access.side, base, perQuantity: record.perQuantity }));
  } else if (known) {
    known.components ??= [];
    known.components.push({ label: record.label ?? [], amount: record.amount });
  } else if (record.amount.kind === "money") {
    const base = { value: "0", currency: record.amount.currency };
    prices.push({
      side: access.side,
      base,
      components: [{ label: record.label ?? [], amount: record.amount }],
    });
  }
}
