/** Validating XML against XML schemas (XSD 1.0). */
import type { XmlDocument, XsdValidator } from "libxml2-wasm";

type Library = typeof import("libxml2-wasm");

/** A mistake in a document, with its position. */
export interface XmlProblem {
  /** From 1; 0 where it is not known. */
  line: number;
  /** In the words of the library, without the address of a file. */
  message: string;
}

/** Included files have addresses below this one while a schema is compiled, which no file system and no network serves. */
const root = "schema:/";

/** Said of a key whose value is invalid, after that has been said. */
const followsFromError = "Warning: No precomputed value available";

/** The files of the schema that is compiled right now. The library has one list of sources for the whole process. */
let sources: ReadonlyMap<string, string> | undefined;
let library: Promise<Library> | undefined;

/**
 * A compiled schema. Its memory lies outside of what the garbage collector sees: whoever compiles a schema disposes of
 * it. A validation builds the whole document in memory and blocks (16 MB: about half a second).
 */
export class XmlSchema {
  readonly #library: Library;
  /** Belongs to the compiled schema, which refers to it. */
  readonly #document: XmlDocument;
  readonly #validator: XsdValidator;

  private constructor(library: Library, document: XmlDocument, validator: XsdValidator) {
    this.#library = library;
    this.#document = document;
    this.#validator = validator;
  }

  /**
   * Compiles the file `main` of `files`, a map of file names to their text; `xs:include` and `xs:import` find other
   * files of this map by their names and nothing else. Throws an `Error` that says what is wrong with the schema.
   */
  static async compile(main: string, files: ReadonlyMap<string, string>): Promise<XmlSchema> {
    library ??= loadLibrary();
    const loaded = await library;
    const text = files.get(main);
    if (text === undefined) throw new Error(`${main} is not among the schema files`);
    sources = files;
    try {
      return XmlSchema.#compile(loaded, main, text);
    } finally {
      sources = undefined;
    }
  }

  static #compile(library: Library, main: string, text: string): XmlSchema {
    let document: XmlDocument | undefined;
    try {
      document = library.XmlDocument.fromString(text, { url: root + main });
      return new XmlSchema(library, document, library.XsdValidator.fromDoc(document));
    } catch (error) {
      document?.dispose();
      throw new Error(`The schema ${main} cannot be compiled: ${firstMessages(library, error)}`, {
        cause: error,
      });
    }
  }

  /**
   * Validates a document in UTF-8; no problems: valid. One that is not well-formed has that as its only problem. At
   * most `limit` problems, in the order of the document.
   */
  validate(xml: Uint8Array | string, limit = 100): XmlProblem[] {
    const { XmlDocument, XmlParseError, XmlValidateError } = this.#library;
    const bytes = typeof xml === "string" ? Buffer.from(xml) : xml;
    let document: XmlDocument | undefined;
    try {
      document = XmlDocument.fromBuffer(bytes, {
        encoding: "utf-8",
        option: parseOptions(this.#library, bytes),
      });
      this.#validator.validate(document);
      return [];
    } catch (error) {
      if (!(error instanceof XmlParseError || error instanceof XmlValidateError)) throw error;
      const problems = error.details
        .filter(({ message }) => !message.includes(followsFromError))
        .map(({ line, message }) => ({ line, message: message.trim() }));
      // A parser goes on after the first error, and what it then finds follows from it.
      return problems.slice(0, error instanceof XmlParseError ? 1 : limit);
    } finally {
      document?.dispose();
    }
  }

  /** Frees the memory; the schema cannot be used any more. */
  dispose(): void {
    this.#validator.dispose();
    this.#document.dispose();
  }
}

/** Loaded on first validation: it is a large module. */
async function loadLibrary(): Promise<Library> {
  const loaded = await import("libxml2-wasm");
  loaded.xmlRegisterInputProvider({
    match: (address) => sourceOf(address) !== undefined,
    open: (address) => {
      const text = sourceOf(address);
      return text === undefined ? undefined : loaded.openBuffer(Buffer.from(text));
    },
    read: loaded.readBuffer,
    close: (file) => {
      loaded.closeBuffer(file);
      return true;
    },
  });
  return loaded;
}

function sourceOf(address: string): string | undefined {
  return address.startsWith(root) ? sources?.get(address.slice(root.length)) : undefined;
}

/** Texts may be longer than 10 MB, unless there may be entities: then the guards against their growth stay. */
function parseOptions({ ParseOption }: Library, xml: Uint8Array): number {
  const usual = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_BIG_LINES;
  return Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).includes("<!DOCTYPE")
    ? usual
    : usual | ParseOption.XML_PARSE_HUGE;
}

function firstMessages({ XmlLibError }: Library, error: unknown): string {
  if (!(error instanceof XmlLibError)) return String(error);
  return error.details
    .slice(0, 3)
    .map(({ file, line, message }) => `${file ?? ""}:${line}: ${message.trim()}`)
    .join("; ");
}
