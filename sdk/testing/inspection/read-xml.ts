import { type XmlElement as ParsedElement, parseXml } from "../../obx/xml-tree.js";
import { readerFault } from "./optional-peer.js";

/** An element of XML, with its prefix in its name where it has one. */
export interface XmlElement {
  /** Such as "item", or "cbc:ID" with its prefix. */
  name: string;
  /** Values by their names, prefixes included. */
  attributes: Readonly<Record<string, string>>;
  /** The elements directly inside, in document order. */
  children: readonly XmlElement[];
  /** Directly inside; that of children is not part of it. */
  text: string;
  /** Of its start tag, from 1. */
  line: number;
}

/**
 * The root element of XML in UTF-8, with all that is below it. Strict: throws, with line and column, for what is not
 * well-formed, has a document type, is nested deeper than 64 levels or has more than a million elements.
 */
export function readXml(xml: Uint8Array | string): XmlElement {
  const text = typeof xml === "string" ? xml : new TextDecoder("utf-8", { fatal: true }).decode(xml);
  try {
    return readElement(parseXml(text));
  } catch (error) {
    throw readerFault(error);
  }
}

/** An element and all below it, in document order; of one name, where one is given. */
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
