import type { SuppressedError } from "../errors.js";

/** A document that a plugin wants printed by `host.pdf.render`. */
export interface TestPrintJob {
  /** A complete document; it names its pictures by paths such as "/assets/<sha256>". */
  html: string;
  /** Tagged output with outline. */
  tagged: boolean;
  /** Runs the document's scripts. */
  scripts: boolean;
  /** Links to PDFs that come before it. */
  prependLinks: readonly string[];
  /** Links to PDFs that come after it. */
  appendLinks: readonly string[];
  /** What the document loads from the path of a URL; undefined for what is not there. */
  load(path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /** Aborts at the deadline of the request, and when its client goes away. */
  signal: AbortSignal;
}

/** A printed document. */
export interface TestPrint {
  /** The PDF. */
  content: Uint8Array;
  /** Pages of it. */
  pages: number;
  /** Attachments left out, characters without a glyph. */
  errors: SuppressedError[];
}

/** What prints documents for `host.pdf.render`, such as `chromiumPrinter()`. */
export interface TestPrinter {
  /** Rejects with a `RequestError` that the plugin gets to see. */
  print(job: TestPrintJob): Promise<TestPrint>;
  /** Frees what it holds; called by `stop` of the test host. */
  stop?(): Promise<void>;
}
