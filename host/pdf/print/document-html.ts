/** What happens to the HTML of a document before a page gets it, and what about it calls for care. */
import { readTag, type Tag } from "../../system/html-tags.js";
import { documentFailed } from "./print-errors.js";

/**
 * Hides the body on screen: the document is only ever printed, so laying it out for the screen is waste. Measured, a
 * large document takes a third less time.
 */
const hiddenOnScreen = "<style>@media screen{body{display:none!important}}</style>";

/** The document with our rule in its head, behind the tag of the head or what comes before it. */
export function hideOnScreen(html: string): string {
  const lead = behindLead(html, html.startsWith("\ufeff") ? 1 : 0);
  const root = behindStartTag(html, lead, "html");
  const beforeHead = root === undefined ? lead : behindLead(html, root);
  const position = behindStartTag(html, beforeHead, "head") ?? root ?? lead;
  return html.slice(0, position) + hiddenOnScreen + html.slice(position);
}

/** Blanks, the document type and comments. */
const lead = /(?:[\t\n\f\r ]+|<!--(?:-?>|[\s\S]*?--!?>)|<[!?](?!--)[^>]*>)*/y;

function behindLead(html: string, at: number): number {
  lead.lastIndex = at;
  return at + (lead.exec(html)?.[0].length ?? 0);
}

function behindStartTag(html: string, at: number, name: string): number | undefined {
  return startTag(html, at, name)?.end;
}

function startTag(html: string, at: number, name: string, wanted?: string): Tag | undefined {
  const nameEnd = at + 1 + name.length;
  const isTag =
    html.slice(at, nameEnd).toLowerCase() === `<${name}` && /[\t\n\f\r />]/.test(html[nameEnd] ?? "");
  return isTag ? readTag(html, nameEnd, wanted) : undefined;
}

/** The language of the root element, as it is written; empty without one. */
export function documentLanguage(html: string): string {
  return startTag(html, behindLead(html, html.startsWith("\ufeff") ? 1 : 0), "html", "lang")?.value ?? "";
}

/**
 * How often documents are read for it, at most: each meta is read from its own beginning, since an earlier one may be in a
 * comment, and one without an end goes to the end of the document.
 */
const mostReadings = 2;

/** Throws a 500 `template-error` for a document that would leave its page. */
export function refuseRefresh(html: string): void {
  if (!/http-equiv/i.test(html)) return;
  let left = mostReadings * html.length;
  for (const { 0: beginning, index } of html.matchAll(/<meta(?=[\t\n\f\r /])/gi)) {
    if (left <= 0) throw documentFailed("The document contains many meta elements without an end.");
    const tag = readTag(html, index + beginning.length, "http-equiv");
    left -= (tag?.end ?? html.length) - index;
    if (tag?.value !== undefined && isRefresh(tag.value))
      throw documentFailed("The document contains a meta refresh; a printed document cannot navigate.");
  }
}

/** No named character reference gives a letter of the word, but numeric ones can. */
function isRefresh(value: string): boolean {
  const text = value.replaceAll(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (_, hexadecimal, decimal) => {
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
  return text.trim().toLowerCase() === "refresh";
}

/**
 * Elements that set something of the page itself, but for the harmless forms that documents have as a rule: each of the
 * others costs its page, and so several times what a short document takes.
 */
const pageSettings =
  /<meta(?! (?:charset="?utf-8"?|name="(?:author|description|generator|keywords|viewport)" content="[^"<>]{0,500}") ?\/?>)|<body(?!>|(?: (?:class|id|lang|dir|style)="[^"<>]{0,500}"){1,5}>)/i;

/**
 * Whether something of the document may outlive it in its page, as policies and the colour scheme of meta elements do, and
 * the colours of links that the body element has.
 */
export function leavesTraces(html: string): boolean {
  return pageSettings.test(html);
}

/** Whether the document may bring fonts, which a page whose body is hidden does not load by itself. */
export function mayHaveFonts(html: string): boolean {
  return /@font-face|@import|<link\b/i.test(html);
}

/** Characters of a title in a PDF; no viewer shows more. */
export const longestTitle = 1000;

/** Whether a title may be longer than that; text in comments counts as well. */
export function mayHaveLongTitle(html: string): boolean {
  let opened: number | undefined;
  for (const { 0: tag, index } of html.matchAll(/<title[\s>]|<\/title/gi)) {
    if (!tag.startsWith("</")) opened ??= index;
    else if (opened !== undefined && index - opened > longestTitle) return true;
    else opened = undefined;
  }
  return opened !== undefined;
}

/** Whether the document may have links out of itself, which the browser takes into the PDF wherever they lead. */
export function mayHaveLinks(html: string): boolean {
  return /<(?:a|area)\b/i.test(html.replaceAll(/<a href="#[^"]*">/gi, ""));
}
