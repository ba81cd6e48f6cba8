/**
 * Element `docCalculation`: a procedure, the amounts entered for it, and the prices and taxes determined for
 * items.
 */
import type {
  Amount,
  ConditionRecord,
  PricingProcedure,
  ProductPrice,
  Quantity,
} from "../../project/document.js";
import { present } from "./present.js";
import { priceAccess, taxAccess } from "./procedure-names.js";
import { type ItemCalculation, type ReadContext, warn } from "./read-context.js";
import { readProcedure } from "./read-procedure.js";
import { attributeOf, childOf, childrenOf, decimalOf, integerOf, textsIfAny, uuidOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/**
 * The content of a `docCalculation`. Files do not store the values of lines; they are computed from this
 * data.
 */
export interface FileCalculation {
  procedure: PricingProcedure;
  conditions: ConditionRecord[];
  items: Map<string, ItemCalculation>;
}

type StoredRecord = Pick<ConditionRecord, "amount" | "perQuantity" | "label">;

/** Reads a `docCalculation`; undefined if it has no procedure. */
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
  /** Records that state the quantity their amount refers to. */
  private readonly statingQuantity = new Set<StoredRecord>();
  private readonly groups: ReadonlyMap<string, XmlElement>;
  private readonly headerLines = new Map<string, StoredRecord>();

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

  /** Amounts for the whole project are stored in a condition group or in a line of the document. */
  readHeader(): void {
    for (const group of this.groups.values()) {
      const key = childOf(group, "groupKey");
      if (key) this.addHeader(key, this.recordOf(group));
    }
    for (const line of childrenOf(childOf(this.element, "calcLines"), "docCondition")) {
      if (!this.isEmptySlot(line)) this.addHeader(line, this.recordOf(line));
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
      const lines = childrenOf(childOf(item, "calcLines"), "itemCondition");
      for (const line of this.basePricesFirst(lines)) {
        if (!this.isEmptySlot(line)) this.readItemLine(line, itemId, calculation);
      }
      this.items.set(itemId, calculation);
    }
  }

  /** Variant prices are added to the base price. */
  private basePricesFirst(lines: readonly XmlElement[]): XmlElement[] {
    const isBase = (line: XmlElement): boolean => priceAccess(this.methodOf(line))?.part === "base";
    return [...lines.filter(isBase), ...lines.filter((line) => !isBase(line))];
  }

  private readItemLine(line: XmlElement, itemId: string, calculation: ItemCalculation): void {
    const record = this.recordOf(line);
    const position = record && this.positionOf(line);
    if (!record || !position) return;
    const method = this.methodOf(line);
    const price = priceAccess(method);
    const taxType = taxAccess(method);
    if (price) {
      const statesQuantity = this.statingQuantity.has(record);
      const fault = addProductPrice(calculation.productPrices, price, record, statesQuantity);
      if (fault !== undefined) warn(this.context, line, fault);
    } else if (taxType !== undefined && this.isRateOfScheme(taxType, record.amount)) {
      calculation.taxRates.set(taxType, record.amount.value);
    } else if (attributeOf(line, "condGroup") !== undefined) this.addHeader(line, record);
    else this.conditions.push({ scheme: this.procedure.name, itemId, ...position, ...record });
  }

  /** If so, the item has the tax category; any other tax is kept as the amount stated in the file. */
  private isRateOfScheme(taxType: string, amount: Amount): boolean {
    const type = this.context.settings.taxScheme?.taxTypes.find(({ id }) => id === taxType);
    return (
      amount.kind === "percentage" &&
      type?.rateUnit === "%" &&
      type.categories.some(({ rate }) => rate !== undefined && Number(rate) === Number(amount.value))
    );
  }

  /** A line without a record has no amount; if a referenced record is missing, the file is incomplete. */
  private recordOf(place: XmlElement): StoredRecord | undefined {
    const id = attributeOf(place, "condRecord");
    const record = id === undefined ? undefined : this.records.get(id);
    if (id !== undefined && record === undefined) {
      warn(this.context, place, `skipped: the condition record "${id}" is not in the file or cannot be read`);
    }
    return record;
  }

  private addHeader(place: XmlElement, record: StoredRecord | undefined): void {
    const position = record && this.positionOf(place);
    if (!record || !position) return;
    const key = `${position.level}.${position.counter}`;
    const before = this.headerLines.get(key);
    if (before !== undefined) {
      if (JSON.stringify(before.amount) === JSON.stringify(record.amount)) return;
      warn(
        this.context,
        place,
        `skipped: another amount for the whole project at ${key}; the first one counts`,
      );
      return;
    }
    this.headerLines.set(key, record);
    this.conditions.push({ scheme: this.procedure.name, ...position, ...record });
  }

  /** Level and counter of a condition; without a level, it produces a warning. */
  private positionOf(place: XmlElement): { level: number; counter: number } | undefined {
    const level = integerOf(place, "level");
    if (level !== undefined && level >= 0) return { level, counter: integerOf(place, "counter") ?? 0 };
    warn(this.context, place, "skipped: a condition without a level");
    return undefined;
  }

  /** Several results of one condition have different counters; the procedure lists them under counter 0. */
  private methodOf(place: XmlElement): string | undefined {
    const level = integerOf(place, "level");
    const counter = integerOf(place, "counter") ?? 0;
    const lines = this.procedure.lines.filter((line) => line.level === level);
    return (lines.find((line) => line.counter === counter) ?? lines.find((line) => line.counter === 0))
      ?.accessMethod;
  }

  /** A line that is waiting for an amount. Whether a later price replaces an earlier one is computed. */
  private isEmptySlot(line: XmlElement): boolean {
    const flags = childrenOf(line, "inactiveFlag").map((flag) => attributeOf(flag, "value") ?? "");
    for (const flag of flags) {
      if (flag === "NoData" || flag === "SubsequentPrice") continue;
      warn(this.context, line, `the flag "${flag}" is not known and has no effect: the line counts`);
    }
    return flags.includes("NoData");
  }

  private readRecord(element: XmlElement): StoredRecord | undefined {
    const amount = readAmount(childOf(element, "amount"));
    if (!amount) {
      warn(this.context, element, "skipped: a condition record without an amount");
      return undefined;
    }
    const quantity = childOf(element, "qtyRel");
    const record = present({
      amount,
      perQuantity: readQuantity(quantity),
      label: textsIfAny(childrenOf(element, "description")),
    });
    if (quantity !== undefined) this.statingQuantity.add(record);
    return record;
  }
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

/** A quantity other than one piece, the default for amounts. */
function readQuantity(element: XmlElement | undefined): Quantity | undefined {
  const value = decimalOf(element, "value");
  if (value === undefined) return undefined;
  const unit = attributeOf(element, "unit") ?? "C62";
  return unit === "C62" && Number(value) === 1 ? undefined : { value, unit };
}

/** Describes what could not be kept of the record; undefined if everything could. */
function addProductPrice(
  prices: ProductPrice[],
  access: { side: "purchase" | "sales"; part: "base" | "variant" },
  record: StoredRecord,
  statesQuantity: boolean,
): string | undefined {
  const known = prices.find((price) => price.side === access.side);
  if (access.part === "base") {
    if (record.amount.kind !== "money") return "skipped: a base price that is no amount of money";
    if (known) return "skipped: another base price of the article; the first one counts";
    const base = { value: record.amount.value, currency: record.amount.currency };
    prices.push(present({ side: access.side, base, perQuantity: record.perQuantity }));
    return undefined;
  }
  const component = { label: record.label ?? [], amount: record.amount };
  if (known) {
    known.components ??= [];
    known.components.push(component);
  } else if (record.amount.kind === "money") {
    const base = { value: "0", currency: record.amount.currency };
    prices.push(
      present({ side: access.side, base, components: [component], perQuantity: record.perQuantity }),
    );
    return undefined;
  } else return "skipped: a variant price in percent of a base price that the article does not have";
  const isComparable = record.amount.kind === "money" && statesQuantity;
  return !isComparable || isSameQuantity(known.perQuantity, record.perQuantity)
    ? undefined
    : "the variant price is for another quantity than the base price, and counts for that one";
}

function isSameQuantity(first: Quantity | undefined, second: Quantity | undefined): boolean {
  return first?.unit === second?.unit && Number(first?.value ?? 1) === Number(second?.value ?? 1);
}
