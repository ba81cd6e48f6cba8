import { errorMessage } from "../errors.js";
import { trimmedEnd } from "../trimmed-end.js";
import type { Text } from "./document.js";
import { htmlToPlain, xmlToPlain } from "./markup-text.js";

/** Plain text of rich text that is written as JSON, as editors store it. */
const maximumDepth = 100;

const textMembers = ["text", "insert", "value"];

const childMembers = ["ops", "blocks", "children", "content", "root", "document", "nodes"];

/** Kinds of node that stand on lines of their own. */
const block =
  /^(paragraph|p|heading|h[1-6]|header|line|block|list|list-?item|li|blockquote|quote|div|row|unstyled)/i;

const lineBreak = /^(br|break|hard-?break|line-?break)$/i;

/** A text whose value does not follow its format. */
export class UnreadableText extends Error {
  /** Always "UnreadableText", as stacks and logs show it. */
  override readonly name = "UnreadableText";

  constructor(
    /** The text that cannot be read. */
    readonly text: Text,
    cause: unknown,
  ) {
    const reason = errorMessage(cause);
    super(`the ${text.format ?? "plain"} text in language "${text.lang}" is malformed: ${reason}`, { cause });
  }
}

/**
 * The plain text of a text of any format, with line feeds between lines and without blanks around it. Control
 * characters are left out.
 * @throws {@link UnreadableText} where an `iml`, `xml` or `json` value is not well formed
 */
export function plainText(text: Text): string {
  return tidy(rendered(text));
}

function rendered(text: Text): string {
  if (text.value.trim() === "") return "";
  try {
    switch (text.format) {
      case "html":
        return htmlToPlain(text.value);
      case "iml":
      case "xml":
        return xmlToPlain(text.value);
      case "json":
        return jsonToPlain(text.value);
      default:
        return text.value;
    }
  } catch (error) {
    throw new UnreadableText(text, error);
  }
}

const controlCharacters = /[\p{Cc}\u2028\u2029]/gu;

/** One line without anything to tidy, as most texts are. */
const ordinary = /^[\x20-\x7E\xA0-\u2027\u202A-\uD7FF]*$/;

function tidy(text: string): string {
  if (ordinary.test(text)) return text.trim();
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(controlCharacters, (character) =>
      character === "\n" || character === "\t" ? character : /[\u2028\u2029]/.test(character) ? "\n" : "",
    )
    .split("\n")
    .map((line) => trimmedEnd(line, " \t"));
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Text of a JSON value: a text itself, or a tree of objects that carry `text`, `insert` or `value` and hold others in
 * `children`, `content`, `ops` or `blocks`.
 * @throws {Error} where it is no JSON, is nested too deeply, or holds nothing that is known to carry text
 */
function jsonToPlain(json: string): string {
  const parts: string[] = [];
  const value: unknown = JSON.parse(json);
  if (!collect(value, parts, 0) && !isEmpty(value)) throw new Error("the JSON holds no text that is known");
  return parts.join("");
}

/** Adds the text of a value; false where nothing in it is known to carry text. */
function collect(value: unknown, parts: string[], depth: number): boolean {
  if (depth > maximumDepth) throw new Error(`the JSON is nested more than ${maximumDepth} deep`);
  if (typeof value === "string") {
    parts.push(value);
    return true;
  }
  if (Array.isArray(value)) {
    const known = value.map((each: unknown) => collect(each, parts, depth + 1));
    return known.includes(true);
  }
  return isRecord(value) && collectNode(value, parts, depth);
}

function collectNode(node: Record<string, unknown>, parts: string[], depth: number): boolean {
  const kind = String(node["type"] ?? "");
  if (lineBreak.test(kind)) {
    parts.push("\n");
    return true;
  }
  const ownLine = block.test(kind);
  if (ownLine) startLine(parts);
  const member = [...textMembers, ...childMembers].find((name) => isText(node[name]));
  const known = member !== undefined && collect(node[member], parts, depth + 1);
  if (ownLine) startLine(parts);
  return known || ownLine;
}

function startLine(parts: string[]): void {
  const last = parts.at(-1);
  if (last !== undefined && !last.endsWith("\n")) parts.push("\n");
}

function isText(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
