/** Writes XML as text sequentially, for documents of any size. */
import { RepeatedText } from "./repeated-text.js";
import { cdataSections, escapedAttribute, escapedText } from "./xml-escaping.js";
import type { XmlAttributes, XmlWriter } from "./xml-writer.js";

/** Options of a `StreamingXmlWriter`. */
export interface StreamingXmlOptions {
  /** Begins with the XML declaration (UTF-8); not for fragments. */
  declaration?: boolean;
  /** One line per element, indented by two blanks; elements with text stay on their line. */
  pretty?: boolean;
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';

/**
 * Appends to a string, which the caller takes from time to time. Otherwise it keeps only the names of open elements.
 * Escaping follows `XmlWriter`; an element without content is `<name/>`.
 */
export class StreamingXmlWriter implements XmlWriter {
  readonly #pretty: boolean;
  readonly #open: Tag[] = [];
  /** Text and repeated texts before `#written`. */
  #chunks: (string | RepeatedText)[] = [];
  /** Their characters. */
  #chunkLength = 0;
  #written: string;
  /** The last start tag lacks its `>`. */
  #inStartTag = false;
  /** The last opened element has no content. */
  #isEmpty = false;
  /** The next element must start a new line. */
  #isStarted: boolean;

  constructor({ declaration = false, pretty = false }: StreamingXmlOptions = {}) {
    this.#pretty = pretty;
    this.#written = declaration ? xmlDeclaration : "";
    this.#isStarted = declaration;
  }

  /** Number of characters (UTF-16 units) waiting to be taken. */
  get length(): number {
    return this.#chunkLength + this.#written.length;
  }

  /** Returns and removes the text written since the last call. It includes the complete start tags of open elements. */
  take(): string {
    return this.takeChunks().join("");
  }

  /** Like `take`, with the repeated texts as separate chunks, so that a file can use them. */
  takeChunks(): (string | RepeatedText)[] {
    if (this.#inStartTag) this.#endStartTag();
    const taken = [...this.#chunks, this.#written];
    this.#chunks = [];
    this.#chunkLength = 0;
    this.#written = "";
    return taken;
  }

  /** Opens an element; further content is inside it until `close`. */
  open(name: string, attributes?: XmlAttributes): void {
    this.#begin();
    const tag = tagOf(name);
    this.#written = withAttributes(this.#written + tag.start, attributes);
    this.#open.push(tag);
    this.#inStartTag = true;
    this.#isEmpty = true;
  }

  /** Writes an element with text only. */
  element(name: string, text: string | RepeatedText, attributes?: XmlAttributes): void {
    this.#begin();
    const tag = tagOf(name);
    const content = typeof text === "string" ? escapedText(text) : escapedRepeatedText(text);
    const start = withAttributes(this.#written + tag.start, attributes);
    if (typeof content !== "string") this.#repeat(`${start}>`, content, tag.end);
    else this.#written = content === "" ? `${start}/>` : `${start}>${content}${tag.end}`;
  }

  /** Writes an element with a CDATA section. */
  cdataElement(name: string, text: string, attributes?: XmlAttributes): void {
    this.#begin();
    const start = withAttributes(name, attributes);
    const content = cdataSections(text).join("]]><![CDATA[");
    this.#written += content === "" ? `<${start}/>` : `<${start}><![CDATA[${content}]]></${name}>`;
  }

  /** Closes the last opened element. */
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

  #repeat(before: string, content: RepeatedText, after: string): void {
    this.#chunks.push(before, content);
    this.#chunkLength += before.length + content.text.length;
    this.#written = after;
  }

  /** Prepares the start tag of an element. */
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

/** The tags of an element name; cached, because joining short texts is slower. */
interface Tag {
  start: string;
  end: string;
}

/** The start of an attribute, and cached values: most are codes of a small set. */
interface Attribute {
  start: string;
  written: Map<string | number, string>;
}

/** Cache limits; names come from code and are few. */
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

/** The start of a tag followed by its attributes. */
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

/** The escaped texts, which are the same ones each time. */
const escapedTexts = new WeakMap<RepeatedText, RepeatedText | "">();

function escapedRepeatedText(text: RepeatedText): RepeatedText | "" {
  return escapedTexts.get(text) ?? newEscapedText(text);
}

function newEscapedText(text: RepeatedText): RepeatedText | "" {
  const content = escapedText(text.text);
  const escaped = content === "" ? "" : content === text.text ? text : new RepeatedText(content);
  escapedTexts.set(text, escaped);
  return escaped;
}

function newValue({ start, written }: Attribute, value: string | number): string {
  const text = `${start}${typeof value === "string" ? escapedAttribute(value) : value}"`;
  if (written.size < keptValues && text.length < 100) written.set(value, text);
  return text;
}
