import type { PdfContent } from "./inspection/pdf-content.js";
import type { XmlElement } from "./inspection/read-xml.js";

/** A file that a plugin has made, as its client would fetch it. */
export interface TestFile {
  /** Cleaned, as the host offers it for download; of a file in an archive, its path there with "/" between folders. */
  readonly name: string;
  /** With its parameters, such as "text/csv; charset=utf-8"; of a file in an archive, by its ending. */
  readonly mediaType: string;
  /** The content. */
  readonly bytes: Uint8Array;
  /** The content as UTF-8. Throws for bytes that are none. */
  text(): string;
  /** The content as JSON. Throws for text that is none. */
  json(): unknown;
  /** The root element of XML, with all below it. Throws, with line and column, for what is not well-formed. */
  xml(): XmlElement;
  /** What a PDF says. Rejects for content that is none, and where the package `pdfjs-dist` is not installed. */
  pdf(): Promise<PdfContent>;
  /** The files of a ZIP by their names, in their order. Rejects for content that is no ZIP. */
  archive(): Promise<ReadonlyMap<string, TestFile>>;
}

/** A file that a plugin has stored, with its address. */
export interface StoredTestFile extends TestFile {
  /** Part of its URL. */
  readonly id: string;
  /** Absolute, as the answer names it: `http://slipway.test/files/<id>/<name>`. */
  readonly url: string;
}
