/** Plain text of rich text that is written as JSON, as editors store it. */

const maximumDepth = 100;
const textMembers = ["text", "insert", "value"];
const childMembers = ["ops", "blocks", "children", "content", "root", "document", "nodes"];
/** Kinds of node that stand on lines of their own. */
const block =
  /^(paragraph|p|heading|h[1-6]|header|line|block|list|list-?item|li|blockquote|quote|div|row|unstyled)/i;
const lineBreak = /^(br|break|hard-?break|line-?break)$/i;

/**
 * Text of a JSON value: a text itself, or a tree of objects that carry `text`, `insert` or `value` and hold others in
 * `children`, `content`, `ops` or `blocks`.
 * @throws {Error} where it is no JSON, is nested too deeply, or holds nothing that is known to carry text
 */
export function jsonToPlain(json: string): string {
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
