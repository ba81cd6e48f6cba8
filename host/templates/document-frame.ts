/** Wraps the rendered template in a complete HTML document. */
import type { TemplatePage } from "@slipway/sdk";
import { escapeHtml } from "./escape-html.js";
import { type MarginFile, pageRules } from "./page-rules.js";

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
