/** Translates EJS files to JavaScript source; does not execute template code. */
import { compileFunction } from "node:vm";
import ejs from "ejs";
import { errorMessage } from "../system/errors.js";
import type { TemplateProblem } from "./template-problem.js";

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
  const generated = generateCode(text);
  if ("refusal" in generated) return { problem: unclosedTag(file, text, generated.refusal) };
  const code = options.strict ? withoutRefusedText(generated.code) : generated.code;
  const mistake = syntaxMistake(code);
  if (mistake) {
    const line = mistake.line === undefined ? undefined : Math.min(mistake.line, lastLine(text));
    return { problem: { file, message: mistake.message, line } };
  }
  const reviewed = options.review?.(code, linesOf(code.split("\n"))) ?? code;
  return { source: functionSource(reviewed, options.outputLimit) };
}

/** Statements that call `__append`, `escapeFn` and `include`, and that maintain `__line`. */
function generateCode(text: string): { code: string } | { refusal: string } {
  const template = new ejs.Template(text, { strict: true, localsName: "d", compileDebug: true });
  if (!("generateSource" in template) || typeof template.generateSource !== "function") {
    throw new Error("This version of ejs cannot generate source.");
  }
  try {
    template.generateSource();
    return { code: template.source };
  } catch (error) {
    return { refusal: errorMessage(error) };
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

/**
 * A compartment refuses source that looks like an HTML comment, a dynamic import or a direct eval, even in string
 * literals. There an escape sequence is equivalent; in code it is a syntax error.
 */
function withoutRefusedText(source: string): string {
  return source
    .replaceAll("<!--", "\\x3c!--")
    .replaceAll("-->", "--\\x3e")
    .replace(/\bimport(\s*(?:\(|\/[/*]))/g, "\\x69mport$1")
    .replace(/\beval(\s*\()/g, "\\x65val$1");
}

/** The position of a syntax error, for code that is not a complete function body. */
function syntaxMistake(code: string): { line: number | undefined; message: string } | undefined {
  try {
    compileFunction(`"use strict";\n${code}`, parameters, { filename: "template" });
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return { line: undefined, message: "the code is nested too deep" };
    if (!(error instanceof SyntaxError)) throw error;
    const stopped = Number(/^template:(\d+)/.exec(error.stack ?? "")?.[1] ?? 1);
    // The first line is "use strict".
    return { line: linesOf(code.split("\n"))[stopped - 2], message: error.message };
  }
}

/** The line in the file of each line of the code. Marks name the lines of tags; other lines continue a tag. */
function linesOf(generated: readonly string[]): number[] {
  let marked = 1;
  let line = 1;
  return generated.map((text) => {
    line = text.startsWith("    ; ") ? marked : line + 1;
    const at = line;
    marked = Number(/^ {4}; __line = (\d+)$/.exec(text)?.[1] ?? marked);
    return at;
  });
}

function unclosedTag(file: string, text: string, message: string): TemplateProblem {
  for (let open = text.indexOf("<%"); open >= 0; open = text.indexOf("<%", open + 2)) {
    if (text.charAt(open + 2) === "%") continue;
    const close = text.indexOf("%>", open + 2);
    const next = text.indexOf("<%", open + 2);
    if (close < 0 || (next >= 0 && next < close)) {
      const tag = text.slice(open, open + 40).split("\n", 1)[0] ?? "";
      return { file, line: lineAt(text, open), message: `no end for the tag that begins with "${tag}"` };
    }
    open = close;
  }
  return { file, line: undefined, message };
}

function lastLine(text: string): number {
  return lineAt(text, text.endsWith("\n") ? text.length - 1 : text.length);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
