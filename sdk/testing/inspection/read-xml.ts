import { type XmlElement as ParsedElement, parseXml } from "../../formats/obx/xml-tree.js";
import { readerFault } from "./optional-peer.js";

/** An XML element; its name includes the prefix, if any. */
export interface XmlElement {
  /** For example "item", or "cbc:ID" with its prefix. */
  name: string;
  /** Values by name, including prefixes. */
  attributes: Readonly<Record<string, string>>;
  /** The child elements, in document order. */
  children: readonly XmlElement[];
  /** The element's own text, without that of its children. */
  text: string;
  /** Line of its start tag, from 1. */
  line: number;
}

/**
 * Parses XML in UTF-8 and returns the root element with all descendants. Strict: throws, with line and
 * column, for text that is not well-formed, has a document type, is nested deeper than 64 levels or has more
 * than a million elements.
 */
export function readXml(xml: Uint8Array | string): XmlElement {
  const text = typeof xml === "string" ? xml : new TextDecoder("utf-8", { fatal: true }).decode(xml);
  try {
    return readElement(parseXml(text));
  } catch (error) {
    throw readerFault(error);
  }
}

/** An element and all its descendants, in document order, optionally filtered by name. */
export function* xmlElements(element: XmlElement, name?: string): Generator<XmlElement> {
  if (name === undefined || element.name === name) yield element;
  for (const child of element.children) yield* xmlElements(child, name);
}

function readElement({ name, attributes, children, text, line }: ParsedElement): XmlElement {
  return {
    name,
    attributes: Object.fromEntries(attributes),
    children: children.map(readElement),
    text,
    line,
  };
}
