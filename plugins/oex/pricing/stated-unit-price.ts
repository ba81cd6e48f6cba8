/** The gross price of one unit, from what the lines of a sheet state. */
import { type Amount, Exact, type SheetLine } from "@slipway/sdk";

const cent = new Exact("0.01");

/** The amount of money that a line states for one unit. */
export function statedUnitValue({ amount, qtyRelation }: SheetLine): Exact | undefined {
  if (amount?.kind !== "money") return undefined;
  const per = new Exact(qtyRelation?.value ?? 1);
  return per.gt(0) ? new Exact(amount.value).div(per) : undefined;
}

/** Adds up prices of one unit, beside their totals for the whole quantity that tell what a percentage is of. */
export class StatedUnitPrice {
  private price: { unit: Exact; total: Exact } | undefined;
  private sum: { unit: Exact; total: Exact } | undefined;

  /** A price replaces what was before it. */
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

  /** Undefined where a line does not tell enough. */
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
