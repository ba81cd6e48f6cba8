/** Writes project files including the parts of earlier files that the project document has no members for. */
import { Decimal } from "decimal.js";
import { xmlNamePattern } from "../../project/values.js";
import type { RepeatedText } from "../xml/repeated-text.js";
import type { XmlAttributes, XmlWriter } from "../xml/xml-writer.js";
import { itemElements, treatmentOf } from "./format/project-format.js";
import { isUnread, type KeptContent, type KeptTree, priceElement } from "./kept-tree.js";
import { plainName } from "./xml-reading.js";

const xmlName = new RegExp(xmlNamePattern, "u");

/** An open element and its pending kept content. */
interface OpenElement {
  name: string;
  /** Whole elements, written after those of the document. */
  whole: KeptTree[];
  /** Parts of elements that the document itself writes later. */
  parts: KeptTree[];
  isItem: boolean;
}

/**
 * Adds kept content to the elements written through it: attributes to their elements, whole elements after
 * the others. If both have an attribute, the document's value wins, unless the reader ignores that attribute.
 * Anything the reader reads never comes from kept content, so that each value has a single source.
 */
export class KeepingXmlWriter implements XmlWriter {
  readonly #writer: XmlWriter;
  readonly #open: OpenElement[] = [];
  #next: KeptContent | undefined;

  constructor(writer: XmlWriter) {
    this.#writer = writer;
  }

  /** Sets the kept parts of the next opened element. */
  expect(parts: KeptContent | undefined): void {
    this.#next = parts;
  }

  open(name: string, attributes?: XmlAttributes): void {
    const parts = this.#next ?? this.#take(name, attributes);
    this.#next = undefined;
    const plain = plainName(name);
    const isItem = itemElements.has(plain) || (this.#open.at(-1)?.isItem ?? false);
    this.#writer.open(name, withKept(plain, attributes, parts, isItem));
    const elements = parts?.elements ?? [];
    this.#open.push({
      name: plain,
      isItem,
      whole: elements.filter((each) => each.of === undefined && isKept(plain, each, isItem)),
      parts: elements.filter((each) => each.of !== undefined),
    });
  }

  element(name: string, content: string | RepeatedText, attributes?: XmlAttributes): void {
    const text = String(content);
    const parts = this.#take(name, attributes);
    const plain = plainName(name);
    if (text === "" && parts && parts.elements.length > 0) {
      this.#next = parts;
      this.open(name, attributes);
      this.close();
    } else {
      const isItem = this.#open.at(-1)?.isItem ?? false;
      this.#writer.element(name, text, withKept(plain, attributes, parts, isItem));
    }
  }

  cdataElement(name: string, text: string, attributes?: XmlAttributes): void {
    this.#writer.cdataElement(name, text, attributes);
  }

  /** Writes the kept elements of the open element now instead of at `close`. */
  writeKept(): void {
    const open = this.#open.at(-1);
    for (const element of open?.whole.splice(0) ?? []) this.#writeWhole(element);
  }

  close(): void {
    this.writeKept();
    this.#open.pop();
    this.#writer.close();
  }

  /**
   * Takes the kept parts of the element being written; those of elements that are no longer written are
   * dropped.
   */
  #take(name: string, attributes: XmlAttributes | undefined): KeptTree | undefined {
    const waiting = this.#open.at(-1)?.parts ?? [];
    if (waiting.length === 0) return undefined;
    const index = waiting.findIndex(
      (each) => plainName(each.name) === plainName(name) && isSame(each.of ?? {}, attributes ?? {}),
    );
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  }

  #writeWhole({ name, attributes, text, elements }: KeptTree): void {
    if (!xmlName.test(name) || itemElements.has(plainName(name))) return;
    if (elements.length === 0) {
      this.#writer.element(name, text ?? "", named(attributes));
      return;
    }
    this.#writer.open(name, named(attributes));
    for (const element of elements) this.#writeWhole(element);
    this.#writer.close();
  }
}

/** Compares prices and quantities as numbers, independent of notation. */
function isSame(of: Readonly<Record<string, string>>, attributes: XmlAttributes): boolean {
  return Object.entries(of).every(([name, value]) => {
    const written = attributes[name];
    if (written === undefined) return false;
    return String(written) === value || (name === "value" && isSameNumber(String(written), value));
  });
}

function isSameNumber(first: string, second: string): boolean {
  const number = /^[+-]?\d+(\.\d*)?$/;
  return number.test(first) && number.test(second) && new Decimal(first).eq(second);
}

/** Whether the reader ignores an element at this place. */
function isKept(parent: string, { name, attributes }: KeptTree, isItem: boolean): boolean {
  const plain = plainName(name);
  const treatment = treatmentOf(parent, plain);
  if (treatment === undefined) return isItem;
  if (plain === priceElement) return attributes?.["pd"] !== "1" || attributes["override"] === "1";
  return treatment === "kept" || isUnread(plain, attributes ?? {});
}

function withKept(
  element: string,
  attributes: XmlAttributes | undefined,
  parts: KeptContent | undefined,
  isItem: boolean,
): XmlAttributes | undefined {
  if (parts?.attributes === undefined) return attributes;
  const all: Record<string, string | number | undefined> = { ...attributes };
  for (const [name, value] of Object.entries(named(parts.attributes))) {
    const treatment = treatmentOf(element, `@${name}`) ?? (isItem ? "kept" : "skipped");
    if (treatment === "kept" || (treatment === "read" && all[name] === undefined)) all[name] = value;
  }
  return all;
}

/** Attributes with valid names; an item id is dropped, as it would turn another element into an item. */
function named(attributes: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const entries = Object.entries(attributes ?? {});
  return Object.fromEntries(entries.filter(([name]) => xmlName.test(name) && name !== "basketId"));
}
