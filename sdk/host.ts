/** The services of the host that a plugin gets in `setup`. Each ends with a `RequestError` when it cannot serve. */
import type { SuppressedError } from "./errors.js";
import type { PricingProcedure } from "./project/document.js";
import type { TemplateDefinition, TemplateRecord } from "./template.js";

/** Structured log; `fields` are members of the line, `error` among them is written with its stack. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** A generated file with a URL and a lifetime. */
export interface StoredFile {
  id: string;
  /** File name as offered for download. */
  name: string;
  /** Absolute URL. */
  url: string;
  bytes: number;
}

export interface Files {
  /** Stores a file; its name is cleaned of everything that is not fit for a download. */
  create(file: { name: string; mediaType: string; content: Uint8Array | string }): Promise<StoredFile>;
}

/** What is printed: a document in hand, or what a template makes, which then does not travel through the plugin. */
export type PdfSource =
  | {
      /** A complete document; images and styles by the URLs that `templates.render` and its `image` helper give. */
      html: string;
    }
  | { template: RenderRequest };

export type PdfRequest = PdfSource & {
  /** With ".pdf". */
  filename: string;
  /** Tagged output with outline; default false, because tags make a PDF slower and larger. */
  tagged?: boolean;
  /** Runs the document's scripts, in a browser context of its own; default false. */
  scripts?: boolean;
  /** Links to PDFs that come before and after; one that cannot be loaded is among the errors of the result. */
  prependLinks?: string[];
  appendLinks?: string[];
};

export interface PdfResult {
  file: StoredFile;
  pages: number;
  /** Attachments left out, characters without a glyph. */
  errors: SuppressedError[];
}

export interface Pdf {
  /**
   * Prints a document and stores it. Ends with 503 when the queue is full, 504 at the deadline, 500 `template-error` when
   * the template fails.
   */
  render(request: PdfRequest): Promise<PdfResult>;
}

export interface RenderRequest {
  key: string;
  /** The content hash of the definition in hand, so that a reload between two calls changes nothing. */
  version: string;
  /** JSON text of what the template sees as its data. */
  data: string;
  /** Of texts, such as "de_DE". */
  locale: string;
  /** Of numbers, prices and dates. */
  formatLocale: string;
}

export interface Templates {
  /** All templates with texts in the language of the locale; `reload` reads the folder again first. */
  list(request: { locale: string; reload?: boolean }): Promise<TemplateRecord[]>;
  /** By key or alias; undefined when there is none. */
  find(request: { key: string; locale: string }): Promise<TemplateDefinition | undefined>;
  /** The HTML document of a template. Ends with 500 `template-error` when the template fails. */
  render(request: RenderRequest): Promise<{ html: string }>;
}

export interface Procedures {
  /** A pricing procedure of the server's configuration by name. */
  find(name: string): Promise<PricingProcedure | undefined>;
}

/** Hosts outside the allow-list and internal addresses are refused; size and time are limited. */
export type OutgoingFetch = (
  url: string,
) => Promise<{ status: number; mediaType: string; content: Uint8Array }>;

export interface Host {
  readonly plugin: { readonly name: string; readonly version: string };
  readonly log: Log;
  readonly files: Files;
  readonly pdf: Pdf;
  readonly templates: Templates;
  readonly procedures: Procedures;
  readonly fetch: OutgoingFetch;
}
