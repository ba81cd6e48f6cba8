/** Reads the sheet lines that documents need, by area. */
import {
  type Amount,
  Exact,
  type JoinedLine,
  joinLines,
  type PricingProcedure,
  type Sheet,
  type SheetLine,
} from "@slipway/sdk";
import type { PriceArea } from "../document/oex-document.js";
import { type AreaAmounts, amountsOf, type ItemTax, nothing, type Step, total } from "./area-amounts.js";
import { type AreaPart, type Part, type ProcedureParts, procedureParts } from "./procedure-parts.js";

/** Tolerance for finding the base of a percentage. */
const cent = new Exact("0.01");

/** Numbers that were read last: sheets of one project repeat them. */
const numbers = new Map<string, Exact>();
const maximumNumbers = 10_000;

function numberOf(text: string): Exact {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const number = new Exact(text);
  if (numbers.size >= maximumNumbers) numbers.clear();
  numbers.set(text, number);
  return number;
}

/** Reads the sheets of one procedure. */
export class SheetParts {
  readonly parts: ProcedureParts;
  private readonly taxTypes: ReadonlyMap<string, string>;

  constructor(private readonly procedure: PricingProcedure) {
    this.parts = procedureParts(procedure);
    this.taxTypes = new Map(
      procedure.conditionTypes.flatMap(({ name, taxType }) =>
        taxType === undefined ? [] : [[name, taxType]],
      ),
    );
  }

  /** The amounts of a sheet in the given areas. */
  read(sheet: Sheet, areas: readonly PriceArea[]): AreaAmounts[] {
    const found = { P: new FoundParts(), S: new FoundParts() };
    for (const joined of joinLines(sheet, this.procedure)) {
      const place = this.placeOf(joined);
      if (place !== undefined) this.add(found[place.area], place.part, joined);
    }
    const taxes = { S: found.S.taxes, P: this.parts.purchaseTaxes ? found.P.taxes : found.S.taxes };
    return areas.map((area) => amounts(area, found[area], taxes[area], area === "S" ? sheet : undefined));
  }

  private placeOf({ active, procedureLine }: JoinedLine): AreaPart | undefined {
    return active && procedureLine !== undefined ? this.parts.of.get(procedureLine) : undefined;
  }

  private add(found: FoundParts, part: Part, joined: JoinedLine): void {
    const { line } = joined;
    if (part === "price" && (line.value !== undefined || line.amount !== undefined)) {
      found.priced = true;
      found.priceUnit = line.qtyRelation?.value;
    }
    if (line.value === undefined) return;
    const value = numberOf(line.value.value);
    if (part === "net") found.net = { value, level: line.level };
    else if (part === "changed") found.changed = { value, level: line.level };
    else if (part === "step") found.steps.push(step(joined, value));
    else if (part === "change") found.changes.push(step(joined, value));
    else if (part === "charge") found.changes.push({ ...step(joined, value), charge: true });
    else if (part === "tax") found.taxes.push(...this.tax(joined, value));
    else if (part === "late") found.late = found.late.plus(value);
    else found.addComponent(part, line, value);
  }

  /** Empty if the sheet does not state the rate. */
  private tax({ line, procedureLine }: JoinedLine, value: Exact): ItemTax[] {
    if (line.amount?.kind !== "percentage") return [];
    const conditionType = line.conditionType ?? procedureLine?.conditionType ?? "";
    const type = line.taxType ?? this.taxTypes.get(conditionType) ?? conditionType;
    const category = line.taxCategory;
    const rate = numberOf(line.amount.value).abs();
    return [{ key: JSON.stringify([type, category, rate.toFixed()]), type, category, rate, value }];
  }
}

interface FoundValue {
  value: Exact;
  level: number;
}

class FoundParts {
  priced = false;
  priceUnit: string | undefined;
  components = nothing;
  steps: Step[] = [];
  net: FoundValue | undefined;
  changes: Step[] = [];
  changed: FoundValue | undefined;
  taxes: ItemTax[] = [];
  late = nothing;
  readonly unitGross = new StatedUnitPrice();

  addComponent(part: Part, line: SheetLine, value: Exact): void {
    this.components = this.components.isZero() ? value : this.components.plus(value);
    if (part === "price") this.unitGross.addPrice(line, value);
    else this.unitGross.addComponent(line, value);
  }
}

function step({ line, procedureLine }: JoinedLine, value: Exact): Step {
  const { level, counter, label, amount } = line;
  const isPercentage = amount?.kind === "percentage";
  return {
    key: `${level}.${counter}`,
    level,
    counter,
    from: procedureLine?.to === undefined ? procedureLine?.from : undefined,
    conditionType: line.conditionType ?? procedureLine?.conditionType ?? "",
    label,
    value,
    rate: isPercentage ? numberOf(amount.value).abs() : undefined,
    unitValue: statedUnitValue(line),
    charge: false,
  };
}

function amounts(
  area: PriceArea,
  found: FoundParts,
  taxes: ItemTax[],
  sheet: Sheet | undefined,
): AreaAmounts {
  const { priced, priceUnit, steps, late } = found;
  const net = netOf(found, sheet);
  const unnamed = unnamedChange(net, found, sheet);
  const changes = unnamed === undefined ? found.changes : [...found.changes, unnamed];
  const unitGross = found.unitGross.value();
  return amountsOf({ area, priced, net, steps, changes, taxes, late, priceUnit, unitGross });
}

/**
 * If the procedure's only net value includes the header's discounts, they are removed from it. A sheet without that
 * line has its own net value; otherwise the sum of its conditions is used.
 */
function netOf({ net, steps, changes, components }: FoundParts, sheet: Sheet | undefined): Exact {
  if (net !== undefined) return net.value.minus(sumBefore(changes, net.level));
  if (sheet?.netValue !== undefined) return new Exact(sheet.netValue.value).minus(total(changes));
  return components.plus(total(steps));
}

/** A change between both net values that has no line in the sheet. */
function unnamedChange(
  net: Exact,
  { changed, changes }: FoundParts,
  sheet: Sheet | undefined,
): Step | undefined {
  if (changed === undefined || sheet === undefined) return undefined;
  const value = changed.value.minus(net).minus(sumBefore(changes, changed.level));
  if (value.isZero()) return undefined;
  const { level } = changed;
  const unknown = { from: undefined, label: [], rate: undefined, unitValue: undefined };
  return { key: "unnamed", level, counter: 0, conditionType: "", value, charge: false, ...unknown };
}

function sumBefore(steps: readonly Step[], level: number): Exact {
  return total(steps.filter((each) => each.level < level));
}

/** The amount of money per unit that a line states. */
function statedUnitValue({ amount, qtyRelation }: SheetLine): Exact | undefined {
  if (amount?.kind !== "money") return undefined;
  const value = numberOf(amount.value);
  if (qtyRelation === undefined) return value;
  const per = numberOf(qtyRelation.value);
  return per.gt(0) ? value.div(per) : undefined;
}

/** Adds up the gross price of one unit. The totals for the whole quantity serve to find the base of percentages. */
class StatedUnitPrice {
  private price: { unit: Exact; total: Exact } | undefined;
  private sum: { unit: Exact; total: Exact } | undefined;

  /** A price replaces all earlier amounts. */
  addPrice(line: SheetLine, total: Exact): void {
    const unit = statedUnitValue(line);
    this.price = unit === undefined ? undefined : { unit, total };
    this.sum = this.price;
  }

  /** A variant price or a hidden discount. */
  addComponent(line: SheetLine, total: Exact): void {
    if (this.sum === undefined || total.isZero()) return;
    const unit = statedUnitValue(line) ?? this.percentage(line.amount, total);
    const { sum } = this;
    this.sum = unit === undefined ? undefined : { unit: sum.unit.plus(unit), total: sum.total.plus(total) };
  }

  /** Undefined if a line lacks the data. */
  value(): Exact | undefined {
    return this.sum?.unit;
  }

  private percentage(amount: Amount | undefined, total: Exact): Exact | undefined {
    if (amount?.kind !== "percentage") return undefined;
    const factor = new Exact(amount.value).div(100);
    const base = [this.sum, this.price].find((each) =>
      each?.total.times(factor).minus(total).abs().lte(cent),
    );
    return base?.unit.times(factor);
  }
}
