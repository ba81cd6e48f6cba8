/** A computed line, before it is written to a sheet. */

import type { Exact } from "../locale/exact.js";
import type { Amount, Quantity, Texts } from "../project/document.js";
import type { CompiledLine } from "./compiled-procedure.js";
import { lineLabel, type StatedAmount } from "./stated-amount.js";

export interface LineResult {
  readonly line: CompiledLine;
  readonly counter: number;
  readonly label: Texts;
  readonly amount: Amount | undefined;
  readonly per: Quantity | undefined;
  readonly value: Exact | undefined;
  readonly taxType: string | undefined;
  readonly taxCategory: string | undefined;
  readonly manual: boolean;
  /** "SubsequentPrice" is only known once a later price has been found. */
  inactive: "NoData" | "SubsequentPrice" | undefined;
  /** Whether it is the same object for all items. */
  readonly shared: boolean;
}

const texts = new WeakMap<CompiledLine, LineResult>();
const emptySlots = new WeakMap<CompiledLine, LineResult>();

/** The result of a text or a break, shared by all items. */
export function textResult(line: CompiledLine): LineResult {
  return shared(texts, line, plainResult);
}

/** The empty slot of an always-present line, shared by all items. */
export function emptySlot(line: CompiledLine): LineResult {
  return shared(emptySlots, line, noDataResult);
}

function shared(
  known: WeakMap<CompiledLine, LineResult>,
  line: CompiledLine,
  make: (line: CompiledLine) => LineResult,
): LineResult {
  const before = known.get(line);
  if (before !== undefined) return before;
  const made = { ...make(line), shared: true };
  known.set(line, made);
  return made;
}

/** A line with a label and an optional value, such as a text or a subtotal. */
export function plainResult(line: CompiledLine, value?: Exact): LineResult {
  return {
    line,
    counter: line.line.counter,
    label: lineLabel(line),
    amount: undefined,
    per: undefined,
    value,
    taxType: undefined,
    taxCategory: undefined,
    manual: false,
    inactive: undefined,
    shared: false,
  };
}

export function noDataResult(line: CompiledLine, counter: number = line.line.counter): LineResult {
  return { ...plainResult(line), counter, inactive: "NoData" };
}

/** The result of a condition that applies. */
export function conditionResult(
  line: CompiledLine,
  counter: number,
  stated: StatedAmount,
  value: Exact,
): LineResult {
  return {
    line,
    counter,
    label: stated.label,
    amount: stated.amount,
    per: stated.per,
    value,
    taxType: stated.taxType,
    taxCategory: stated.taxCategory,
    manual: stated.manual,
    inactive: undefined,
    shared: false,
  };
}
