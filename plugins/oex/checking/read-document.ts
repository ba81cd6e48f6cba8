/** Reads a document of any size as a stream; only one item is in memory at a time. */
import { SaxesParser } from "saxes";
import { DocumentElement } from "./document-element.js";

/** Elements around whole documents; each of their direct children is delivered as a part. */
const containers = new Set(["oexDocFrame", "oexFile", "oexDocument"]);
/** Deeper than any OEX document. */
const deepest = 32;

/** Receives parse events in document order. */
export interface DocumentHandler {
  /** The XML declaration, before all other events; also called without one. */
  declaration(encoding: string | undefined): void;
  /** The start tag of `oexDocFrame`, `oexFile` or `oexDocument`. */
  begin(container: DocumentElement): void;
  /** Any direct child of a container, with all its descendants. */
  part(element: DocumentElement): void;
  /** The end tag of `oexDocFrame`, `oexFile` or `oexDocument`. */
  end(container: DocumentElement): void;
}

/** Reading cannot continue: the document is not XML, or has a structure that OEX does not allow. */
export class UnreadableDocument extends Error {
  override readonly name = "UnreadableDocument";

  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Reads to the end, or throws `UnreadableDocument`. */
export async function readDocument(
  document: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  handler: DocumentHandler,
): Promise<void> {
  const reading = new DocumentReading(handler);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const bytes of document) reading.write(() => decoder.decode(bytes, { stream: true }));
  reading.write(() => decoder.decode());
  reading.close();
}

class DocumentReading {
  readonly #parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  readonly #handler: DocumentHandler;
  /** Stack from the root to the open element. */
  readonly #open: DocumentElement[] = [];
  #isDeclared = false;

  constructor(handler: DocumentHandler) {
    this.#handler = handler;
    const parser = this.#parser;
    parser.on("error", (error) => {
      throw this.#unreadable(`not well-formed: ${error.message.replace(/^\d+:\d+: /, "")}`);
    });
    parser.on("doctype", () => {
      throw this.#unreadable("a DOCTYPE is not allowed");
    });
    parser.on("xmldecl", ({ encoding }) => {
      this.#isDeclared = true;
      this.#handler.declaration(encoding);
    });
    parser.on("opentag", ({ name, attributes }) => this.#begin(name, attributes));
    parser.on("text", (text) => this.#add(text, false));
    parser.on("cdata", (text) => this.#add(text, true));
    parser.on("closetag", () => this.#end());
  }

  write(next: () => string): void {
    let text: string;
    try {
      text = next();
    } catch (error) {
      throw this.#unreadable("not encoded in UTF-8", error);
    }
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  #begin(name: string, attributes: Record<string, string>): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      if (!this.#isDeclared) this.#handler.declaration(undefined);
      if (name !== "oexDocFrame") throw this.#unreadable(`the root is ${name}, expected oexDocFrame`);
    }
    if (this.#open.length >= deepest) throw this.#unreadable(`${name} is nested too deep`);
    const element = new DocumentElement(name, attributes, this.#parser.line);
    this.#open.push(element);
    if (this.#isContainer(element, parent)) this.#handler.begin(element);
    else if (parent !== undefined && !containers.has(parent.name)) parent.children.push(element);
  }

  #add(text: string, isSection: boolean): void {
    const element = this.#open.at(-1);
    if (element === undefined || containers.has(element.name)) return;
    element.text += text;
    if (isSection) element.sections += 1;
    else if (text.trim() !== "") element.hasPlainText = true;
  }

  #end(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const parent = this.#open.at(-1);
    if (this.#isContainer(element, parent)) this.#handler.end(element);
    else if (parent !== undefined && containers.has(parent.name)) this.#handler.part(element);
  }

  /** A misplaced container would be read as one item with all of its content. */
  #isContainer(element: DocumentElement, parent: DocumentElement | undefined): boolean {
    if (!containers.has(element.name)) return false;
    const expected = { oexDocFrame: undefined, oexFile: "oexDocFrame", oexDocument: "oexFile" }[element.name];
    if (parent?.name === expected) return true;
    throw this.#unreadable(`${element.name} is not allowed inside ${parent?.name ?? "nothing"}`);
  }

  #unreadable(message: string, cause?: unknown): UnreadableDocument {
    return Object.assign(
      new UnreadableDocument(message, this.#parser.line),
      cause === undefined ? {} : { cause },
    );
  }
}
