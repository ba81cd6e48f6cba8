/**
 * Wraps the rendered template in a complete HTML document, with its `@page` rule: paper size, margins and margin
 * boxes, which hold the text of rendered headers and footers.
 */
import type { TemplatePage } from "@slipway/sdk";
import { readTag } from "../system/html-tags.js";

export interface DocumentParts {
  title: string;
  /** HTML of report.ejs. */
  body: string;
  /** Texts of the margin boxes. */
  margins: Readonly<Partial<Record<MarginFile, string>>>;
}

/** `style` comes after the page rules, so that it can override them. */
export function documentFrame(
  parts: DocumentParts,
  frame: { language: string; direction: "ltr" | "rtl"; page: TemplatePage; style: string },
): string {
  return [
    "<!doctype html>",
    `<html lang="${escapeHtml(frame.language)}" dir="${frame.direction}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<title>${escapeHtml(parts.title)}</title>`,
    `<style>\n${pageRules(frame.page, parts.margins, frame.direction)}${frame.style}\n</style>`,
    "</head>",
    `<body>\n${parts.body}\n</body>`,
    "</html>\n",
  ].join("\n");
}

/** A style sheet for embedding: it cannot close its element, and its assets have absolute paths. */
export function inlineStyle(style: string, version: string, assets: ReadonlySet<string>): string {
  return style
    .replace(/<(\/style)/gi, "<\\$1")
    .replace(
      /\burl\(("|'|)(assets\/[^"'()\s]+)("|'|)\)/g,
      (whole, quote: string, path: string, end: string) =>
        quote === end && assets.has(path) ? `url("${assetAddress(version, path)}")` : whole,
    );
}

/** Path of a template asset in documents. */
export function assetAddress(version: string, path: string): string {
  return `/templates/${version}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Escapes a value for HTML text and quoted attributes; null and undefined give an empty string. Without regular
 * expressions, which are slow in the rendering process.
 */
export function escapeHtml(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : String(value);
  let escaped = "";
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const entity = entityOf(text.charCodeAt(index));
    if (entity === undefined) continue;
    escaped += text.slice(from, index) + entity;
    from = index + 1;
  }
  return from === 0 ? text : escaped + text.slice(from);
}

function entityOf(code: number): string | undefined {
  switch (code) {
    case 34:
      return "&#34;";
    case 38:
      return "&amp;";
    case 39:
      return "&#39;";
    case 60:
      return "&lt;";
    case 62:
      return "&gt;";
    default:
      return undefined;
  }
}

/** Files whose text goes into a margin box; left and right are swapped in right-to-left documents. */
export const marginFiles = [
  "header-left",
  "header",
  "header-right",
  "footer-left",
  "footer",
  "footer-right",
] as const;
type MarginFile = (typeof marginFiles)[number];

/** Placeholders for page number and page count in a margin box; noncharacters that no text contains. */
export const pageMark = "\ufdd0";
export const pagesMark = "\ufdd1";

const boxes: Readonly<Record<MarginFile, { edge: "top" | "bottom"; side: "left" | "center" | "right" }>> = {
  "header-left": { edge: "top", side: "left" },
  header: { edge: "top", side: "center" },
  "header-right": { edge: "top", side: "right" },
  "footer-left": { edge: "bottom", side: "left" },
  footer: { edge: "bottom", side: "center" },
  "footer-right": { edge: "bottom", side: "right" },
};
const mirrored = { left: "right", center: "center", right: "left" } as const;

/** Empty for a template without page settings. */
function pageRules(
  page: TemplatePage,
  texts: Readonly<Partial<Record<MarginFile, string>>>,
  direction: "ltr" | "rtl",
): string {
  const parts = [
    ...paper(page),
    ...marginFiles.flatMap((file) => marginBox(file, texts[file] ?? "", direction)),
  ];
  return parts.length === 0 ? "" : `@page {\n${parts.join("\n")}\n}\n`;
}

function paper({ size, orientation, margins }: TemplatePage): string[] {
  const name = typeof size === "object" ? `${size.width}mm ${size.height}mm` : size;
  const sheet = [name, orientation].filter((part) => part !== undefined);
  return [
    ...(sheet.length === 0 ? [] : [`size: ${sheet.join(" ")};`]),
    ...(margins === undefined
      ? []
      : [`margin: ${margins.top}mm ${margins.right}mm ${margins.bottom}mm ${margins.left}mm;`]),
  ];
}

function marginBox(file: MarginFile, text: string, direction: "ltr" | "rtl"): string[] {
  if (text === "") return [];
  const { edge, side } = boxes[file];
  const place = direction === "rtl" ? mirrored[side] : side;
  return [`@${edge}-${place} { content: ${boxContent(text)}; white-space: pre-line }`];
}

/** Texts and counters, such as `"Page " counter(page) " of " counter(pages)`. */
function boxContent(text: string): string {
  return text
    .split(new RegExp(`([${pageMark}${pagesMark}])`))
    .filter((part) => part !== "")
    .map((part) =>
      part === pageMark ? "counter(page)" : part === pagesMark ? "counter(pages)" : styleString(part),
    )
    .join(" ");
}

/**
 * A CSS string. Every character except letters, digits and some punctuation is escaped, so that the text cannot end the
 * string.
 */
function styleString(text: string): string {
  const escaped = text.replace(/[^\p{L}\p{N}\p{M} .,:;|/()+@%&_-]/gu, (character) => {
    return `\\${(character.codePointAt(0) ?? 0xfffd).toString(16)} `;
  });
  return `"${escaped}"`;
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "\u00a9",
  middot: "\u00b7",
  ndash: "\u2013",
  mdash: "\u2014",
  bull: "\u2022",
};

/**
 * Drops tags, comments and styles; turns `<br>` and the end of a block into a line end; trims empty lines at both ends.
 */
export function marginText(html: string): string {
  const lines = withoutEntities(withoutTags(html.replace(/\r\n?/g, "\n")))
    .split("\n")
    .map((line) => line.replace(/[ \t]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");
  return /[^\n](?:.*[^\n])?/s.exec(lines)?.[0] ?? "";
}

const lineEnds = new Set(["br", "/br", "/p", "/div", "/li", "/tr", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6"]);

function withoutTags(html: string): string {
  const markup = /<(?:!--|[!?]|\/?[a-z][^\t\n\f\r />]*)/gi;
  let text = "";
  let at = 0;
  for (let found = markup.exec(html); found !== null; found = markup.exec(html)) {
    text += html.slice(at, found.index);
    const [beginning] = found;
    const end = behindMarkup(html, beginning.slice(1).toLowerCase(), markup.lastIndex);
    // A tag without an end is text.
    if (end === undefined) return text + html.slice(found.index);
    at = end;
    if (lineEnds.has(beginning.slice(1).toLowerCase())) {
      text += "\n";
      if (html[at] === "\n") at += 1;
    }
    markup.lastIndex = at;
  }
  return text + html.slice(at);
}

/** Of elements whose content is no text. */
const closingTags: ReadonlyMap<string, RegExp> = new Map([
  ["style", /<\/style[\t\n\f\r ]*>/gi],
  ["script", /<\/script[\t\n\f\r ]*>/gi],
]);

/** Behind a tag, a comment, or an element whose content is no text; `at` is behind its name. */
function behindMarkup(html: string, name: string, at: number): number | undefined {
  const behind = (end: string): number => {
    const place = html.indexOf(end, at);
    return place < 0 ? html.length : place + end.length;
  };
  if (name === "!--") return behind("-->");
  if (name === "!" || name === "?") return behind(">");
  const end = readTag(html, at)?.end;
  const closing = closingTags.get(name);
  if (end === undefined || closing === undefined) return end;
  closing.lastIndex = end;
  return closing.exec(html) === null ? html.length : closing.lastIndex;
}

function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (entity, decimal, hexadecimal, name) => {
      if (typeof name === "string") return Object.hasOwn(named, name) ? (named[name] ?? entity) : entity;
      const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(hexadecimal, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
