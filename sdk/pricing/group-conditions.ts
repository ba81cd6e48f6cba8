/** Conditions for the whole project that are distributed to its items, and taxes rounded on the total. */

import { type Exact, sum, zero } from "../locale/exact.js";
import type { CompiledLine } from "./compiled-procedure.js";
import {
  applyAmount,
  isForbiddenDiscount,
  isUsable,
  itemCondition,
  partOf,
  roundingDifference,
} from "./item-conditions.js";
import type { ItemState } from "./item-state.js";
import { distribute, proportional } from "./rounding.js";
import { type AmountSources, amountsOf, headerAmountsOf, type StatedAmount } from "./stated-amount.js";

export interface States {
  /** Items included in the totals. */
  readonly counted: readonly ItemState[];
  /** Alternative, optional and pseudo items: each has its sheet as if it were the only item. */
  readonly apart: readonly ItemState[];
}

/** An amount of the header sheet, with its line and counter. */
export interface HeaderAmount {
  readonly counter: number;
  readonly stated: StatedAmount;
}

/** Evaluates a header condition for all items; returns the amounts for the header sheet. */
export function headerCondition(line: CompiledLine, states: States, sources: AmountSources): HeaderAmount[] {
  const amounts = headerAmountsOf(line, sources);
  if (amounts.length === 0) for (const state of all(states)) state.absent(line);
  return amounts.map((stated, index) => {
    const counter = line.counterOf(index);
    if (isUsable(line, stated)) spread(line, counter, stated, states, sources);
    else for (const state of all(states)) state.excluded(line, counter);
    return { counter, stated };
  });
}

/**
 * Evaluates a percentage tax that is rounded on the total of each category and rate; the items' taxes add up
 * to that total.
 */
export function aggregateTax(line: CompiledLine, states: States, sources: AmountSources): void {
  const groups = new Map<string, { stated: StatedAmount; members: ItemState[] }>();
  for (const state of states.counted) {
    const [stated, further] = amountsOf(line, state.position, sources);
    if (stated?.amount?.kind !== "percentage" || further !== undefined) {
      itemCondition(line, state, sources);
      continue;
    }
    const key = `${stated.taxCategory} ${stated.amount.value}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { stated, members: [state] });
    else group.members.push(state);
  }
  for (const { stated, members } of groups.values()) {
    share(line, line.line.counter, stated, members, shares(line, stated, members, sources), sources);
  }
  for (const state of states.apart) itemCondition(line, state, sources);
}

function all({ counted, apart }: States): ItemState[] {
  return [...counted, ...apart];
}

function spread(
  line: CompiledLine,
  counter: number,
  stated: StatedAmount,
  { counted, apart }: States,
  sources: AmountSources,
): void {
  const eligible: ItemState[] = [];
  for (const state of counted) {
    if (isForbiddenDiscount(line, stated.number, state)) state.excluded(line, counter);
    else eligible.push(state);
  }
  const ofTotal = isOfTotal(line, stated);
  if (ofTotal && eligible.length === 0 && counted.length > 0) {
    const message = `No item can take a part of the amount at ${line.line.level}.${counter}; it is left out`;
    sources.errors.add(undefined, message, { scope: "WARN" });
  }
  for (const state of apart) {
    if (ofTotal || state.position.role !== "priced") state.excluded(line, counter);
    else applyAmount(line, counter, stated, state, sources);
  }
  const roundEach = !ofTotal && line.type?.distributeResidue === false;
  if (roundEach) for (const state of eligible) applyAmount(line, counter, stated, state, sources);
  else share(line, counter, stated, eligible, shares(line, stated, eligible, sources), sources);
}

/** Whether it is an amount of money for the whole project, which single items do not have. */
function isOfTotal(line: CompiledLine, stated: StatedAmount): boolean {
  const rule = line.type?.rule;
  if (line.formulas.item !== undefined) return false;
  return (
    stated.amount?.kind === "money" && (rule === "fixedAmount" || rule === "percent" || rule === "rounding")
  );
}

/** The unrounded share of each item; undefined if the condition does not apply to it. */
function shares(
  line: CompiledLine,
  stated: StatedAmount,
  states: readonly ItemState[],
  sources: AmountSources,
): (Exact | undefined)[] {
  if (!isOfTotal(line, stated)) return states.map((state) => partOf(line, stated, state, sources));
  const bases = states.map((state) => state.baseOf(line));
  const exact =
    line.type?.rule === "rounding"
      ? roundingDifference(line, sum(bases), stated.number, sources)
      : stated.number;
  // Weighted by absolute values, because credits have negative ones: no share may exceed the total.
  return proportional(
    sources.rounding.by(line.roundingRule).round(exact),
    bases.map((base) => base.abs()),
  );
}

function share(
  line: CompiledLine,
  counter: number,
  stated: StatedAmount,
  states: readonly ItemState[],
  exact: readonly (Exact | undefined)[],
  sources: AmountSources,
): void {
  const rounding = sources.rounding.by(line.roundingRule);
  const total = rounding.round(sum(exact.map((each) => each ?? zero)));
  const parts = distribute(
    total,
    states.map((state, index) => ({ id: state.position.item.id, exact: exact[index] ?? zero })),
    rounding,
  );
  // A lump sum is not a unit price, so items only show their share of it.
  const ofItem = isOfTotal(line, stated) ? { ...stated, amount: undefined, per: undefined } : stated;
  for (const [index, state] of states.entries()) {
    if (exact[index] === undefined) state.excluded(line, counter);
    else state.apply(line, counter, ofItem, parts[index] ?? zero);
  }
}
