/** Finds errors that prevent a pricing procedure from being evaluated. */
import type { PricingProcedure, ProcedureLine } from "../project/document.js";
import type { Violation } from "../schema/violation.js";
import { marginOf } from "./procedures.js";

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
