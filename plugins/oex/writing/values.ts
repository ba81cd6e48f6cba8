/** Elements and attributes without a value are omitted (OEX reference, section 1). */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";

/** Length of the pieces of a file, in characters (UTF-16 units). */
export const pieceLength = 65_536;

/** Writes a required element; throws an error that names it if the text has no value. */
export function writeValue(writer: XmlWriter, name: string, text: string, attributes?: XmlAttributes): void {
  writer.element(name, demanded(name, text), attributes);
}

/** Writes an element if the text has a value. */
export function writeOptional(
  writer: XmlWriter,
  name: string,
  text: string | undefined,
  attributes?: XmlAttributes,
): void {
  if (hasValue(text)) writer.element(name, text, attributes);
}

/** The text of a required element or attribute; throws like `writeValue`. */
export function demanded(name: string, text: string): string {
  if (hasValue(text)) return text;
  throw new Error(`the OEX document has no value for ${name}`);
}

const allowed = /[\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Whether the text has any character that XML allows; the first one nearly always decides. */
export function hasValue(text: string | undefined): text is string {
  if (text === undefined) return false;
  const first = text.charCodeAt(0);
  return (first >= 0x20 && first < 0xd800) || allowed.test(text);
}

/** `Y` or `N` (OEX reference, section 7). */
export function yesNo(value: boolean): "Y" | "N" {
  return value ? "Y" : "N";
}

// XML elements as data, for formats whose elements are small trees.

/** Content is a text, which must have a value, or children. Undefined: left out. */
export type XmlElement =
  | readonly [name: string, content: string | readonly XmlElement[], attributes?: XmlAttributes | undefined]
  | undefined;

/** Writes elements in order; throws an error that names an element whose text has no value. */
export function writeElements(writer: XmlWriter, elements: readonly XmlElement[]): void {
  for (const element of elements) {
    if (element === undefined) continue;
    const [name, content, attributes] = element;
    if (typeof content === "string") writeValue(writer, name, content, attributes);
    else {
      writer.open(name, attributes);
      writeElements(writer, content);
      writer.close();
    }
  }
}

/** An element that is left out without a value. */
export function optional(name: string, text: string | undefined, attributes?: XmlAttributes): XmlElement {
  return hasValue(text) ? [name, text, attributes] : undefined;
}

/** An element around a single value; left out if the value is undefined. */
export function wrapped(
  name: string,
  member: string,
  text: string | undefined,
  attributes?: XmlAttributes,
): XmlElement {
  return text === undefined ? undefined : [name, [[member, text, attributes]]];
}
