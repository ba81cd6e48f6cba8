/** XML as text in the order of writing, for documents of any size. */
import { cdataSections, escapedAttribute, escapedText } from "./xml-escaping.js";
import type { XmlAttributes, XmlWriter } from "./xml-writer.js";

/** How a `StreamingXmlWriter` begins and lays out its text. */
export interface StreamingXmlOptions {
  /** Begins with the XML declaration (UTF-8). Left out for fragments. */
  declaration?: boolean;
  /** One line per element, indented by two blanks; elements with text stay on their line. */
  pretty?: boolean;
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';

/**
 * Appends to a string, which whoever writes takes from time to time; nothing else is kept but the names of the elements
 * that are open. Escaping follows `XmlWriter`; an element without content is `<name/>`.
 */
export class StreamingXmlWriter implements XmlWriter {
  readonly #pretty: boolean;
  readonly #open: string[] = [];
  #written: string;
  /** The last start tag still waits for its `>`. */
  #inStartTag = false;
  /** Nothing is inside the element that was opened last. */
  #isEmpty = false;
  /** There is a line that the next element has to leave. */
  #isStarted: boolean;

  constructor({ declaration = false, pretty = false }: StreamingXmlOptions = {}) {
    this.#pretty = pretty;
    this.#written = declaration ? xmlDeclaration : "";
    this.#isStarted = declaration;
  }

  /** The number of characters (UTF-16 units) that wait to be taken. */
  get length(): number {
    return this.#written.length;
  }

  /** Gives what was written since the last time. An element that is open has its whole start tag in it. */
  take(): string {
    if (this.#inStartTag) this.#endStartTag();
    const taken = this.#written;
    this.#written = "";
    return taken;
  }

  open(name: string, attributes?: XmlAttributes): void {
    this.#begin();
    this.#written += attributes === undefined ? `<${name}` : `<${name}${attributeText(attributes)}`;
    this.#open.push(name);
    this.#inStartTag = true;
    this.#isEmpty = true;
  }

  element(name: string, text: string, attributes?: XmlAttributes): void {
    this.#begin();
    const start = attributes === undefined ? name : name + attributeText(attributes);
    const content = escapedText(text);
    this.#written += content === "" ? `<${start}/>` : `<${start}>${content}</${name}>`;
  }

  cdataElement(name: string, text: string, attributes?: XmlAttributes): void {
    this.#begin();
    const start = attributes === undefined ? name : name + attributeText(attributes);
    const content = cdataSections(text).join("]]><![CDATA[");
    this.#written += content === "" ? `<${start}/>` : `<${start}><![CDATA[${content}]]></${name}>`;
  }

  close(): void {
    const name = this.#open.pop();
    if (name === undefined) throw new Error("no element is open");
    if (this.#inStartTag) {
      this.#written += "/>";
      this.#inStartTag = false;
    } else {
      if (this.#pretty && !this.#isEmpty) this.#breakLine();
      this.#written += `</${name}>`;
    }
    this.#isEmpty = false;
  }

  /** What every element does before its own start tag. */
  #begin(): void {
    if (this.#inStartTag) this.#endStartTag();
    this.#isEmpty = false;
    if (!this.#pretty) return;
    if (this.#isStarted) this.#breakLine();
    this.#isStarted = true;
  }

  #endStartTag(): void {
    this.#written += ">";
    this.#inStartTag = false;
  }

  #breakLine(): void {
    this.#written += `\n${"  ".repeat(this.#open.length)}`;
  }
}

function attributeText(attributes: XmlAttributes): string {
  let text = "";
  for (const name in attributes) {
    const value = attributes[name];
    if (value === undefined) continue;
    text += typeof value === "string" ? ` ${name}="${escapedAttribute(value)}"` : ` ${name}="${value}"`;
  }
  return text;
}
