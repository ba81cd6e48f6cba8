import type { AbortingError, SuppressedError } from "../schema/errors.js";
import type { Static, TSchema } from "../schema/schema.js";
import type { PdfContent } from "./inspection/pdf-content.js";
import type { XmlElement } from "./inspection/read-xml.js";

/** The answer to a request, as the client receives it. */
export interface TestAnswer {
  /** HTTP status. */
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body. */
  readonly text: string;
  /** The file that the route answered with `reply.file`. */
  readonly file: StoredTestFile | undefined;
  /** The body as a JSON object. Throws if it is not one. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The body as any JSON value. Throws if it is not JSON. */
  readonly value: unknown;
  /** Errors that the plugin suppressed; empty for an answer without `errors`. */
  readonly errors: readonly SuppressedError[];
  /** The error object, if the status is 400 or higher. */
  readonly error: AbortingError | undefined;
  /**
   * The JSON value, typed by a schema such as that of the route's answer. Throws with a list of all
   * violations.
   */
  as<S extends TSchema>(schema: S): Static<S>;
}

/** A request to the plugin. */
export interface TestRequest {
  /** Any JSON value; for POST and PUT. */
  body?: unknown;
  /** In addition to the query in the path. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /**
   * Aborting it simulates a disconnecting client: the request ends, and the promise rejects with the signal's
   * reason.
   */
  signal?: AbortSignal;
  /** Receives the handler's calls of `progress`, like the progress of a job on a server. */
  progress?: (progress: { part: number; text?: string }) => void;
  /** Only `X-Request-Id` reaches a plugin, as the id of the request. */
  headers?: Readonly<Record<string, string>>;
}

/** A file created by a plugin, as its client would download it. */
export interface TestFile {
  /** Sanitized, as in a download; in an archive, the path with "/" between folders. */
  readonly name: string;
  /**
   * Including parameters, such as "text/csv; charset=utf-8"; in an archive, derived from the file extension.
   */
  readonly mediaType: string;
  /** The content. */
  readonly bytes: Uint8Array;
  /** The content as UTF-8. Throws if it is invalid. */
  text(): string;
  /** The content as JSON. Throws if it is invalid. */
  json(): unknown;
  /** The root element of XML with all descendants. Throws, with line and column, if it is not well-formed. */
  xml(): XmlElement;
  /** The content of a PDF. Rejects if it is not a PDF, or if the package `pdfjs-dist` is not installed. */
  pdf(): Promise<PdfContent>;
  /** The files of a ZIP by name, in archive order. Rejects if it is not a ZIP. */
  archive(): Promise<ReadonlyMap<string, TestFile>>;
}

/** A stored file of a plugin, with its URL. */
export interface StoredTestFile extends TestFile {
  /** Part of its URL. */
  readonly id: string;
  /** Absolute, as in answers: `http://slipway.test/files/<id>/<name>`. */
  readonly url: string;
}
