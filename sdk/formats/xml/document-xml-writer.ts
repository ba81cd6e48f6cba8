/** Writes XML with the xmlbuilder2 library, which builds the whole document before converting it to text. */
import { createRequire } from "node:module";
import type { RepeatedText } from "./repeated-text.js";
import { cdataSections } from "./xml-escaping.js";
import type { XmlAttributes, XmlWriter } from "./xml-writer.js";

const load = createRequire(import.meta.url);

type XMLBuilder = ReturnType<typeof import("xmlbuilder2").create>;

/** Options of a `DocumentXmlWriter`. */
export interface DocumentXmlOptions {
  /** Begins with the XML declaration (UTF-8). */
  declaration?: boolean;
}

/**
 * For envelopes and small documents with one root. It needs about 2 KB per element and twenty times the time of
 * `StreamingXmlWriter`, and checks names. The library is loaded with the first writer. Everything is on one line: the
 * library's indentation would become part of CDATA texts.
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
   * @throws Error while elements are open
   */
  text(): string {
    if (this.#depth > 0) throw new Error(`${this.#depth} elements are still open`);
    return this.#document.end({ headless: !this.#declaration });
  }

  /** Opens an element; further content is inside it until `close`. */
  open(name: string, attributes?: XmlAttributes): void {
    this.#parent = this.#append(name, attributes);
    this.#depth += 1;
  }

  /** Writes an element with text only. */
  element(name: string, text: string | RepeatedText, attributes?: XmlAttributes): void {
    const element = this.#append(name, attributes);
    const content = String(text);
    if (content !== "") element.txt(prepared(content));
  }

  /** Writes an element with a CDATA section. */
  cdataElement(name: string, text: string, attributes?: XmlAttributes): void {
    const element = this.#append(name, attributes);
    for (const section of cdataSections(text)) if (section !== "") element.dat(section);
  }

  /** Closes the last opened element. */
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

/** The library treats `&lt;` as an intended entity, so every ampersand is escaped first. */
function prepared(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("\r", "&#13;");
}

/** Parsers convert line ends and tabs in attributes to blanks unless they are references. */
function preparedAttribute(text: string): string {
  return prepared(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
