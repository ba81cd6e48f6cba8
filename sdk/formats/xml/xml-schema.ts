/** Validates XML against XML schemas (XSD 1.0). */
import type { XmlDocument, XsdValidator } from "libxml2-wasm";

type Library = typeof import("libxml2-wasm");

/** An error in a document with its position. */
export interface XmlProblem {
  /** From 1; 0 if unknown. */
  line: number;
  /** The library's message, without the address of a file. */
  message: string;
}

/** Base address of included files during compilation, which no file system or network serves. */
const root = "schema:/";

/** Follow-up message for a key whose invalid value is already reported. */
const followsFromError = "Warning: No precomputed value available";

/** The files of the schema that is being compiled. The library has one list of sources per process. */
let sources: ReadonlyMap<string, string> | undefined;
let library: Promise<Library> | undefined;

/**
 * A compiled schema. Its memory is not garbage-collected: call `dispose`. A validation builds the whole document in
 * memory and blocks (16 MB: about half a second).
 */
export class XmlSchema {
  readonly #library: Library;
  /** Kept alive because the compiled schema refers to it. */
  readonly #document: XmlDocument;
  readonly #validator: XsdValidator;

  private constructor(library: Library, document: XmlDocument, validator: XsdValidator) {
    this.#library = library;
    this.#document = document;
    this.#validator = validator;
  }

  /**
   * Compiles the file `main` of `files`, a map of file names to their text. `xs:include` and `xs:import` can only load
   * other files of this map, by name. Throws an `Error` that describes the problem in the schema.
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
   * Validates a document in UTF-8; an empty list means valid. If it is not well-formed, that is the only problem. At
   * most `limit` problems, in document order.
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
      // A parser continues after the first error, and its further errors are consequences.
      return problems.slice(0, error instanceof XmlParseError ? 1 : limit);
    } finally {
      document?.dispose();
    }
  }

  /** Frees the memory; the schema cannot be used afterwards. */
  dispose(): void {
    this.#validator.dispose();
    this.#document.dispose();
  }
}

/** Loaded on first use, because it is a large module. */
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

/** Allows texts longer than 10 MB, except with a DOCTYPE: then the limits against entity expansion stay. */
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
