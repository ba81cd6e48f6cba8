/** Locates the first syntax error of a JSON text, which `JSON.parse` does not always report. */

const token = /([{}[\],:])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Line and column, from 1, of the first invalid character. */
export function brokenJsonPlace(text: string): { line: number; column: number } {
  const before = text.slice(0, brokenOffset(text)).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The tokens that may come next. */
type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";
type Kind = "text" | "value" | "{" | "}" | "[" | "]" | ":" | ",";

function brokenOffset(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected | undefined = "value";
  for (let offset = skipBlanks(text, 0); offset < text.length; ) {
    const found = text[offset] === '"' ? readText(text, offset) : readToken(text, offset);
    expected = step(expected, found.kind, open);
    if (expected === undefined || found.broken) return found.broken ? found.end : offset;
    offset = skipBlanks(text, found.end);
  }
  return text.length;
}

interface Found {
  kind: Kind;
  end: number;
  broken: boolean;
}

function readToken(text: string, offset: number): Found {
  token.lastIndex = offset;
  const [whole, sign] = token.exec(text) ?? [];
  if (whole === undefined) return { kind: "value", end: offset, broken: true };
  return { kind: isSign(sign) ? sign : "value", end: offset + whole.length, broken: false };
}

/** Without a regular expression: a base64 picture is too long for alternatives in one. */
function readText(text: string, offset: number): Found {
  let at = offset + 1;
  while (at < text.length && text[at] !== '"' && text.charCodeAt(at) >= 0x20) {
    if (text[at] === "\\") {
      escaped.lastIndex = at;
      if (!escaped.test(text)) return { kind: "text", end: at, broken: true };
      at = escaped.lastIndex;
    } else at += 1;
  }
  const closed = text[at] === '"';
  return { kind: "text", end: closed ? at + 1 : at, broken: !closed };
}

/** The next expectation; undefined for an unexpected token. */
function step(expected: Expected, kind: Kind, open: ("{" | "[")[]): Expected | undefined {
  const takesValue = expected === "value" || expected === "value or end";
  switch (kind) {
    case "text":
      return takesValue ? "comma or end" : expected.startsWith("key") ? "colon" : undefined;
    case "value":
      return takesValue ? "comma or end" : undefined;
    case "{":
    case "[":
      open.push(kind);
      return takesValue ? (kind === "{" ? "key or end" : "value or end") : undefined;
    case ":":
      return expected === "colon" ? "value" : undefined;
    case ",":
      if (expected !== "comma or end" || open.length === 0) return undefined;
      return open.at(-1) === "{" ? "key" : "value";
    default:
      return expected.endsWith("or end") && open.pop() === (kind === "}" ? "{" : "[")
        ? "comma or end"
        : undefined;
  }
}

function isSign(text: string | undefined): text is Exclude<Kind, "text" | "value"> {
  return text !== undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
