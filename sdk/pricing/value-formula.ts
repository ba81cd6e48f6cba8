/** Compiles formulas of lines once for all items, and evaluates them with exact decimals. */

import { Exact, zero } from "../locale/exact.js";
import type { ProcedureLine } from "../project/document.js";
import { shownValue } from "../schema/violation.js";
import { type Assignment, type Expression, FormulaFault, namesRead, parseFormula } from "./parse-formula.js";
import type { Rounding } from "./rounding.js";

/** The input of a formula; undefined: the line has no such number. */
export interface FormulaInput {
  /** The running sum at the line. */
  netval: Exact;
  /** The value of the referenced lines, or the base of the percentage. */
  base: Exact | undefined;
  /** The value of the line without the formula. */
  value: Exact | undefined;
  /** The stated amount of a condition; a percentage as a fraction. */
  amount?: Exact | undefined;
  /** The quantity of the item. */
  qty?: Exact | undefined;
  /** One unit of the item. */
  unitsz?: Exact | undefined;
  /** The quantity that the amount refers to. */
  qtyrel?: Exact | undefined;
}

/** The result of a formula. */
export interface FormulaResult {
  /** If not assigned, that of the input. */
  value: Exact | undefined;
  amount: Exact | undefined;
  qtyrel: Exact | undefined;
}

/** One formula of a line. */
export interface LineFormula {
  /** The text shown in messages. */
  readonly shown: string;
  /** If false, the formula cannot be computed for any item. */
  readonly isReadable: boolean;
  /** Whether it needs an amount, which not every line has. */
  readonly needsAmount: boolean;
  /** @throws FormulaFault if it cannot be computed */
  compute(input: FormulaInput, rounding: Rounding): FormulaResult;
}

/** The formulas of a line by level; of several for one level, the last one is used, as in files. */
export function formulasOf({
  formulas = [],
}: ProcedureLine): Partial<Record<"item" | "aggregate", LineFormula>> {
  return Object.fromEntries(formulas.map(({ level, text }) => [level, lineFormula(text)]));
}

/** Means that the amount refers to no quantity, as for a percentage. */
const noQuantity = "Packages.egr.eai.types.Quantity.INVALID";

/**
 * Amounts of projects have at most 20 digits before the decimal point; far larger numbers are meaningless.
 */
const largestExponent = 60;
const mostDigits = 20;
const largestAmount = new Exact(10).pow(mostDigits);

function lineFormula(text: string): LineFormula {
  const shown = shownValue(text.trim());
  let statements: readonly Assignment[];
  try {
    statements = parseFormula(text);
  } catch (error) {
    if (!(error instanceof FormulaFault)) throw error;
    const fault = error;
    const compute = (): never => {
      throw fault;
    };
    return { shown, isReadable: false, needsAmount: false, compute };
  }
  return {
    shown,
    isReadable: true,
    needsAmount: namesRead(statements).has("amount"),
    compute: (input, rounding) => new Computation(input, rounding).run(statements),
  };
}

/** Decimal methods that files may call, besides `round`; the parameter count is the number of arguments. */
const methods = new Map<string, (on: Exact, other: Exact) => Exact>([
  ["add", (on, other) => on.plus(other)],
  ["subtract", (on, other) => on.minus(other)],
  ["multiply", (on, other) => on.times(other)],
  ["divide", quotient],
  ["min", (on, other) => Exact.min(on, other)],
  ["max", (on, other) => Exact.max(on, other)],
  ["negate", (on) => on.negated()],
  ["abs", (on) => on.abs()],
]);

function quotient(on: Exact, other: Exact): Exact {
  if (other.isZero()) throw new FormulaFault("it divides by zero");
  return on.div(other);
}

class Computation {
  private readonly names = new Map<string, Exact | undefined>();
  private readonly stated = new Set<string>();

  constructor(
    input: FormulaInput,
    private readonly rounding: Rounding,
  ) {
    for (const [name, value] of Object.entries(input)) this.names.set(name, value);
  }

  run(statements: readonly Assignment[]): FormulaResult {
    for (const { target, expression } of statements) {
      const none = expression.kind === "name" && expression.name === noQuantity;
      this.names.set(target, none ? undefined : this.number(expression));
      this.stated.add(target);
    }
    if (!this.stated.has("value") && !this.stated.has("amount")) {
      throw new FormulaFault("it states neither value nor amount");
    }
    const qtyrel = this.stated.has("qtyrel") ? this.result("qtyrel") : undefined;
    if (qtyrel !== undefined && !qtyrel.gt(zero)) throw new FormulaFault("qtyrel is not above zero");
    const amount = this.stated.has("amount") ? this.result("amount") : undefined;
    return { value: this.result("value"), amount, qtyrel };
  }

  private result(name: string): Exact | undefined {
    const value = this.names.get(name);
    if (value?.abs().gte(largestAmount)) {
      throw new FormulaFault(`${name} has more than ${mostDigits} digits`);
    }
    return value;
  }

  private number(expression: Expression): Exact {
    const value = this.unchecked(expression);
    if (!value.isFinite() || value.e > largestExponent) throw new FormulaFault("a number grows too large");
    return value;
  }

  private unchecked(expression: Expression): Exact {
    switch (expression.kind) {
      case "number":
        return new Exact(expression.text);
      case "negative":
        return this.number(expression.of).negated();
      case "name":
        return this.named(expression.name);
      case "call": {
        const on = this.number(expression.on);
        const others = expression.arguments.map((each) => this.number(each));
        return this.call(expression.method, on, others);
      }
    }
  }

  private named(name: string): Exact {
    const value = this.names.get(name);
    if (value !== undefined) return value;
    throw new FormulaFault(
      this.names.has(name) ? `${name} has no value here` : `the name ${shownValue(name)} is not known`,
    );
  }

  private call(name: string, on: Exact, others: readonly Exact[]): Exact {
    if (name === "round") return this.rounded(on, others);
    const method = methods.get(name);
    if (method === undefined) throw new FormulaFault(`the method ${shownValue(name)} is not known`);
    const [other = zero] = others;
    const expected = method.length - 1;
    if (others.length !== expected) {
      throw new FormulaFault(`${name} takes ${expected} values, not ${others.length}`);
    }
    return method(on, other);
  }

  /** Rounds to the smallest amount of money, or to a number of decimal places. */
  private rounded(on: Exact, [places, ...more]: readonly Exact[]): Exact {
    if (places === undefined) return this.rounding.round(on);
    if (more.length > 0 || !places.isInteger() || places.lt(0) || places.gt(18)) {
      throw new FormulaFault("round takes a number of decimal places from 0 to 18");
    }
    return this.rounding.toMultiple(on, new Exact(10).pow(places.negated()));
  }
}
