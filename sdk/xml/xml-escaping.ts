/** What of a text can stand in XML 1.0, and how (OEX reference, section 1). */

// What stands for itself. Characters beyond U+FFFF are looked at more closely, for their halves may be alone.
const notPlainText = /[^\t\n\x20-%'-;=?-\uD7FF\uE000-\uFFFD]/;
const notPlainAttribute = /[^\x20!#-%'-;=?-\uD7FF\uE000-\uFFFD]/;
const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** The text without the characters that XML 1.0 forbids: controls, U+FFFE, U+FFFF and lone surrogates. */
export function allowedText(text: string): string {
  return notPlainText.test(text) ? text.replace(forbidden, "") : text;
}

/**
 * Text between tags. `>` is always escaped, so that `]]>` never stands in the result; a carriage return is a reference,
 * because parsers make a line feed of it.
 */
export function escapedText(text: string): string {
  // Most texts need nothing, and one test is cheaper than the replacements.
  return notPlainText.test(text) ? escaped(text) : text;
}

/** Text between double quotes. Line ends and tabs are references, because parsers make blanks of them. */
export function escapedAttribute(text: string): string {
  if (!notPlainAttribute.test(text)) return text;
  return escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

function escaped(text: string): string {
  return text
    .replace(forbidden, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}
