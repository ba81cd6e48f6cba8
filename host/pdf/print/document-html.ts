/** What happens to the HTML of a document before a page gets it, and what about it calls for care. */
import { documentFailed } from "./print-errors.js";

/**
 * Hides the body on screen: the document is only ever printed, so laying it out for the screen is waste. Measured, a
 * large document takes a third less time.
 */
const hiddenOnScreen = "<style>@media screen{body{display:none!important}}</style>";

/** The document with our rule in its head. */
export function hideOnScreen(html: string): string {
  const position =
    afterTag(html, /<head[\s>]/i) ?? afterTag(html, /<html[\s>]/i) ?? afterTag(html, /<!doctype/i) ?? 0;
  return html.slice(0, position) + hiddenOnScreen + html.slice(position);
}

/** Behind the first tag with such a beginning. Where the first has no end, no other has one. */
function afterTag(html: string, beginning: RegExp): number | undefined {
  const start = html.search(beginning);
  const end = start < 0 ? -1 : html.indexOf(">", start);
  return end < 0 ? undefined : end + 1;
}

/** Throws a 500 `template-error` for a document that would leave its page. */
export function refuseRefresh(html: string): void {
  // A tag without an end goes to the end of the document, so that no character is in two of them.
  for (const [tag] of html.matchAll(/<meta\b[^>]*(?:>|$)/gi)) {
    if (tag.endsWith(">") && /http-equiv\s*=\s*(?:["']\s*)?refresh/i.test(tag)) {
      throw documentFailed("The document contains a meta refresh; a printed document cannot navigate.");
    }
  }
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

/** Characters of a title that is told in a PDF; no reader shows more. */
export const longestTitle = 1000;

/** Whether a title may be longer than that; what stands in comments counts as well. */
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
