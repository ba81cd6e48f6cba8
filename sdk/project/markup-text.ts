/** Converts markup to plain text. Block boundaries become line feeds. */
import { SaxesParser } from "saxes";

/** Named character references common in product and project texts. Others are kept unchanged. */
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute " +
  "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig " +
  "Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash " +
  "Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute " +
  "ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc " +
  "uuml yacute thorn yuml";

const others: [string, number][] = [
  ["amp", 0x26],
  ["lt", 0x3c],
  ["gt", 0x3e],
  ["quot", 0x22],
  ["apos", 0x27],
  ["OElig", 0x152],
  ["oelig", 0x153],
  ["Scaron", 0x160],
  ["scaron", 0x161],
  ["ensp", 0x2002],
  ["emsp", 0x2003],
  ["thinsp", 0x2009],
  ["ndash", 0x2013],
  ["mdash", 0x2014],
  ["lsquo", 0x2018],
  ["rsquo", 0x2019],
  ["sbquo", 0x201a],
  ["ldquo", 0x201c],
  ["rdquo", 0x201d],
  ["bdquo", 0x201e],
  ["bull", 0x2022],
  ["hellip", 0x2026],
  ["permil", 0x2030],
  ["euro", 0x20ac],
  ["trade", 0x2122],
  ["le", 0x2264],
  ["ge", 0x2265],
];

/** Characters by entity name without "&" and ";". Latin-1 names are in the order of their codes from 160. */
const htmlEntities: ReadonlyMap<string, string> = new Map([
  ...latin.split(" ").map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...others.map(([name, code]): [string, string] => [name, String.fromCodePoint(code)]),
]);

/** Block elements of HTML and of the XML formats of rich text. */
const blocks = new Set(
  (
    "address article aside blockquote body dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr li line list main ol p para paragraph pre section table tbody td textline tr ul"
  ).split(" "),
);
const lineBreaks = new Set(["br", "break", "linebreak", "newline", "lf"]);
/** Elements with hidden content, and patterns of their end tags. */
const hidden = new Map([
  ["script", /<\/script/gi],
  ["style", /<\/style/gi],
  ["head", /<\/head/gi],
  ["template", /<\/template/gi],
  ["noscript", /<\/noscript/gi],
]);

/** Collects text and line ends; consecutive block ends become one line end. */
class Lines {
  // Reading the end of a growing string would copy it each time.
  private readonly parts: string[] = [];

  add(text: string): void {
    if (text !== "") this.parts.push(text);
  }

  breakLine(): void {
    this.parts.push("\n");
  }

  startBlock(): void {
    const last = this.parts.at(-1);
    if (last !== undefined && !last.endsWith("\n")) this.breakLine();
  }

  toString(): string {
    return this.parts.join("");
  }
}

/**
 * Plain text of an XML fragment with any number of elements.
 * @throws {Error} if the XML is not well-formed, naming line and column
 */
export function xmlToPlain(xml: string): string {
  const lines = new Lines();
  const parser = new SaxesParser({ fragment: !xml.trimStart().startsWith("<?xml") });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => markElement(lines, localName(tag.name)));
  parser.on("closetag", (tag) => {
    if (blocks.has(localName(tag.name))) lines.startBlock();
  });
  parser.on("text", (text) => lines.add(text));
  parser.on("cdata", (text) => lines.add(text));
  parser.write(xml).close();
  return lines.toString();
}

function markElement(lines: Lines, name: string): void {
  if (lineBreaks.has(name)) lines.breakLine();
  else if (blocks.has(name)) lines.startBlock();
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

/** Plain text of HTML, parsed as tolerantly as in a browser: nothing is an error. */
export function htmlToPlain(html: string): string {
  const lines = new Lines();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    lines.add(htmlText(html.slice(at, open < 0 ? html.length : open)));
    if (open < 0) break;
    at = afterMarkup(html, open, lines);
  }
  return lines.toString();
}

/** Position after the markup that starts at `open`; a lone "<" is text. */
function afterMarkup(html: string, open: number, lines: Lines): number {
  if (html.startsWith("<!--", open)) return past(html, "-->", open + 4);
  const name = /^<\/?([a-zA-Z][a-zA-Z0-9:-]{0,60})/.exec(html.slice(open, open + 64))?.[1]?.toLowerCase();
  if (name === undefined) {
    if (/^<[!?/]/.test(html.slice(open, open + 2))) return past(html, ">", open);
    lines.add("<");
    return open + 1;
  }
  const end = tagEnd(html, open);
  const closing = html.startsWith("</", open);
  const ending = closing ? undefined : hidden.get(name);
  if (ending !== undefined) return past(html, ">", indexOrEnd(html, ending, end));
  if (closing && blocks.has(name)) lines.startBlock();
  if (!closing) markElement(lines, name);
  return end;
}

/** Position after the ">" of a tag; quoted attributes may contain ">". */
function tagEnd(html: string, open: number): number {
  let quote = "";
  for (let at = open; at < html.length; at++) {
    const character = html.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  return html.length;
}

/** Searches from a position only: searching the whole text for each element would take quadratic time. */
function indexOrEnd(text: string, part: RegExp, from: number): number {
  part.lastIndex = from;
  return part.exec(text)?.index ?? text.length;
}

function past(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found < 0 ? text.length : found + part.length;
}

/** Collapses white space and resolves character references. */
function htmlText(text: string): string {
  const blanks = text.replace(/[ \t\r\n\f]+/g, " ");
  return blanks.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,20});/gi, (whole, name: string) =>
    name.startsWith("#") ? (character(name) ?? whole) : (htmlEntities.get(name) ?? whole),
  );
}

function character(reference: string): string | undefined {
  const hexadecimal = /^#x/i.test(reference);
  const code = Number.parseInt(reference.slice(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10);
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : undefined;
}
