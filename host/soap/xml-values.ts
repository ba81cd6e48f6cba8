/** Values in XML by their schema: an object is an element with attributes and children, a list is repeated elements. */
import type { TSchema, XmlAttributes, XmlWriter } from "@slipway/sdk";
import type { XmlNode } from "./read-envelope.js";

/** A member that is written as an attribute. When reading, attributes and child elements are the same. */
export const attribute = { xml: "attribute" } as const;
/** A member that is the text of its element. */
export const content = { xml: "content" } as const;

type Members = Readonly<Record<string, TSchema>>;

/**
 * The value of an element, not validated. Members without a place in the schema are in it too, so that a check reports
 * them. Texts stay texts; the check converts them.
 */
export function readValue(node: XmlNode, schema: TSchema): unknown {
  const members = membersOf(schema);
  if (members === undefined)
    return node.children.length === 0 ? readText(node.text, schema) : unexpected(node);
  const found = new Map<string, unknown>();
  const lists = new Map<string, unknown[]>();
  for (const [name, value] of node.attributes) {
    const member = members[name];
    found.set(name, member === undefined ? value : readText(value, member));
  }
  for (const child of node.children) {
    if (child.isNil) continue;
    const member = Object.hasOwn(members, child.name) ? members[child.name] : undefined;
    const items = member && itemsOf(member);
    if (items !== undefined) {
      const list = lists.get(child.name) ?? [];
      list.push(readValue(child, items));
      lists.set(child.name, list);
      found.set(child.name, list);
    } else if (found.has(child.name)) found.set(child.name, "several values");
    else found.set(child.name, member === undefined ? unexpected(child) : readValue(child, member));
  }
  const own = Object.entries(members).find(([, member]) => placeOf(member) === "content");
  if (own !== undefined) found.set(own[0], node.text);
  return Object.fromEntries(found);
}

/** Writes a value as the element `name`: a list as one element for each, undefined as none. */
export function writeValue(writer: XmlWriter, name: string, value: unknown, schema: TSchema): void {
  if (value === undefined) return;
  const items = itemsOf(schema);
  if (items !== undefined) {
    for (const each of Array.isArray(value) ? value : []) writeValue(writer, name, each, items);
    return;
  }
  const members = membersOf(schema);
  if (members === undefined || !isObject(value)) {
    writer.element(name, String(value));
    return;
  }
  const attributes: Record<string, string> = {};
  let text: string | undefined;
  const inside: [string, unknown, TSchema][] = [];
  for (const [key, member] of Object.entries(members)) {
    const part = value[key];
    if (part === undefined) continue;
    const place = placeOf(member);
    if (place === "attribute") attributes[key] = String(part);
    else if (place === "content") text = String(part);
    else inside.push([key, part, member]);
  }
  writeElement(writer, name, { attributes, text, inside });
}

function writeElement(
  writer: XmlWriter,
  name: string,
  parts: { attributes: XmlAttributes; text: string | undefined; inside: [string, unknown, TSchema][] },
): void {
  if (parts.text !== undefined) {
    writer.element(name, parts.text, parts.attributes);
    return;
  }
  writer.open(name, parts.attributes);
  for (const [key, part, member] of parts.inside) writeValue(writer, key, part, member);
  writer.close();
}

/** XML schema also has 1 and 0 for booleans. */
function readText(text: string, schema: TSchema): string {
  if (!("type" in schema) || schema.type !== "boolean") return text;
  const trimmed = text.trim();
  return trimmed === "1" ? "true" : trimmed === "0" ? "false" : trimmed;
}

function unexpected({ text, children }: XmlNode): unknown {
  return children.length === 0 ? text : Object.fromEntries(children.map(({ name }) => [name, "…"]));
}

function placeOf(schema: TSchema): unknown {
  return "xml" in schema ? schema.xml : undefined;
}

function membersOf(schema: TSchema): Members | undefined {
  return "properties" in schema && isMembers(schema.properties) ? schema.properties : undefined;
}

/** The schema of the items of a list; undefined for what is none. */
export function itemsOf(schema: TSchema): TSchema | undefined {
  return "items" in schema && isObject(schema.items) ? schema.items : undefined;
}

function isMembers(value: unknown): value is Members {
  return isObject(value) && Object.values(value).every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
