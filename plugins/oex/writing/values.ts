/** Values: an element or an attribute has one or is not there (OEX reference, section 1). */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";

/** Writes an element that the format demands; throws an error that names it when the text has nothing to write. */
export function writeValue(writer: XmlWriter, name: string, text: string, attributes?: XmlAttributes): void {
  writer.element(name, demanded(name, text), attributes);
}

/** Writes an element when there is something to write in it. */
export function writeOptional(
  writer: XmlWriter,
  name: string,
  text: string | undefined,
  attributes?: XmlAttributes,
): void {
  if (hasValue(text)) writer.element(name, text, attributes);
}

/** The text, for an element or attribute that the format demands; throws like `writeValue`. */
export function demanded(name: string, text: string): string {
  if (hasValue(text)) return text;
  throw new Error(`the OEX document has no value for ${name}`);
}

const allowed = /[\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Whether there is any character that XML allows; nearly always the first one tells. */
export function hasValue(text: string | undefined): text is string {
  if (text === undefined) return false;
  const first = text.charCodeAt(0);
  return (first >= 0x20 && first < 0xd800) || allowed.test(text);
}

/** `Y` or `N` (OEX reference, section 7). */
export function yesNo(value: boolean): "Y" | "N" {
  return value ? "Y" : "N";
}
