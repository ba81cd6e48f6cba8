import type { AbortingError, SuppressedError } from "../errors.js";
import type { Static, TSchema } from "../schema.js";
import type { PdfContent } from "./inspection/pdf-content.js";
import type { XmlElement } from "./inspection/read-xml.js";

/** What a client gets for a request. */
export interface TestAnswer {
  /** Of HTTP. */
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it travels. */
  readonly text: string;
  /** The body as a JSON object. Throws when it is none. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Any JSON value. Throws when the body is no JSON. */
  readonly value: unknown;
  /** What the plugin suppressed; empty for an answer without `errors`. */
  readonly errors: readonly SuppressedError[];
  /** The error object, when the status is 400 or more. */
  readonly error: AbortingError | undefined;
  /** The JSON value with the type of a schema, such as that of the route's answer. Throws with all that does not fit. */
  as<S extends TSchema>(schema: S): Static<S>;
}

/** One request to the plugin. */
export interface TestRequest {
  /** What JSON can hold; for POST and PUT. */
  body?: unknown;
  /** Beside those in the path. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** When it aborts, the client goes away: the request ends, and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Only `X-Request-Id` reaches a plugin, as the id of the request. */
  headers?: Readonly<Record<string, string>>;
}

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
