/** XML built as a whole before it becomes text, by the xmlbuilder2 library. */
import { createRequire } from "node:module";
import type { XMLBuilder } from "xmlbuilder2/lib/interfaces.js";
import { cdataSections } from "./xml-escaping.js";
import type { XmlAttributes, XmlWriter } from "./xml-writer.js";

const load = createRequire(import.meta.url);

/** How a `DocumentXmlWriter` begins its text. */
export interface DocumentXmlOptions {
  /** Begins with the XML declaration (UTF-8). */
  declaration?: boolean;
}

/**
 * For envelopes and small documents with one root: it needs about 2 KB per element and twenty times the time of
 * `StreamingXmlWriter`, and checks names. The library is loaded with the first writer. It writes everything in one
 * line: its indentation would become part of CDATA texts.
 */
export class DocumentXmlWriter implements XmlWriter {
  readonly #declaration: boolean;
  readonly #document: XMLBuilder;
  #parent: XMLBuilder;
  #depth = 0;

  constructor({ declaration = false }: DocumentXmlOptions = {}) {
    const { create }: typeof import("xmlbuilder2") = load("xmlbuilder2");
    this.#declaration = declaration;
    this.#document = create({ version: "1.0", encoding: "UTF-8", invalidCharReplacement: "" });
    this.#parent = this.#document;
  }

  /**
   * The whole document.
   * @throws Error while elements are open.
   */
  text(): string {
    if (this.#depth > 0) throw new Error(`${this.#depth} elements are still open`);
    return this.#document.end({ headless: !this.#declaration });
  }

  /** Begins an element; what comes next is inside it until `close`. */
  open(name: string, attributes?: XmlAttributes): void {
    this.#parent = this.#append(name, attributes);
    this.#depth += 1;
  }

  /** A whole element with text and nothing else. */
  element(name: string, text: string, attributes?: XmlAttributes): void {
    const element = this.#append(name, attributes);
    if (text !== "") element.txt(prepared(text));
  }

  /** A whole element whose text is a CDATA section. */
  cdataElement(name: string, text: string, attributes?: XmlAttributes): void {
    const element = this.#append(name, attributes);
    for (const section of cdataSections(text)) if (section !== "") element.dat(section);
  }

  /** Ends the element that was opened last. */
  close(): void {
    if (this.#depth === 0) throw new Error("no element is open");
    this.#parent = this.#parent.up();
    this.#depth -= 1;
  }

  #append(name: string, attributes: XmlAttributes = {}): XMLBuilder {
    const element = this.#parent.ele(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) element.att(key, preparedAttribute(String(value)));
    }
    return element;
  }
}

/** The library takes `&lt;` for an entity that was meant as one, so every ampersand is escaped before. */
function prepared(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("\r", "&#13;");
}

/** Parsers turn line ends and tabs of attributes into blanks unless they are references. */
function preparedAttribute(text: string): string {
  return prepared(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
