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

/** `d`, escaping, partials, error handler, output limit handler, and the receiver of the line function. */
const parameters = ["d", "escapeFn", "include", "rethrow", "exceeded", "began"];

/** `strict` makes the source valid for a compartment; `outputLimit` is in characters. */
export function compileTemplateFile(
  file: string,
  text: string,
  options: { strict: boolean; outputLimit: number },
): { source: TemplateSource } | { problem: TemplateProblem } {
  const generated = generateCode(text);
  if ("refusal" in generated) return { problem: unclosedTag(file, text, generated.refusal) };
  const code = options.strict ? withoutRefusedText(generated.code) : generated.code;
  const mistake = syntaxMistake(code);
  if (mistake) {
    const line = mistake.line === undefined ? undefined : Math.min(mistake.line, lastLine(text));
    return { problem: { file, message: mistake.message, line } };
  }
  return { source: functionSource(code, options.outputLimit) };
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
    return { line: templateLine(code.split("\n").slice(0, stopped - 1)), message: error.message };
  }
}

/** A mark names the line of the following code; lines within one tag have no marks. */
function templateLine(generated: string[]): number {
  let line = 1;
  for (const text of generated) {
    const mark = /^ {4}; __line = (\d+)$/.exec(text)?.[1];
    if (mark !== undefined) line = Number(mark);
    else if (!text.startsWith("    ; ")) line++;
  }
  return line;
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
