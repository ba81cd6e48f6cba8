/**
 * Sheets of the project document, and those of any group of items, such as the parts of a pseudo article
 * or a folder.
 */
import { Exact, plus, zero } from "../locale/exact.js";
import type {
  Calculation,
  Money,
  PricingProcedure,
  Quantity,
  Sheet,
  SheetLine,
} from "../project/document.js";
import { ownMember } from "../schema/own-member.js";
import { aggregate } from "./aggregate.js";
import { type CompiledLine, type CompiledProcedure, compileProcedure } from "./compiled-procedure.js";
import type { LineResult } from "./item-state.js";
import { Rounding } from "./rounding.js";

/** Writes sheets of one procedure in one currency; they share objects, so they must not be changed. */
export class SheetWriter {
  private readonly netLine: CompiledLine | undefined;
  private readonly taxLines: ReadonlySet<CompiledLine>;
  private readonly shared = new Map<LineResult, SheetLine>();
  /** Subtotals often repeat the preceding value. */
  private last: { value: Exact; money: Money };

  constructor(
    compiled: CompiledProcedure,
    private readonly currency: string,
    private readonly rounding: Rounding,
  ) {
    this.netLine = tagged(compiled, "NET_VALUE")[0] ?? tagged(compiled, "ITEM_NET_VALUE")[0];
    this.taxLines = new Set(tagged(compiled, "TAX"));
    this.last = { value: zero, money: { value: rounding.text(zero), currency } };
  }

  /** `netValue` is the value of the line tagged NET_VALUE, `tax` the sum of those tagged TAX. */
  sheet(results: readonly LineResult[], quantity?: Quantity): Sheet {
    let tax = zero;
    let net: Exact | undefined;
    const lines: SheetLine[] = [];
    for (const result of results) {
      lines.push(result.shared ? this.sharedLine(result) : this.line(result));
      if (result.inactive !== undefined || result.value === undefined) continue;
      if (result.line === this.netLine) net = result.value;
      if (this.taxLines.has(result.line)) tax = plus(tax, result.value);
    }
    const sheet: Sheet = { currency: this.currency, lines };
    if (quantity !== undefined) sheet.quantity = quantity;
    if (net !== undefined) sheet.netValue = this.money(net);
    if (this.taxLines.size > 0) sheet.tax = this.money(tax);
    return sheet;
  }

  /** Texts and empty slots are the same objects in all sheets. */
  private sharedLine(result: LineResult): SheetLine {
    const before = this.shared.get(result);
    if (before !== undefined) return before;
    const line = this.line(result);
    this.shared.set(result, line);
    return line;
  }

  private line(result: LineResult): SheetLine {
    const { line, counter, label } = result;
    const written: SheetLine = { level: line.line.level, counter, label };
    if (line.type !== undefined) written.conditionType = line.type.name;
    if (result.amount !== undefined) written.amount = result.amount;
    if (result.per !== undefined) written.qtyRelation = result.per;
    if (result.value !== undefined) written.value = this.money(result.value);
    if (result.taxType !== undefined) written.taxType = result.taxType;
    if (result.taxCategory !== undefined) written.taxCategory = result.taxCategory;
    if (result.inactive !== undefined) written.inactive = [result.inactive];
    if (result.manual) written.manual = true;
    return written;
  }

  private money(value: Exact): Money {
    if (this.last.value !== value) {
      this.last = { value, money: { value: this.rounding.statedText(value), currency: this.currency } };
    }
    return this.last.money;
  }
}

function tagged({ lines }: CompiledProcedure, tag: string): CompiledLine[] {
  return lines.filter(({ line }) => line.tags.includes(tag));
}

/** Adds up the sheets of these items line by line; items without a sheet are ignored. */
export function groupSheet(
  calculation: Calculation,
  procedure: PricingProcedure,
  itemIds: readonly string[],
): Sheet {
  const compiled = compileProcedure(procedure);
  const { currency } = calculation.header;
  const rounding = Rounding.toUnit(currency, procedure);
  const members = itemIds.flatMap((id) => {
    const sheet = ownMember(calculation.items, id);
    return sheet === undefined ? [] : [resultsOf(sheet, compiled)];
  });
  return new SheetWriter(compiled, currency, rounding).sheet(
    aggregate(compiled, members, { rounding, currency, errors: undefined }),
  );
}

function resultsOf(sheet: Sheet, compiled: CompiledProcedure): LineResult[] {
  return sheet.lines.flatMap((line) => {
    const found = compiled.find(line.level, line.counter);
    if (found === undefined) return [];
    return {
      line: found,
      counter: line.counter,
      label: line.label,
      amount: line.amount,
      per: line.qtyRelation,
      value: line.value === undefined ? undefined : new Exact(line.value.value),
      taxType: line.taxType,
      taxCategory: line.taxCategory,
      manual: line.manual ?? false,
      inactive: line.inactive?.[0],
      shared: false,
    };
  });
}
