import { errorMessage } from "../schema/errors.js";
import { isRecord } from "../schema/record.js";
import { trimmedEnd } from "../schema/text.js";
import type { Text } from "./document.js";
import { htmlToPlain, xmlToPlain } from "./markup-text.js";

/** Converts rich text in the JSON formats of editors to plain text. */
const maximumDepth = 100;

const textMembers = ["text", "insert", "value"];

const childMembers = ["ops", "blocks", "children", "content", "root", "document", "nodes"];

/** Node types that start a new line. */
const block =
  /^(paragraph|p|heading|h[1-6]|header|line|block|list|list-?item|li|blockquote|quote|div|row|unstyled)/i;

const lineBreak = /^(br|break|hard-?break|line-?break)$/i;

/** The error of a text whose value does not match its format. */
export class UnreadableText extends Error {
  /** Always "UnreadableText", for stacks and logs. */
  override readonly name = "UnreadableText";

  constructor(
    /** The unreadable text. */
    readonly text: Text,
    cause: unknown,
  ) {
    const reason = errorMessage(cause);
    super(`the ${text.format ?? "plain"} text in language "${text.lang}" is malformed: ${reason}`, { cause });
  }
}

/**
 * Converts a text of any format to plain text, with line feeds between lines and trimmed. Control characters are
 * removed.
 * @throws {@link UnreadableText} if an `iml`, `xml` or `json` value is not well-formed
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

/** One line that needs no cleaning, like most texts. */
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
 * Plain text of a JSON value: a string, or a tree of objects with text in `text`, `insert` or `value` and children in
 * `children`, `content`, `ops` or `blocks`.
 * @throws {Error} if it is not JSON, is nested too deeply, or has no known text members
 */
function jsonToPlain(json: string): string {
  const parts: string[] = [];
  const value: unknown = JSON.parse(json);
  if (!collect(value, parts, 0) && !isEmpty(value))
    throw new Error("the JSON contains no known text members");
  return parts.join("");
}

/** Adds the text of a value; false if it has no known text members. */
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

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
