/** A pricing procedure prepared for evaluation, once for all items, and the errors that prevent that. */
import type { ConditionType, PricingProcedure, ProcedureLine } from "../project/document.js";
import { ownMember } from "../schema/own-member.js";
import { badRequest } from "../schema/validation.js";
import type { Violation } from "../schema/violation.js";
import type { RoundingRule } from "./rounding.js";
import { formulasOf, type LineFormula } from "./value-formula.js";

/** The source of a condition's amount when it has no record. */
export type AmountSource =
  | { kind: "base" | "variant"; side: "purchase" | "sales" }
  | { kind: "tax"; taxType: string };

export interface CompiledLine {
  readonly line: ProcedureLine;
  /** Position in evaluation order. */
  readonly index: number;
  /** Only for condition lines. */
  readonly type: ConditionType | undefined;
  /** Undefined: the amount only comes from records. */
  readonly source: AmountSource | undefined;
  /** Lines that are the base of a condition, or that a subtotal adds up. */
  readonly base: readonly CompiledLine[] | undefined;
  /** Base prices of the same side before this line, to which percentage variant prices refer. */
  readonly basePrices: readonly CompiledLine[];
  /** The running sum restarts from the one after this line. */
  readonly parent: CompiledLine | undefined;
  /** Whether it is a condition whose records apply to the whole project. */
  readonly header: boolean;
  /** For a margin: an amount of money, or relative to the running sum. */
  readonly margin: "amount" | "relative" | undefined;
  /** Whether its amount is a percentage. */
  readonly percent: boolean;
  /** From its condition type or subtotal type. */
  readonly roundingRule: RoundingRule | undefined;
  /** The formulas for its value, if it is not a plain sum. */
  readonly formulas: Partial<Record<"item" | "aggregate", LineFormula>>;
  /** Whether the formula of a condition works without a stated amount. */
  readonly computesAlone: boolean;
  /** Whether another line refers to this one, so that its value must be kept. */
  readonly isReferenced: boolean;
  /** Counters for the results of this line: its own, then ones not used by other lines of the level. */
  counterOf(result: number): number;
}

/** Purchase prices must not reach customers, so callers need to distinguish the sections of a procedure. */
export type Section = "purchase" | "sales" | "summary";

export interface CompiledProcedure {
  readonly procedure: PricingProcedure;
  readonly lines: readonly CompiledLine[];
  /** By name. */
  readonly types: ReadonlyMap<string, ConditionType>;
  /** The section of the lines of a level. */
  sectionOf(level: number): Section;
  /** The line with this level and counter, or else the one with counter 0 of the level. */
  find(level: number, counter: number): CompiledLine | undefined;
}

const known = new WeakMap<PricingProcedure, CompiledProcedure>();

/**
 * Compiles once per procedure object, which must not change afterwards. A malformed procedure throws 400
 * `request-bad-request` with all its errors.
 */
export function compileProcedure(procedure: PricingProcedure): CompiledProcedure {
  const before = known.get(procedure);
  if (before !== undefined) return before;
  const faults = checkProcedure(procedure);
  if (faults.length > 0) throw badRequest(`The pricing procedure "${procedure.name}" is not valid`, faults);
  const made = compile(procedure);
  known.set(procedure, made);
  return made;
}

function compile(procedure: PricingProcedure): CompiledProcedure {
  const types = new Map(procedure.conditionTypes.map((type) => [type.name, type]));
  const isReferenced = references(procedure);
  const lines: CompiledLine[] = [];
  for (const line of sortedLines(procedure)) {
    const type = line.conditionType === undefined ? undefined : types.get(line.conditionType);
    const source = type === undefined ? undefined : amountSource(line, type);
    const formulas = formulasOf(line);
    const subtotal = subtotalTypeOf(line, procedure);
    const margin = marginOf(line, procedure);
    const parent = line.parent === undefined ? undefined : lines.findLast(atLevel(line.parent));
    lines.push({
      line,
      index: lines.length,
      type,
      source,
      base: baseLines(lines, line),
      basePrices: basePrices(lines, source),
      parent,
      header: type?.header ?? false,
      margin,
      percent: (type ?? subtotal)?.rule === "percent" || margin === "relative",
      roundingRule: (type ?? subtotal)?.roundingRule,
      formulas,
      computesAlone: formulas.item?.needsAmount === false,
      isReferenced: type?.conditionClass === "price" || isReferenced(line.level),
      counterOf: counters(
        line,
        procedure.lines.filter(({ level }) => level === line.level),
      ),
    });
  }
  const levels = byLevel(lines);
  const find = (level: number, counter: number): CompiledLine | undefined => {
    const counters = levels.get(level);
    return counters?.get(counter) ?? counters?.get(0);
  };
  return { procedure, lines, types, sectionOf: sections(lines), find };
}

/**
 * Breaks divide a procedure into sections: the one with the net value is about sales, those before it about
 * purchase, those after it are the summary.
 */
function sections(lines: readonly CompiledLine[]): (level: number) => Section {
  const net =
    lines.find(({ line }) => line.tags.includes("ITEM_NET_VALUE")) ??
    lines.find(({ line }) => line.tags.includes("NET_VALUE"));
  const breaks = lines.filter(({ line }) => line.kind === "break").map(({ line }) => line.level);
  const part = (level: number): number => breaks.filter((each) => each <= level).length;
  const sales = net && part(net.line.level);
  const sectionOf = (level: number): Section => {
    const difference = sales === undefined ? 0 : part(level) - sales;
    if (difference === 0) return "sales";
    return difference < 0 ? "purchase" : "summary";
  };
  const known = new Map(lines.map(({ line }) => [line.level, sectionOf(line.level)]));
  return (level) => known.get(level) ?? sectionOf(level);
}

/** By level and counter. */
function byLevel(lines: readonly CompiledLine[]): Map<number, Map<number, CompiledLine>> {
  const levels = new Map<number, Map<number, CompiledLine>>();
  for (const each of lines) {
    const { level, counter } = each.line;
    const counters = levels.get(level) ?? new Map<number, CompiledLine>();
    levels.set(level, counters.set(counter, each));
  }
  return levels;
}

function atLevel(level: number): (each: CompiledLine) => boolean {
  return (each) => each.line.level === level;
}

const productPriceSources: Readonly<Record<string, AmountSource>> = {
  BPR00: { kind: "base", side: "sales" },
  BPR01: { kind: "base", side: "purchase" },
  VAPR00: { kind: "variant", side: "sales" },
  VAPR01: { kind: "variant", side: "purchase" },
};

/** Determined by the access method, whose name may also be the name of a product price condition type. */
function amountSource(line: ProcedureLine, type: ConditionType): AmountSource | undefined {
  const method = line.accessMethod ?? type.name;
  const price = ownMember(productPriceSources, method);
  if (price !== undefined) return price;
  if (type.conditionClass !== "tax") return undefined;
  const taxType = type.taxType ?? /^TAX01_([A-Z]+)/.exec(method)?.[1];
  return taxType === undefined ? undefined : { kind: "tax", taxType };
}

function references({ lines }: PricingProcedure): (level: number) => boolean {
  const ranges = lines.flatMap(({ from, to, parent }) => [
    ...(from === undefined ? [] : [{ first: from, last: to ?? from }]),
    ...(parent === undefined ? [] : [{ first: parent, last: parent }]),
  ]);
  return (level) => ranges.some(({ first, last }) => level >= first && level <= last);
}

function basePrices(before: readonly CompiledLine[], source: AmountSource | undefined): CompiledLine[] {
  if (source?.kind !== "variant") return [];
  return before.filter((each) => each.source?.kind === "base" && each.source.side === source.side);
}

/** `from` alone refers to the lines of one level; with `to`, to the conditions of a range of levels. */
function baseLines(before: readonly CompiledLine[], line: ProcedureLine): CompiledLine[] | undefined {
  const { from, to } = line;
  if (from === undefined) return undefined;
  if (to === undefined) return before.filter(atLevel(from));
  return before.filter(
    (each) => each.line.kind === "condition" && each.line.level >= from && each.line.level <= to,
  );
}

/**
 * Further results of parallel lines get counters after the highest one in use, alternating between the lines.
 */
function counters(line: ProcedureLine, level: readonly ProcedureLine[]): (result: number) => number {
  const used = level.map(({ counter }) => counter).sort((a, b) => a - b);
  const first = (used.at(-1) ?? 0) + 1 + used.indexOf(line.counter);
  return (result) => (result === 0 ? line.counter : first + (result - 1) * used.length);
}

/**
 * All errors of a procedure that matches its schema: duplicate lines and condition types, unknown condition
 * types, and bases and parents that are missing, reversed, or not before their line (which would be
 * circular). Empty if it can be evaluated.
 */
export function checkProcedure(procedure: PricingProcedure): Violation[] {
  const context: Context = {
    types: new Set(procedure.conditionTypes.map(({ name }) => name)),
    levels: new Set(procedure.lines.map(({ level }) => level)),
    procedure,
  };
  return [
    ...duplicates(
      procedure.conditionTypes.map(({ name }) => name),
      (index) => `conditionTypes[${index}].name`,
      "condition type",
    ),
    ...duplicates(procedure.lines.map(place), (index) => `lines[${index}]`, "level and counter"),
    ...procedure.lines.flatMap((line, index) => lineFaults(line, `lines[${index}]`, context)),
  ];
}

interface Context {
  types: Set<string>;
  levels: Set<number>;
  procedure: PricingProcedure;
}

function place(line: ProcedureLine): string {
  return `${line.level}.${line.counter}`;
}

function duplicates(names: string[], path: (index: number) => string, what: string): Violation[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: path(index), expected: `a ${what} that occurs once`, received: name }];
  });
}

function lineFaults(line: ProcedureLine, path: string, context: Context): Violation[] {
  return [
    ...(line.kind === "condition" ? conditionTypeFaults(line, path, context) : []),
    ...rangeFaults(line, path, context),
    ...earlierFaults(line, line.parent, `${path}.parent`, context),
    ...marginFaults(line, path, context),
  ];
}

function conditionTypeFaults(line: ProcedureLine, path: string, { types }: Context): Violation[] {
  const name = line.conditionType;
  if (name !== undefined && types.has(name)) return [];
  return [
    {
      path: `${path}.conditionType`,
      expected: "the name of a condition type of the procedure",
      received: name ?? "nothing",
    },
  ];
}

/** The ends of a range need not exist as lines, but the range must be before the line. */
function rangeFaults(line: ProcedureLine, path: string, context: Context): Violation[] {
  const { from, to, level } = line;
  if (to === undefined) return earlierFaults(line, from, `${path}.from`, context);
  if (from === undefined) {
    return [{ path: `${path}.from`, expected: `a level, since "to" is ${to}`, received: "nothing" }];
  }
  if (from > to) {
    return [{ path: `${path}.from`, expected: `a level of at most ${to}`, received: String(from) }];
  }
  if (to >= level) return [{ path: `${path}.to`, expected: `a level before ${level}`, received: String(to) }];
  return [];
}

function earlierFaults(
  line: ProcedureLine,
  other: number | undefined,
  path: string,
  context: Context,
): Violation[] {
  if (other === undefined || (other < line.level && context.levels.has(other))) return [];
  return [{ path, expected: `the level of a line before ${place(line)}`, received: String(other) }];
}

function marginFaults(line: ProcedureLine, path: string, { procedure }: Context): Violation[] {
  if (marginOf(line, procedure) === undefined || line.from !== undefined) return [];
  if (line.formulas?.some(({ level }) => level === "item")) return [];
  return [{ path: `${path}.from`, expected: "the level that the margin is above", received: "nothing" }];
}

type SubtotalType = NonNullable<PricingProcedure["subtotalTypes"]>[number];

/** The lines in the order of evaluation. */
export function sortedLines(procedure: PricingProcedure): ProcedureLine[] {
  return [...procedure.lines].sort((a, b) => a.level - b.level || a.counter - b.counter);
}

/** The type that a subtotal of the procedure names. */
function subtotalTypeOf(line: ProcedureLine, procedure: PricingProcedure): SubtotalType | undefined {
  if (line.kind !== "subtotal" || line.subtotalType === undefined) return undefined;
  return procedure.subtotalTypes?.find(({ name }) => name === line.subtotalType);
}

/**
 * Whether a subtotal is a margin: by its subtotal type, where the procedure lacks it by the names that project files
 * use, or by its tags.
 */
function marginOf(line: ProcedureLine, procedure: PricingProcedure): "amount" | "relative" | undefined {
  if (line.kind !== "subtotal") return undefined;
  const type = subtotalTypeOf(line, procedure);
  if (type?.margin) return type.rule === "percent" ? "relative" : "amount";
  if (line.subtotalType === "PMQ" || line.tags.includes("MARGIN_QTY")) return "amount";
  if (line.subtotalType === "PMP" || line.tags.includes("MARGIN_REL")) return "relative";
  return undefined;
}
