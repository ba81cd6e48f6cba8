/** Reads parts of an XML element in the form of the project document, such as texts in several languages. */
import { Decimal } from "decimal.js";
import type { Text, Texts } from "../../project/document.js";
import { brokenFile, type FilePlace } from "./read-warnings.js";
import type { XmlElement } from "./xml-tree.js";

/** The start of an element, for messages. */
export function placeOf(element: XmlElement): FilePlace {
  return {
    ...(element.entry === undefined ? {} : { entry: element.entry }),
    line: element.line,
    column: element.column,
  };
}

/** The name without the number of a newer form of the element: "view" for "view.4". */
export function plainName(name: string): string {
  // Fast path: called for every child of every element, and names with a number are rare.
  return name.includes(".") ? name.replace(/\.\d+$/, "") : name;
}

/** The children with that name, in document order, in any form. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => plainName(child.name) === name) ?? [];
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => plainName(child.name) === name);
}

/** The attribute unchanged, including runs of blanks; undefined if it is empty. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = element?.attributes.get(name);
  return value === undefined || value === "" ? undefined : value;
}

/** The text of the first child of that name, unless it is empty. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  const text = childOf(element, name)?.text;
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** An attribute or else a child element of that name: writers of these files use both. */
export function attributeOrChild(element: XmlElement | undefined, name: string): string | undefined {
  return attributeOf(element, name) ?? childText(element, name);
}

/** A flag as "0"/"1" or "false"/"true"; undefined if absent. */
export function flagOf(element: XmlElement | undefined, name: string): boolean | undefined {
  const value = element?.attributes.get(name);
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  return undefined;
}

/** A whole number from an attribute; undefined if it is absent or not a whole number. */
export function integerOf(element: XmlElement | undefined, name: string): number | undefined {
  const value = element?.attributes.get(name);
  return value !== undefined && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

const documentDecimal = /^-?[0-9]{1,20}(\.[0-9]{1,18})?$/;

/**
 * An exact decimal from an attribute. Files contain "1." for 1 and more than 18 decimal places; both are
 * normalized for the project document, everything else is returned unchanged.
 * @throws RequestError 400 if the attribute is present and not a number.
 */
export function decimalOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = attributeOf(element, name)?.trim();
  if (element === undefined || value === undefined) return undefined;
  if (documentDecimal.test(value)) return value;
  const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(value)
    ? new Decimal(value)
    : undefined;
  const written = number?.toDecimalPlaces(18).toFixed();
  if (written === undefined || !documentDecimal.test(written)) {
    throw brokenFile(
      `${element.path}: "${value.slice(0, 60)}" in ${name} is not a decimal number`,
      placeOf(element),
    );
  }
  return written;
}

/** A calendar day `yyyy-mm-dd` from an attribute; undefined for anything else. */
export function dateOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = attributeOf(element, name)?.trim();
  if (value === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const day = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || !day.toISOString().startsWith(value) ? undefined : value;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A UUID in lower case from an attribute; undefined if it is invalid or the all-zero one, which means "no
 * item".
 */
export function uuidOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = attributeOf(element, name)?.trim().toLowerCase();
  return value === undefined || !uuid.test(value) || /^[0-]+$/.test(value) ? undefined : value;
}

const formats: NonNullable<Text["format"]>[] = ["plain", "html", "iml", "xml", "json"];

/** The language of an element; "und" if it is missing or blank. */
export function languageOf(element: XmlElement): string {
  const lang = attributeOf(element, "lang")?.trim();
  return lang === undefined || lang === "" ? "und" : lang;
}

/** The texts of the elements: the first of each language, without empty ones. */
export function textsOf(elements: readonly XmlElement[]): Texts {
  const texts: Texts = [];
  for (const element of elements) {
    const lang = languageOf(element);
    if (element.text === "" || texts.some((text) => text.lang === lang)) continue;
    const stated = attributeOf(element, "format")?.toLowerCase();
    const format = formats.find((each) => each === stated);
    texts.push({ lang, value: element.text, ...(format === undefined ? {} : { format }) });
  }
  return texts;
}

/** The texts, or undefined without any, for optional members of the project document. */
export function textsIfAny(elements: readonly XmlElement[]): Texts | undefined {
  const texts = textsOf(elements);
  return texts.length === 0 ? undefined : texts;
}
