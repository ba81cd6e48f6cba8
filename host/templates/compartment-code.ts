/**
 * Makes code fit for a compartment. That refuses source whose text looks like a comment of HTML, an import or a direct
 * eval, wherever it is. In texts and regular expressions an escape sequence means the same; comments are not needed.
 */
import type { AnyNode } from "acorn";
import type { Syntax, SyntaxMistake } from "./template-syntax.js";

/** What a compartment refuses, and imports of kinds that it does not know. */
const refusedInTexts = /<!--|-->|\bimport(?=\s*[(./])|\beval(?=\s*\()/g;
/** What it refuses where there are neither texts nor comments: operators side by side, and methods of these names. */
const refusedInCode = /-->|(?<!\.)\b(?:import|eval)(?=\s*\()/;

interface Part {
  start: number;
  end: number;
}

/** Code with the same meaning and the same lines, or what cannot be written otherwise. */
export function compartmentCode(
  code: string,
  { nodes, comments }: Syntax,
): { code: string } | { mistake: SyntaxMistake } {
  const replaced = new Map<Part, string>();
  for (const node of nodes) if (isText(node)) replaced.set(node, escaped(code.slice(node.start, node.end)));
  for (const comment of comments) replaced.set(comment, blank(code.slice(comment.start, comment.end)));
  const mistake = taggedText(code, nodes) ?? refusedName(code, [...replaced.keys()]);
  if (mistake) return { mistake };
  return { code: withParts(code, replaced) };
}

function isText(node: AnyNode): boolean {
  if (node.type === "Literal") return typeof node.value === "string" || node.regex !== undefined;
  return node.type === "TemplateElement";
}

/**
 * Escapes the last character: the one before it does not make it part of an escape sequence or of the syntax of regular
 * expressions.
 */
function escaped(text: string): string {
  return text.replaceAll(refusedInTexts, (found) => {
    const last = found.charCodeAt(found.length - 1).toString(16);
    return `${found.slice(0, -1)}\\x${last}`;
  });
}

/** Lines end where they did. */
function blank(text: string): string {
  return text.replaceAll(/[^\n\r\u2028\u2029]/g, " ");
}

function withParts(code: string, replaced: ReadonlyMap<Part, string>): string {
  let result = "";
  let from = 0;
  for (const [{ start, end }, text] of [...replaced].sort(([one], [other]) => one.start - other.start)) {
    result += code.slice(from, start) + text;
    from = end;
  }
  return result + code.slice(from);
}

/** A tag also gets the text as it is written, which an escape sequence would change. */
function taggedText(code: string, nodes: readonly AnyNode[]): SyntaxMistake | undefined {
  for (const node of nodes) {
    const parts = node.type === "TaggedTemplateExpression" ? node.quasi.quasis : [];
    for (const { start, end } of parts) {
      const index = code.slice(start, end).search(refusedInTexts);
      const message = "comments of HTML, import and eval are refused in a template literal with a tag";
      if (index >= 0) return { offset: start + index, message };
    }
  }
  return undefined;
}

function refusedName(code: string, parts: readonly Part[]): SyntaxMistake | undefined {
  const without = withParts(code, new Map(parts.map((part) => [part, "_".repeat(part.end - part.start)])));
  const found = refusedInCode.exec(without);
  if (found === null) return undefined;
  const [text] = found;
  const message =
    text === "-->"
      ? '"-->" is refused in code: write "-- >"'
      : `${text} is refused as the name of a function`;
  return { offset: found.index, message };
}
