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
  readonly #open: Tag[] = [];
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

  /** Begins an element; what comes next is inside it until `close`. */
  open(name: string, attributes?: XmlAttributes): void {
    this.#begin();
    const tag = tagOf(name);
    this.#written = withAttributes(this.#written + tag.start, attributes);
    this.#open.push(tag);
    this.#inStartTag = true;
    this.#isEmpty = true;
  }

  /** A whole element with text and nothing else. */
  element(name: string, text: string, attributes?: XmlAttributes): void {
    this.#begin();
    const tag = tagOf(name);
    const content = escapedText(text);
    const start = withAttributes(this.#written + tag.start, attributes);
    this.#written = content === "" ? `${start}/>` : `${start}>${content}${tag.end}`;
  }

  /** A whole element whose text is a CDATA section. */
  cdataElement(name: string, text: string, attributes?: XmlAttributes): void {
    this.#begin();
    const start = withAttributes(name, attributes);
    const content = cdataSections(text).join("]]><![CDATA[");
    this.#written += content === "" ? `<${start}/>` : `<${start}><![CDATA[${content}]]></${name}>`;
  }

  /** Ends the element that was opened last. */
  close(): void {
    const tag = this.#open.pop();
    if (tag === undefined) throw new Error("no element is open");
    if (this.#inStartTag) {
      this.#written += "/>";
      this.#inStartTag = false;
    } else {
      if (this.#pretty && !this.#isEmpty) this.#breakLine();
      this.#written += tag.end;
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

/** What an element's name becomes; found again, because joining short texts takes longer. */
interface Tag {
  start: string;
  end: string;
}

/** What an attribute's name becomes, and its first values: most are codes of a few. */
interface Attribute {
  start: string;
  written: Map<string | number, string>;
}

/** Names come from code, and are few. */
const keptNames = 1000;
const keptValues = 64;
const tags = new Map<string, Tag>();
const knownAttributes = new Map<string, Attribute>();

function tagOf(name: string): Tag {
  return tags.get(name) ?? newTag(name);
}

function newTag(name: string): Tag {
  const tag = { start: `<${name}`, end: `</${name}>` };
  if (tags.size < keptNames) tags.set(name, tag);
  return tag;
}

function newAttribute(name: string): Attribute {
  const attribute = { start: ` ${name}="`, written: new Map() };
  if (knownAttributes.size < keptNames) knownAttributes.set(name, attribute);
  return attribute;
}

/** The start of a tag with its attributes behind it. */
function withAttributes(start: string, attributes: XmlAttributes | undefined): string {
  let text = start;
  for (const name in attributes) {
    const value = attributes[name];
    if (value === undefined) continue;
    const attribute = knownAttributes.get(name) ?? newAttribute(name);
    text += attribute.written.get(value) ?? newValue(attribute, value);
  }
  return text;
}

function newValue({ start, written }: Attribute, value: string | number): string {
  const text = `${start}${typeof value === "string" ? escapedAttribute(value) : value}"`;
  if (written.size < keptValues && text.length < 100) written.set(value, text);
  return text;
}
