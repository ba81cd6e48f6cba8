/**
 * Formulas of lines, parsed and compiled once for all items, and evaluated with exact decimals. Files only use statements such as
 * `value = netval.subtract(base).round();`: assignments and method calls on decimal numbers; all other syntax is rejected.
 */
import { Exact, zero } from "../locale/exact.js";
import type { ProcedureLine } from "../project/document.js";
import { shownValue } from "../schema/violation.js";
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

/** An expression of a formula. */
type Expression =
  | { kind: "number"; text: string }
  | { kind: "name"; name: string }
  | { kind: "negative"; of: Expression }
  | { kind: "call"; on: Expression; method: string; arguments: readonly Expression[] };

/** `target = expression`. */
interface Assignment {
  readonly target: string;
  readonly expression: Expression;
}

/** The reason why a formula cannot be computed. */
export class FormulaFault extends Error {}

const longestFormula = 2000;
const deepestNesting = 32;

/**
 * Parses the statements of a formula.
 * @throws FormulaFault
 */
function parseFormula(text: string): readonly Assignment[] {
  if (text.length > longestFormula) throw new FormulaFault(`it has more than ${longestFormula} characters`);
  return new FormulaParser(tokensOf(text)).statements();
}

/** All names that a formula reads before assigning them. */
function namesRead(statements: readonly Assignment[]): ReadonlySet<string> {
  const stated = new Set<string>();
  const read = new Set<string>();
  for (const { target, expression } of statements) {
    for (const name of namesOf(expression)) if (!stated.has(name)) read.add(name);
    stated.add(target);
  }
  return read;
}

function namesOf(expression: Expression): string[] {
  switch (expression.kind) {
    case "number":
      return [];
    case "name":
      return [expression.name];
    case "negative":
      return namesOf(expression.of);
    case "call":
      return [expression.on, ...expression.arguments].flatMap(namesOf);
  }
}

/** The parser joins dotted names (`Packages.egr.eai.types.Quantity.INVALID`). */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const pattern = /\s*(?:([A-Za-z_$][\w$]*|\d+(?:\.\d+)?|[=.,;()-])|(\S))/uy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, token, unknown] = match;
    if (unknown !== undefined) throw new FormulaFault(`"${unknown}" is not part of such formulas`);
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

class FormulaParser {
  private place = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly string[]) {}

  statements(): Assignment[] {
    const found: Assignment[] = [];
    while (this.place < this.tokens.length) {
      if (this.takes(";")) continue;
      const target = this.name();
      this.expect("=");
      found.push({ target, expression: this.expression() });
      if (this.place < this.tokens.length) this.expect(";");
    }
    if (found.length === 0) throw new FormulaFault("it is empty");
    return found;
  }

  private expression(): Expression {
    this.depth += 1;
    if (this.depth > deepestNesting) throw new FormulaFault(`it is nested more than ${deepestNesting} deep`);
    const found: Expression = this.takes("-") ? { kind: "negative", of: this.expression() } : this.calls();
    this.depth -= 1;
    return found;
  }

  /** `netval.subtract(base).round()`. */
  private calls(): Expression {
    let found = this.operand();
    // A call chain becomes a tree of the same depth.
    for (let length = 1; this.takes("."); length += 1) {
      if (length > deepestNesting) throw new FormulaFault(`it chains more than ${deepestNesting} calls`);
      const method = this.name();
      if (this.takes("(")) found = { kind: "call", on: found, method, arguments: this.list() };
      else if (found.kind === "name") found = { kind: "name", name: `${found.name}.${method}` };
      else throw new FormulaFault(`"${method}" is not called`);
    }
    return found;
  }

  private operand(): Expression {
    if (this.takes("(")) {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    const token = this.tokens[this.place];
    if (token !== undefined && /^\d/.test(token)) {
      this.place += 1;
      if (token.length > 40) throw new FormulaFault("it has a number of more than 40 characters");
      return { kind: "number", text: token };
    }
    return { kind: "name", name: this.name() };
  }

  /** The arguments of a call. */
  private list(): Expression[] {
    if (this.takes(")")) return [];
    const found = [this.expression()];
    while (this.takes(",")) found.push(this.expression());
    this.expect(")");
    return found;
  }

  private name(): string {
    const token = this.tokens[this.place];
    if (token === undefined || !/^[A-Za-z_$]/.test(token)) throw this.unexpected("a name");
    this.place += 1;
    return token;
  }

  private takes(token: string): boolean {
    if (this.tokens[this.place] !== token) return false;
    this.place += 1;
    return true;
  }

  private expect(token: string): void {
    if (!this.takes(token)) throw this.unexpected(`"${token}"`);
  }

  private unexpected(expected: string): FormulaFault {
    const token = this.tokens[this.place];
    return new FormulaFault(
      `expected ${expected}, but there is ${token === undefined ? "its end" : `"${token}"`}`,
    );
  }
}
