import type { SuppressedError } from "../../errors.js";
import type { Work } from "../calls/work.js";

/** Bytes that a document may load, by the path of their URL below the internal origin. */
export interface DocumentResources {
  /** `path` as in the URL, percent-encoded where the document wrote it so. Undefined: not found. */
  load(path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /**
   * Whether `load` would find something, without reading it. Worth having: the browser keeps pictures across documents,
   * and this is the question whether the document at hand may use one. Without it, all its pictures are read to ask.
   */
  has?(path: string): Promise<boolean> | boolean;
}

/** A document to print, and what it may load. */
export interface PrintJob {
  /** Complete HTML document; it refers to resources by absolute paths such as "/assets/<sha256>". */
  html: string;
  tagged: boolean;
  scripts: boolean;
  prependLinks: string[];
  appendLinks: string[];
  /** Content of a link that is no URL, asked before all others; may reject with a `RequestError` that says why not. */
  attachment?(link: string): Promise<Uint8Array | undefined>;
  resources: DocumentResources;
  /** Whose turn it takes: the client of the request that it is for, and the session among those of the client. */
  client: string | undefined;
  session: string | undefined;
  /** By `monotonicTime`; counts from the arrival of the request, so waiting is part of it. */
  deadline: number;
  signal: AbortSignal;
  /** What it is done for. */
  work: Work;
}

/** A document that was printed, with the PDFs before and after it. */
export interface PrintedPdf {
  content: Uint8Array;
  pages: number;
  errors: SuppressedError[];
}

/** Prints HTML. Rejects with a `RequestError`: 503 `request-overloaded`, `plugin-unavailable`, 504 `request-timeout`, 500 `template-error`. */
export interface Printing {
  print(job: PrintJob): Promise<PrintedPdf>;
}
