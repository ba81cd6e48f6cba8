/** Lines with a computed value. */

import { Exact, one } from "../locale/exact.js";
import type { Amount, Quantity } from "../project/document.js";
import type { CompiledLine } from "./compiled-procedure.js";
import type { ItemState } from "./item-state.js";
import { type LineResult, noDataResult, plainResult } from "./item-state.js";
import type { PriceErrors } from "./price-errors.js";
import type { Rounding } from "./rounding.js";
import type { AmountSources, StatedAmount } from "./stated-amount.js";
import type { FormulaInput, FormulaResult, LineFormula } from "./value-formula.js";
import { FormulaFault } from "./value-formula.js";

/** The input of formulas besides the numbers of their line. */
export interface FormulaSources {
  rounding: Rounding;
  /** ISO 4217. */
  currency: string;
  errors: PriceErrors | undefined;
}

/**
 * The value of a condition for an item, before rounding by its condition type; the displayed amount is not
 * changed. Undefined if it cannot be computed, after reporting the reason.
 */
export function conditionByFormula(
  line: CompiledLine,
  formula: LineFormula,
  { amount, number, per }: StatedAmount,
  state: ItemState,
  { rounding, errors, converter }: AmountSources,
): Exact | undefined {
  const stated = amount?.kind === "percentage" ? number.div(100) : number;
  const input = {
    netval: state.netValue,
    base: state.baseOf(line),
    value: undefined,
    amount: amount === undefined ? undefined : stated,
    qtyrel: new Exact(per?.value ?? 1),
    ...quantities(state),
  };
  const sources = { rounding, errors, currency: converter.target };
  const result = compute(line, formula, input, sources, state.position.item.id);
  if (result === undefined || result.value !== undefined) return result?.value;
  return sources.errors.add(
    state.position.item.id,
    fault(line, formula, "it states no value of a condition"),
  );
}

/**
 * The result of a subtotal for an item. A margin has no data without a cost, or if it would divide by zero.
 */
export function subtotalByFormula(
  line: CompiledLine,
  formula: LineFormula,
  state: ItemState,
  { rounding, errors, converter }: AmountSources,
): LineResult {
  const netval = state.netValue;
  const base = line.margin === undefined ? line.base && state.valueOf(line.base) : state.costOf(line);
  if (hasNoMargin(line, netval, base)) return noDataResult(line);
  const input = { netval, base, value: state.subtotalOf(line), ...quantities(state) };
  const sources = { rounding, errors, currency: converter.target };
  const result = compute(line, formula, input, sources, state.position.item.id);
  return result === undefined
    ? noDataResult(line)
    : resultOf(line, result, state.position.item.quantity.unit, sources);
}

/** The result of a line for several items together; `value` is the sum of their results. */
export function aggregateByFormula(
  line: CompiledLine,
  formula: LineFormula,
  numbers: { netval: Exact; base: Exact | undefined; value: Exact | undefined },
  sources: FormulaSources,
): LineResult {
  if (hasNoMargin(line, numbers.netval, numbers.base)) return noDataResult(line);
  const result = compute(line, formula, numbers, sources, undefined);
  return result === undefined ? noDataResult(line) : resultOf(line, result, undefined, sources);
}

function hasNoMargin({ margin, base }: CompiledLine, above: Exact, below: Exact | undefined): boolean {
  if (margin === undefined) return false;
  return (base !== undefined && below === undefined) || (margin === "relative" && above.isZero());
}

function quantities(state: ItemState): Pick<FormulaInput, "qty" | "unitsz"> {
  return { qty: state.position.quantity, unitsz: one };
}

function compute(
  line: CompiledLine,
  formula: LineFormula,
  input: FormulaInput,
  { rounding, errors }: FormulaSources,
  itemId: string | undefined,
): FormulaResult | undefined {
  try {
    return formula.compute(input, rounding.by(line.roundingRule));
  } catch (error) {
    if (!(error instanceof FormulaFault)) throw error;
    return errors?.add(formula.isReadable ? itemId : undefined, fault(line, formula, error.message));
  }
}

function fault({ line }: CompiledLine, { shown }: LineFormula, reason: string): string {
  return `The formula at ${line.level}.${line.counter} cannot be computed, ${reason}: ${shown}`;
}

/** `unit` is the unit of the item's quantity. */
function resultOf(
  line: CompiledLine,
  { value, amount, qtyrel }: FormulaResult,
  unit: string | undefined,
  { rounding, currency }: FormulaSources,
): LineResult {
  const perOne = qtyrel === undefined || unit === undefined || qtyrel.eq(one);
  const per: Quantity | undefined = perOne ? undefined : { value: written(qtyrel).toFixed(), unit };
  return {
    ...plainResult(line, value && rounding.by(line.roundingRule).round(value)),
    amount: amount && amountOf(line, amount, rounding, currency),
    per,
  };
}

function amountOf({ percent }: CompiledLine, amount: Exact, rounding: Rounding, currency: string): Amount {
  if (percent) return { kind: "percentage", value: written(amount.times(100)).toFixed() };
  return { kind: "money", value: rounding.statedText(written(amount)), currency };
}

/** Rounds to the maximum number of decimal places in a project. */
function written(number: Exact): Exact {
  return number.toDecimalPlaces(18);
}
