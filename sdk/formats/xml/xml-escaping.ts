/** Escapes text for XML 1.0. */

// Most texts need no escaping, and one test is cheaper than checking every character. Surrogates may be lone, so texts
// with them always take the slow path.
const notPlainText = /[^\t\n\x20-%'-;=?-\uD7FF\uE000-\uFFFD]/;
const notPlainAttribute = /[^\x20!#-%'-;=?-\uD7FF\uE000-\uFFFD]/;
const perhapsForbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/;
const forbidden = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** By character code. */
type References = readonly (string | undefined)[];

const textReferences = byCode({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" });
const attributeReferences = byCode({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
});

/** The text without the characters that XML 1.0 forbids: controls, U+FFFE, U+FFFF and lone surrogates. */
function allowedText(text: string): string {
  return perhapsForbidden.test(text) ? text.replace(forbidden, "") : text;
}

/** The CDATA sections of a text: one, or more if `]]>` in it would end the section. */
export function cdataSections(text: string): string[] {
  const allowed = allowedText(text);
  return allowed.includes("]]>") ? allowed.split(/(?<=\]\])(?=>)/) : [allowed];
}

/**
 * Escapes text between tags. `>` is always escaped, so the result never contains `]]>`. A carriage return becomes a
 * reference, because parsers convert it to a line feed.
 */
export function escapedText(text: string): string {
  return notPlainText.test(text) ? withReferences(allowedText(text), textReferences) : text;
}

/** Escapes text between double quotes. Line ends and tabs become references, because parsers convert them to blanks. */
export function escapedAttribute(text: string): string {
  return notPlainAttribute.test(text) ? withReferences(allowedText(text), attributeReferences) : text;
}

function withReferences(text: string, references: References): string {
  let result = "";
  let done = 0;
  for (let index = 0; index < text.length; index += 1) {
    const reference = references[text.charCodeAt(index)];
    if (reference === undefined) continue;
    result += text.slice(done, index) + reference;
    done = index + 1;
  }
  return result + text.slice(done);
}

function byCode(references: Record<string, string>): References {
  return Array.from({ length: 64 }, (_, code) => references[String.fromCharCode(code)]);
}
