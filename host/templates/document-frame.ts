/** Puts what a template rendered into a complete HTML document. */
import { escapeHtml } from "./escape-html.js";

export interface DocumentParts {
  title: string;
  /** HTML of report.ejs. */
  body: string;
  /** Texts of header.ejs and footer.ejs; empty where the template has none. */
  header: string;
  footer: string;
}

/** `style` comes after the margin boxes, so that it can restyle them. */
export function documentFrame(
  parts: DocumentParts,
  frame: { language: string; direction: "ltr" | "rtl"; style: string },
): string {
  return [
    "<!doctype html>",
    `<html lang="${escapeHtml(frame.language)}" dir="${frame.direction}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<title>${escapeHtml(parts.title)}</title>`,
    `<style>\n${marginBoxes(parts)}${frame.style}\n</style>`,
    "</head>",
    `<body>\n${parts.body}\n</body>`,
    "</html>\n",
  ].join("\n");
}

/** A style sheet that can stand in a document: it cannot end its element, and its assets have their addresses. */
export function inlineStyle(style: string, version: string, assets: ReadonlySet<string>): string {
  return style
    .replace(/<(?=\/style)/gi, "<\\")
    .replace(/\burl\((["']?)(assets\/[^"'()\s]+)\1\)/g, (whole, _quote, path: string) =>
      assets.has(path) ? `url("${assetAddress(version, path)}")` : whole,
    );
}

/** Path of an asset of a template, as documents load it. */
export function assetAddress(version: string, path: string): string {
  return `/templates/${version}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

function marginBoxes(parts: DocumentParts): string {
  const boxes = [marginBox("@top-center", parts.header), marginBox("@bottom-center", parts.footer)];
  const present = boxes.filter((box) => box !== "");
  return present.length === 0 ? "" : `@page {\n${present.join("\n")}\n}\n`;
}

function marginBox(name: string, text: string): string {
  return text === "" ? "" : `${name} { content: ${styleString(text)}; white-space: pre-line }`;
}

/** A string of CSS; everything but letters, digits and plain blanks is an escape, so that it can end nothing. */
function styleString(text: string): string {
  const escaped = text.replace(/[^\p{L}\p{N}\p{M} .,:;|/()+@%&_-]/gu, (character) => {
    return `\\${(character.codePointAt(0) ?? 0xfffd).toString(16)} `;
  });
  return `"${escaped}"`;
}
