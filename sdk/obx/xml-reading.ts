/** Questions to an XML element: its parts, and their values in the form that the project document wants. */
import { Decimal } from "decimal.js";
import { brokenFile, type FilePlace } from "./read-warnings.js";
import type { XmlElement } from "./xml-tree.js";

/** Where an element begins, for messages. */
export function placeOf(element: XmlElement): FilePlace {
  return {
    ...(element.entry === undefined ? {} : { entry: element.entry }),
    line: element.line,
    column: element.column,
  };
}

/** The name without the number that marks a newer form of the element: "view" of "view.4". */
export function plainName(name: string): string {
  // Asked for every child of every element, and hardly any name has a number.
  return name.includes(".") ? name.replace(/\.\d+$/, "") : name;
}

/** The children of that name, in document order, whatever their form number. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => plainName(child.name) === name) ?? [];
}

/** The first child of that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => plainName(child.name) === name);
}

/** The attribute as it stands, runs of blanks included; absent when it is empty. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = element?.attributes.get(name);
  return value === undefined || value === "" ? undefined : value;
}

/** The text of the first child of that name; absent when there is none or it is empty. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  const text = childOf(element, name)?.text;
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** An attribute or, when there is none, a child element of that name: writers of these files use both. */
export function attributeOrChild(element: XmlElement | undefined, name: string): string | undefined {
  return attributeOf(element, name) ?? childText(element, name);
}

/** A flag as "0"/"1" or "false"/"true"; absent when it is not given. */
export function flagOf(element: XmlElement | undefined, name: string): boolean | undefined {
  const value = element?.attributes.get(name);
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  return undefined;
}

/** A whole number from an attribute; absent when it is missing or no whole number. */
export function integerOf(element: XmlElement | undefined, name: string): number | undefined {
  const value = element?.attributes.get(name);
  return value !== undefined && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

const documentDecimal = /^-?[0-9]{1,20}(\.[0-9]{1,18})?$/;

/**
 * An exact decimal from an attribute. Files write "1." for 1 and more than 18 digits behind the point; those are
 * brought into the form of the project document, everything else stays as it is written.
 * @throws RequestError 400 when the attribute is there and no number.
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
      `${element.path}: "${value.slice(0, 60)}" in ${name} is no decimal number`,
      placeOf(element),
    );
  }
  return written;
}

/** A calendar day `yyyy-mm-dd` from an attribute; absent when it is anything else. */
export function dateOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = attributeOf(element, name)?.trim();
  if (value === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const day = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || !day.toISOString().startsWith(value) ? undefined : value;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID in lower case from an attribute; absent when it is none or the all-zero one, which means "no item". */
export function uuidOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = attributeOf(element, name)?.trim().toLowerCase();
  return value === undefined || !uuid.test(value) || /^[0-]+$/.test(value) ? undefined : value;
}
