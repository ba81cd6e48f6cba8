/** Building XML: one place for the escaping that the builder leaves to its caller. */
import { createRequire } from "node:module";
import type { XMLBuilder } from "xmlbuilder2/lib/interfaces.js";

/** An element that is being built. */
export type Builder = XMLBuilder;

/** Attributes; those without a value are left out. */
export type Attributes = Record<string, string | number | undefined>;

const load = createRequire(import.meta.url);

/** The root of a new document. The builder is loaded with the first one: most processes that use the SDK write none. */
export function startDocument(name: string): Builder {
  const { create }: typeof import("xmlbuilder2") = load("xmlbuilder2");
  return create({ version: "1.0", encoding: "UTF-8", invalidCharReplacement: "" }).ele(name);
}

/** Appends an element; returns it. */
export function append(parent: Builder, name: string, attributes: Attributes = {}, text?: string): Builder {
  const element = parent.ele(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.att(key, escapedAttribute(String(value)));
  }
  if (text !== undefined && text !== "") element.txt(escapedText(text));
  return element;
}

/** The document as text, indented by two blanks; elements with text stay on their line. */
export function finishDocument(root: Builder): string {
  return `${root.end({ prettyPrint: true })}\n`;
}

/** The builder takes `&lt;` for an entity that was meant as one, so every ampersand is escaped before. */
function escapedText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("\r", "&#13;");
}

/** Parsers turn line ends and tabs of attributes into blanks unless they are references. */
function escapedAttribute(text: string): string {
  return escapedText(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** "1" or "0"; nothing when the flag is not set. */
export function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "1" : "0";
}
