import { type Static, shortened, Type } from "@slipway/sdk";
import { orUndefined } from "../system/or-undefined.js";

/** A mistake in a file of a template. */
export const TemplateProblem = Type.Object(
  {
    file: Type.String({
      description:
        'Path below the template\'s folder, or below the shared one that the file comes from: "_standard/style.css". Empty for the folder itself.',
    }),
    line: orUndefined(Type.Integer({ minimum: 1 })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: "In characters." })),
    pointer: Type.Optional(Type.String({ description: "JSON pointer of the value, in JSON files." })),
    message: Type.String(),
    excerpt: Type.Optional(Type.String({ description: "The line itself." })),
  },
  { title: "TemplateProblem" },
);
export type TemplateProblem = Static<typeof TemplateProblem>;

/**
 * Such as `report.ejs:12: d.itms is not iterable`, or `report.ejs:12:7: Unexpected token`. The column is left out where
 * the message names the place, as in values of JSON files.
 */
export function describeProblem(problem: TemplateProblem): string {
  const { file, line, column, pointer, message } = problem;
  if (file === "") return message;
  const place = [file, line, pointer === undefined ? column : undefined];
  return `${place.filter((part) => part !== undefined).join(":")}: ${message}`;
}

/** One line per problem. */
export function describeProblems(problems: readonly TemplateProblem[]): string {
  return problems.map(describeProblem).join("\n");
}

const longestExcerpt = 200;

/** Adds the text of the line, if the file has it. */
export function withExcerpt(problem: TemplateProblem, text: string | undefined): TemplateProblem {
  if (text === undefined || problem.line === undefined) return problem;
  const line = lineOf(text, problem.line).trimEnd();
  return line.trim() === "" ? problem : { ...problem, excerpt: shortened(line, longestExcerpt) };
}

function lineOf(text: string, number: number): string {
  let start = 0;
  for (let line = 1; line < number; line++) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return "";
  }
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? undefined : end);
}
