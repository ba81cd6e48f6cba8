/**
 * The code that EJS generates from a template file, and where in the file its parts are. No document of EJS promises the form
 * of this code, nor the method that generates it; its version comes with the host, and the tests of templates hold each place.
 */
import ejs from "ejs";
import { errorMessage } from "../system/errors.js";
import type { TemplateProblem } from "./template-problem.js";
import { lineStarts, placeAt } from "./text-place.js";

/** Statements that call `__append`, `escapeFn` and `include`, and that maintain `__line`. */
export interface GeneratedCode {
  code: string;
  /** The line in the file of each line of the code. */
  lines: readonly number[];
  /** The text of the file. */
  text: string;
}

type Place = Pick<TemplateProblem, "line" | "column">;

/** The code, or the tag that does not end. */
export function generateCode(
  text: string,
): { generated: GeneratedCode } | { mistake: Place & { message: string } } {
  const template = new ejs.Template(text, { strict: true, localsName: "d", compileDebug: true });
  if (!("generateSource" in template) || typeof template.generateSource !== "function") {
    throw new Error("This version of ejs cannot generate source.");
  }
  try {
    template.generateSource();
  } catch (error) {
    return { mistake: unclosedTag(text, errorMessage(error)) };
  }
  const code = template.source;
  return { generated: { code, lines: linesOf(code.split("\n")), text } };
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

/** Where an offset of the code is in the file; only the line is known outside of tags. */
export function placeInFile(generated: GeneratedCode, offset: number): Place {
  const { code, lines, text } = generated;
  const starts = lineStarts(text);
  const inFile = offsetInFile(generated, offset);
  if (inFile !== undefined) return placeAt(text, starts, inFile);
  const line = lines[placeAt(code, lineStarts(code), offset).line - 1];
  const last = starts.length - (text.endsWith("\n") ? 1 : 0);
  return { line: line && Math.min(line, last) };
}

/** How the code of a tag begins, by what its text begins with. */
const beginnings: ReadonlyMap<string, string> = new Map([
  ["<%", "\n    ; "],
  ["<%_", "\n    ; "],
  ["<%=", "\n    ; __append(escapeFn("],
  ["<%-", "\n    ; __append("],
]);

/** Tags have their code in the order of the file, each from the beginning of a line. */
function offsetInFile({ code, text }: GeneratedCode, offset: number): number | undefined {
  const all = `\n${code}`;
  let from = 0;
  for (const { opening, begin, content } of tagsOf(text)) {
    const beginning = beginnings.get(opening);
    if (beginning === undefined) continue;
    const found = all.indexOf(`${beginning}${withoutEnd(content)}`, from);
    if (found < 0) return undefined;
    // The code has no line break before its first line.
    const start = found + beginning.length - 1;
    if (offset < start) return undefined;
    const inTag = Math.min(offset - start, content.length);
    if (!code.slice(start + inTag, offset).includes("\n")) return begin + inTag;
    from = start;
  }
  return undefined;
}

interface Tag {
  opening: string;
  /** The offset of its content. */
  begin: number;
  content: string;
}

/** The tags of a file in which EJS has found their ends. */
function* tagsOf(text: string): Generator<Tag> {
  let from = 0;
  for (let at = text.indexOf("<%"); at >= 0; at = text.indexOf("<%", from)) {
    const third = text.charAt(at + 2);
    const opening = third !== "" && "=-_#".includes(third) ? `<%${third}` : "<%";
    const begin = at + opening.length;
    from = begin;
    if (third === "%") continue;
    const close = text.indexOf("%>", begin);
    if (close < 0) return;
    const isTrimming = "-_".includes(text.charAt(close - 1)) && close > begin;
    yield { opening, begin, content: text.slice(begin, isTrimming ? close - 1 : close) };
    from = close + 2;
  }
}

/** EJS leaves out a last semicolon. */
function withoutEnd(content: string): string {
  const text = content.trimEnd();
  return text.endsWith(";") ? text.slice(0, -1) : text;
}

function unclosedTag(text: string, message: string): Place & { message: string } {
  const starts = lineStarts(text);
  for (let open = text.indexOf("<%"); open >= 0; open = text.indexOf("<%", open + 2)) {
    if (text.charAt(open + 2) === "%") continue;
    const close = text.indexOf("%>", open + 2);
    const next = text.indexOf("<%", open + 2);
    if (close < 0 || (next >= 0 && next < close)) {
      const tag = text.slice(open, open + 40).split("\n", 1)[0] ?? "";
      return { ...placeAt(text, starts, open), message: `no end for the tag that begins with "${tag}"` };
    }
    open = close;
  }
  return { line: undefined, message };
}
