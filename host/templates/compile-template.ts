/** Translates EJS files to JavaScript source; does not execute template code. */
import { compileFunction } from "node:vm";
import { compartmentCode } from "./compartment-code.js";
import { generateCode, placeInFile } from "./generated-code.js";
import type { TemplateProblem } from "./template-problem.js";
import { mistakeInBody, readAllowedSyntax, type SyntaxMistake } from "./template-syntax.js";

/**
 * Source of a function expression with `parameters` that returns the output. It passes every error to `rethrow(error,
 * line)` with the line in the file. It first calls `began` with a function that returns the current line.
 */
export type TemplateSource = string;

/**
 * `d`, escaping, partials, error handler, output limit handler, the receiver of the line function, and what reviewed
 * code calls in loops.
 */
const parameters = ["d", "escapeFn", "include", "rethrow", "exceeded", "began", "looped"];

/** How a file is compiled. */
export interface CompileOptions {
  /** Makes the source valid for a compartment. */
  strict: boolean;
  /** In characters. */
  outputLimit: number;
  /** Takes the code and the line in the file of each of its lines; returns the code to use. */
  review?: ((code: string, lines: readonly number[]) => string) | undefined;
}

/** The source of a file, or the mistake in its syntax. */
export function compileTemplateFile(
  file: string,
  text: string,
  options: CompileOptions,
): { source: TemplateSource } | { problem: TemplateProblem } {
  const read = generateCode(text);
  if ("mistake" in read) return { problem: { file, ...read.mistake } };
  const { generated } = read;
  const checked = options.strict ? strictCode(generated.code) : compilable(generated.code);
  if ("mistake" in checked) {
    const { offset, message } = checked.mistake;
    const place = offset === undefined ? { line: undefined } : placeInFile(generated, offset);
    return { problem: { file, ...place, message } };
  }
  const reviewed = options.review?.(checked.code, generated.lines) ?? checked.code;
  return { source: functionSource(reviewed, options.outputLimit) };
}

/** Code in which the parser knows everything and nothing is refused, fit for a compartment. */
function strictCode(code: string): { code: string } | { mistake: SyntaxMistake } {
  const syntax = readAllowedSyntax(code);
  if ("message" in syntax) return { mistake: syntax };
  const fit = compartmentCode(code, syntax);
  return "mistake" in fit ? fit : compilable(fit.code, code);
}

/** `code`, if the engine compiles it. The parser finds the place of a mistake in what was `written`. */
function compilable(code: string, written = code): { code: string } | { mistake: SyntaxMistake } {
  const message = engineRefusal(code);
  if (message === undefined) return { code };
  return { mistake: mistakeInBody(written, parameters) ?? { offset: undefined, message } };
}

/** What the engine says of code that is not a complete function body in its eyes. */
function engineRefusal(code: string): string | undefined {
  try {
    compileFunction(`"use strict";\n${code}`, parameters);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return "the code is nested too deep";
    if (!(error instanceof SyntaxError)) throw error;
    return error.message;
  }
}

function functionSource(code: string, outputLimit: number): TemplateSource {
  return `(function (${parameters.join(", ")}) {
"use strict";
let __line = 1, __output = "";
began(() => __line);
function __append(text) {
  if (text === undefined || text === null) return;
  __output += text;
  if (__output.length > ${outputLimit}) exceeded();
}
try {
${code}
} catch (error) { rethrow(error, __line); }
return __output;
})`;
}
