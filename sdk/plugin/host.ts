/** Host services for plugins, passed to `setup`. Methods fail with a `RequestError`. */

import type { RepeatedText } from "../formats/xml/repeated-text.js";
import type { XmpStatement } from "../pdf/xmp-extension.js";
import type { PricingProcedure } from "../project/document.js";
import type { SuppressedError } from "../schema/errors.js";
import { type Static, Type } from "../schema/schema.js";
import type { Log } from "./handler-context.js";
import type { Metrics } from "./metrics.js";
import type { OfferedService } from "./service.js";
import type { Store } from "./store.js";
import type { StoredFile } from "./stored-file.js";
import type { TemplateDefinition, TemplateRecord } from "./template.js";

/** A piece of a file; text is stored as UTF-8. */
export type FileChunk = Uint8Array | string | RepeatedText;

/** A whole file, or its pieces in order, for example from a generator or a readable stream. */
export type FileContent = FileChunk | Iterable<FileChunk> | AsyncIterable<FileChunk>;

/** A file to add to an archive. */
export interface ArchiveEntry {
  /** A file created by this request: by `files`, by `pdf`, or by a service that the request called. */
  file: StoredFile;
  /** Path in the archive, with "/" between folders; default: the file's own name. */
  name?: string;
}

/** Generated files. They belong to the current request: outside of a request both methods fail. */
export interface Files {
  /**
   * Stores a file; characters unsuitable for downloads are removed from its name. Pieces are written as they arrive and
   * requested on demand, so a file may be larger than memory. If the pieces fail or the request ends, the file is
   * removed. Fails with 503 if the host has no room for it.
   */
  create(file: {
    name: string;
    mediaType: string;
    content: FileContent;
    /** Whether this request will archive the file: it is then compressed while it is written. Default: false. */
    archived?: boolean;
  }): Promise<StoredFile>;
  /**
   * Stores a ZIP of files created by this request; their content does not pass through the plugin. Entry names are
   * cleaned; duplicates get a number. Other files are refused with 500.
   */
  archive(archive: {
    /** Including ".zip". */
    name: string;
    files: readonly ArchiveEntry[];
  }): Promise<StoredFile>;
}

/** The source of a PDF: an HTML document, or a template, whose HTML does not pass through the plugin. */
export type PdfSource =
  | {
      /** A complete document; images and styles use the URLs from `templates.render` and its `image` helper. */
      html: string;
    }
  | { template: RenderRequest };

/** Source and options of a PDF. */
export type PdfRequest = PdfSource & {
  /** Including ".pdf". */
  filename: string;
  /** Tagged output with outline. Default: false, because tags make a PDF slower and larger. */
  tagged?: boolean;
  /**
   * PDF/A-3, for archives: level A together with PDF/UA-1 if the document is tagged, otherwise level U. The PDF claims it
   * only if it is true; otherwise `pdf-not-archivable` is among the result's errors. Default: false.
   */
  archivable?: boolean;
  /** Runs the document's scripts in a separate browser context. Default: false. */
  scripts?: boolean;
  /** Links to PDFs to insert before and after; failures to load are listed in the result's errors. */
  prependLinks?: string[];
  appendLinks?: string[];
};

/** Result of printing a PDF. */
export interface PdfResult {
  /** The stored PDF. */
  file: StoredFile;
  /** Number of pages of the whole file, including attachments. */
  pages: number;
  /** Omitted attachments, and characters without a glyph. */
  errors: SuppressedError[];
}

/** A file to embed in a PDF. */
export interface EmbeddedEntry {
  /** A file created by this request, or by a service that the request called. */
  file: StoredFile;
  /** Name in the PDF; default: the file's own name. */
  name?: string;
  /** Such as "text/xml"; default: that of the file. */
  mediaType?: string;
  /**
   * Relation of the file to the document: the same content (`Alternative`), its source (`Source`), data behind it (`Data`),
   * something more (`Supplement`), or `Unspecified`.
   */
  relationship: "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified";
  /** For people. */
  description?: string;
}

/** PDF printing. Only during a request. */
export interface Pdf {
  /**
   * Prints a document and stores it. Fails with 503 if the queue is full, 504 at the deadline, 500 `template-error` if
   * the template fails.
   */
  render(request: PdfRequest): Promise<PdfResult>;
  /**
   * Embeds files in a copy of a PDF. Their bytes do not pass through the plugin, and the host needs little memory for them.
   * An archivable PDF remains one. Fails with 500 `plugin-error` for files that this request has not created, for a PDF that
   * it has not printed and for two files of one name; with 413 if the result would exceed the size limit of PDFs; with 422
   * `pdf-not-archivable` for a `statement` in a PDF that is not archivable.
   */
  embed(embedding: {
    /** From `pdf.render` or `pdf.embed` of this request, or of a service that the request called. */
    pdf: StoredFile;
    files: readonly EmbeddedEntry[];
    /** Metadata about the files. */
    statement?: XmpStatement;
    /** Including ".pdf"; default: the name of the given PDF. */
    filename?: string;
  }): Promise<StoredFile>;
}

/** A template and its data. */
export interface RenderRequest {
  /** Key, alias, or the `templateKey` of a store's template. */
  key: string;
  /** Content hash of the template definition, so that a reload between two calls has no effect. */
  version: string;
  /** The template's data as JSON text. */
  data: string;
  /** Locale of texts, such as "de_DE". */
  locale: string;
  /** Locale of numbers, prices and dates. */
  formatLocale: string;
}

/** Response of a template store. */
export interface StoreTemplates {
  /** Sorted by weight, then by key; each has a globally unique `templateKey`. */
  templates: TemplateRecord[];
  /** Number of further templates that the host cannot use; the reasons are in its log. */
  omitted: number;
  /** Reason for missing templates; one sentence fit for clients. */
  failure?: string;
}

/** The report templates of the server. */
export interface Templates {
  /** All templates, with texts in the language of the locale; `reload` reads the folder again first. */
  list(request: { locale: string; reload?: boolean }): Promise<TemplateRecord[]>;
  /**
   * The templates of a template store: at `url`, or the host's configured one. `token` authenticates the user. `reload`
   * queries the store even if the last response is fresh. An unreachable store is not an error. Fails with 400 if `url`
   * or `token` is invalid.
   */
  listStore(request: {
    locale: string;
    url?: string | undefined;
    token?: string | undefined;
    reload?: boolean;
  }): Promise<StoreTemplates>;
  /** Finds a template by key, alias, or the `templateKey` of a store's template, if any. */
  find(request: { key: string; locale: string }): Promise<TemplateDefinition | undefined>;
  /** Renders a template to an HTML document. Fails with 500 `template-error` if the template fails. */
  render(request: RenderRequest): Promise<{ html: string }>;
}

/**
 * The files that a plugin brings (`slipway.assets` of its manifest), by their paths in its folder, such as
 * "assets/logo.png". Read from the same copy as the code, also outside of requests. All methods fail with 500
 * `plugin-error` for a name that is not among them, which the message names with similar ones.
 */
export interface Assets {
  /** All of them, sorted. */
  readonly names: readonly string[];
  /** A text in UTF-8, without a byte order mark. Fails with 500 `plugin-error` for anything else. */
  text(name: string): Promise<string>;
  /** The content of a file. */
  bytes(name: string): Promise<Uint8Array>;
  /**
   * A `data:` URL, for pictures, fonts and styles of a document that `pdf.render` prints. It needs no network; each use adds
   * the content to the document. Its media type follows from the file extension. Fails with 500 `plugin-error` for files of
   * more than 4 MB.
   */
  url(name: string): Promise<string>;
}

/** The pricing procedures of the server. */
export interface Procedures {
  /** Finds a pricing procedure of the server's configuration by name. */
  find(name: string): Promise<PricingProcedure | undefined>;
}

/** Methods of requests to other servers. */
export const FetchMethod = Type.Enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
/** Methods of requests to other servers. */
export type FetchMethod = Static<typeof FetchMethod>;

/** A request to another server. */
export interface FetchRequest {
  /** Default: GET. */
  method?: FetchMethod;
  /**
   * Headers by name, such as `{ Authorization: "Bearer …" }`. Those of the connection and of the body's length are set by the
   * host; naming one of them is an error. No other server gets them when this one redirects.
   */
  headers?: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8. Not for GET and HEAD. */
  body?: Uint8Array | string;
}

/** The response of another server. */
export interface FetchResponse {
  /** HTTP status, including 404. */
  status: number;
  /** In lower case, without parameters; "application/octet-stream" if the server names none. */
  mediaType: string;
  /** By lower-case name, without cookies; several of a name are joined with ", ". */
  headers: Readonly<Record<string, string>>;
  /** The body. */
  content: Uint8Array;
}

/**
 * A request to another server, GET by default. Hosts outside the allow-list and internal addresses are refused (403
 * `request-forbidden`), and so is a redirect of a body to another server. Size (413) and time (504) are limited. An
 * unreachable server, and a name that resolves to an internal address, is 502 `fetch-error`. Redirects are followed: GET and
 * HEAD as they are, others after 301, 302 and 303 as GET without the body.
 */
export type OutgoingFetch = (url: string, request?: FetchRequest) => Promise<FetchResponse>;

/**
 * The host interface for plugins, passed to `setup`. Methods fail with a `RequestError`, which a handler need not
 * catch.
 */
export interface Host {
  /** The plugin's public name and version. */
  readonly plugin: { readonly name: string; readonly version: string };
  /** Log for lines outside of requests; during a request use the `log` of its context. */
  readonly log: Log;
  /** Metrics for monitoring. Create them in `setup`. */
  readonly metrics: Metrics;
  /** The files that the plugin brings. */
  readonly assets: Assets;
  /** Stores the generated files of a request. */
  readonly files: Files;
  /** Prints to PDF. */
  readonly pdf: Pdf;
  /** Report templates. */
  readonly templates: Templates;
  /** Pricing procedures; `findProcedure` looks into the project first. */
  readonly procedures: Procedures;
  /** Small values that the plugin keeps between requests, restarts and versions. */
  readonly store: Store;
  /** Requests to other servers, such as an ERP system, subject to the host's configuration. */
  readonly fetch: OutgoingFetch;
  /**
   * The absolute path of a folder that the manifest asks for (`read` or `write` of `slipway.permissions`) and the admin has
   * granted. Throws 500 `plugin-error` for any other name.
   */
  folder(name: string): string;
  /** The current time. Tests can set it, unlike `new Date()`. */
  now(): Date;
  /**
   * A service of another plugin: `host.service("Reporter@^1.0.0", "reports")`. The plugin is given by its public name
   * or an alias. Each call goes to the highest live version in the range; without a range, any version matches. A
   * service requested in `setup` is a requirement whose state is visible to admins; an invalid range makes `setup`
   * fail. The service may be missing at first: calls fail with 503 until it is available.
   */
  service(plugin: string, name: string): OfferedService;
}
