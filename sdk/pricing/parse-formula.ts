/**
 * Parses the formulas of project files: statements such as `value = netval.subtract(base).round();`. Files
 * only use assignments and method calls on decimal numbers; all other syntax is rejected.
 */

/** An expression of a formula. */
export type Expression =
  | { kind: "number"; text: string }
  | { kind: "name"; name: string }
  | { kind: "negative"; of: Expression }
  | { kind: "call"; on: Expression; method: string; arguments: readonly Expression[] };

/** `target = expression`. */
export interface Assignment {
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
export function parseFormula(text: string): readonly Assignment[] {
  if (text.length > longestFormula) throw new FormulaFault(`it has more than ${longestFormula} characters`);
  return new FormulaParser(tokensOf(text)).statements();
}

/** All names that a formula reads before assigning them. */
export function namesRead(statements: readonly Assignment[]): ReadonlySet<string> {
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
