/** Calculates the formulas of a sheet as a spreadsheet program does, to compare them with what stands in their cells. */
import type { CellValue } from "hucre";

/** The value of a cell; row and column from 0. */
export type ReadCell = (row: number, column: number) => CellValue | undefined;

/** What a formula gives; fails for what the sheets of an export do not use. */
export function calculated(formula: string, read: ReadCell): number {
  const parser = new Parser(formula, read);
  const value = parser.sum();
  parser.end();
  return value;
}

class Parser {
  private readonly tokens: string[];

  constructor(
    private readonly formula: string,
    private readonly read: ReadCell,
  ) {
    this.tokens = formula.match(/"[^"]*"|[A-Z]+\d+|[A-Z]+|\d+(?:\.\d+)?|[-+*/(),:]/g) ?? [];
    if (this.tokens.join("") !== formula) throw new Error(`What is ${formula}?`);
  }

  sum(): number {
    let value = this.product();
    for (let next = this.tokens[0]; next === "+" || next === "-"; next = this.tokens[0]) {
      this.take(next);
      value += (next === "+" ? 1 : -1) * this.product();
    }
    return value;
  }

  end(): void {
    if (this.tokens.length > 0) throw new Error(`What is ${this.tokens.join("")} in ${this.formula}?`);
  }

  private product(): number {
    let value = this.factor();
    for (let next = this.tokens[0]; next === "*" || next === "/"; next = this.tokens[0]) {
      this.take(next);
      value = next === "*" ? value * this.factor() : value / this.factor();
    }
    return value;
  }

  private factor(): number {
    const token = this.tokens.shift() ?? "";
    if (token === "ROUND") return this.rounded();
    if (token === "SUMIF") return this.sumIf();
    if (/^\d/.test(token)) return Number(token);
    const [row, column] = place(token);
    return number(this.read(row, column));
  }

  private rounded(): number {
    this.take("(");
    const value = this.sum();
    this.take(",");
    const digits = 10 ** this.sum();
    this.take(")");
    // Spreadsheets round the decimal number that they show, half away from zero.
    return (Math.sign(value) * Math.round(Number((Math.abs(value) * digits).toPrecision(14)))) / digits;
  }

  private sumIf(): number {
    this.take("(");
    const marks = this.range();
    this.take(",");
    const wanted = (this.tokens.shift() ?? "").slice(1, -1);
    this.take(",");
    const summed = this.range();
    this.take(")");
    return summed.reduce<number>(
      (sum, value, index) => sum + (marks[index] === wanted ? number(value) : 0),
      0,
    );
  }

  private range(): (CellValue | undefined)[] {
    const [first, column] = place(this.tokens.shift() ?? "");
    this.take(":");
    const [last] = place(this.tokens.shift() ?? "");
    return Array.from({ length: last - first + 1 }, (_, index) => this.read(first + index, column));
  }

  private take(token: string): void {
    const next = this.tokens.shift();
    if (next !== token) throw new Error(`Not ${token} but ${next} in ${this.formula}`);
  }
}

function number(value: CellValue | undefined): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== "number") throw new Error(`${JSON.stringify(value)} is no number`);
  return value;
}

/** Row and column of "C7" from 0. */
function place(address: string): [row: number, column: number] {
  const [, letters = "", digits = ""] = /^([A-Z]+)(\d+)$/.exec(address) ?? [];
  if (digits === "") throw new Error(`${address} is no cell`);
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return [Number(digits) - 1, column - 1];
}
