/** The services of the host that a plugin gets in `setup`. Each ends with a `RequestError` when it cannot serve. */
import type { SuppressedError } from "../errors.js";
import type { PricingProcedure } from "../project/document.js";
import { type Static, Type } from "../schema.js";
import type { Log } from "./log.js";
import type { Metrics } from "./metrics.js";
import type { OfferedService } from "./service.js";
import type { TemplateDefinition, TemplateRecord } from "./template.js";

/** A generated file with a URL and a lifetime. */
export const StoredFile = Type.Object({
  id: Type.String(),
  name: Type.String({ description: "File name as offered for download." }),
  url: Type.String({ description: "Absolute URL." }),
  bytes: Type.Integer({ minimum: 0 }),
});
/** A generated file: `name` as offered for download, `url` absolute, `bytes` its size. It lives as long as the server says. */
export type StoredFile = Static<typeof StoredFile>;

/** Text is stored as UTF-8. */
export type FileChunk = Uint8Array | string;

/** All of a file, or its pieces in order, such as a generator or a readable stream gives them. */
export type FileContent = FileChunk | Iterable<FileChunk> | AsyncIterable<FileChunk>;

/** A file on its way into an archive. */
export interface ArchiveEntry {
  /** Made by this request: by `files`, by `pdf`, or by a service that the request called. */
  file: StoredFile;
  /** Name in the archive, "/" between folders; without it, the file's own. */
  name?: string;
}

/** Generated files. They belong to the request that makes them: outside of one, both methods end with an error. */
export interface Files {
  /**
   * Stores a file; its name is cleaned of everything that is not fit for a download. Pieces are written as they come,
   * and the next one is asked for when there is room, so that a file may be larger than memory. Nothing is left of a
   * file whose pieces end with an error or whose request ends. Ends with 503 when the host has no room for it.
   */
  create(file: { name: string; mediaType: string; content: FileContent }): Promise<StoredFile>;
  /**
   * Stores a ZIP of files that this request has made; they do not travel through the plugin. Names of entries are cleaned,
   * and where one is there already, it gets a number. Any other file is refused with 500.
   */
  archive(archive: {
    /** With ".zip". */
    name: string;
    files: readonly ArchiveEntry[];
  }): Promise<StoredFile>;
}

/** What is printed: a document in hand, or what a template makes, which then does not travel through the plugin. */
export type PdfSource =
  | {
      /** A complete document; images and styles by the URLs that `templates.render` and its `image` helper give. */
      html: string;
    }
  | { template: RenderRequest };

/** What to print, and how. */
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

/** What was printed. */
export interface PdfResult {
  /** Where it is stored. */
  file: StoredFile;
  /** Pages of the whole file, with those of attachments. */
  pages: number;
  /** Attachments left out, characters without a glyph. */
  errors: SuppressedError[];
}

/** Printing to PDF. During a request only. */
export interface Pdf {
  /**
   * Prints a document and stores it. Ends with 503 when the queue is full, 504 at the deadline, 500 `template-error` when
   * the template fails.
   */
  render(request: PdfRequest): Promise<PdfResult>;
}

/** A template and the data that it is to show. */
export interface RenderRequest {
  /** Key, alias, or the `templateKey` of a store's template. */
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

/** What a template store gave. */
export interface StoreTemplates {
  /** By weight, then by key; each has a `templateKey` of its own, which means it everywhere. */
  templates: TemplateRecord[];
  /** How many more the store has that the host cannot use; its log says why. */
  omitted: number;
  /** Why there are none, or not all of them; a sentence fit for clients. */
  failure?: string;
}

/** The report templates of the server. */
export interface Templates {
  /** All templates with texts in the language of the locale; `reload` reads the folder again first. */
  list(request: { locale: string; reload?: boolean }): Promise<TemplateRecord[]>;
  /**
   * The templates of a template store: of the one at `url`, or of the host's own. `token` says for whom. `reload` asks even
   * when the last answer is fresh. A store that cannot be asked is no error. Ends with 400 when `url` or `token` are none.
   */
  listStore(request: {
    locale: string;
    url?: string | undefined;
    token?: string | undefined;
    reload?: boolean;
  }): Promise<StoreTemplates>;
  /** By key, alias, or the `templateKey` of a store's template; undefined when there is none. */
  find(request: { key: string; locale: string }): Promise<TemplateDefinition | undefined>;
  /** The HTML document of a template. Ends with 500 `template-error` when the template fails. */
  render(request: RenderRequest): Promise<{ html: string }>;
}

/** The pricing procedures of the server. */
export interface Procedures {
  /** A pricing procedure of the server's configuration by name. */
  find(name: string): Promise<PricingProcedure | undefined>;
}

/**
 * A GET to another server. Hosts outside the allow-list and internal addresses are refused (403 `request-forbidden`);
 * size (413) and time (504) are limited; a server that cannot be reached is 502 `fetch-error`, and so is a name that leads to an
 * internal address. `status` is that of the answer, 404 included; `mediaType` is without parameters, in small letters.
 */
export type OutgoingFetch = (
  url: string,
) => Promise<{ status: number; mediaType: string; content: Uint8Array }>;

/**
 * What a plugin has of the server it runs in; `setup` gets it. Each method ends with a `RequestError` when it cannot
 * serve, which a handler may simply let through.
 */
export interface Host {
  /** Own public name and version. */
  readonly plugin: { readonly name: string; readonly version: string };
  /** For lines outside of requests; during one, use the `log` of its context. */
  readonly log: Log;
  /** Counters and measures for the monitoring of the server. Make them in `setup`. */
  readonly metrics: Metrics;
  /** Stores what a request makes. */
  readonly files: Files;
  /** Prints to PDF. */
  readonly pdf: Pdf;
  /** Report templates. */
  readonly templates: Templates;
  /** Pricing procedures; `findProcedure` looks into the project first. */
  readonly procedures: Procedures;
  /** Loads from other servers, by the rules of the configuration. */
  readonly fetch: OutgoingFetch;
  /** What time it is. A test can set it, which it cannot do with `new Date()`. */
  now(): Date;
  /**
   * A service of another plugin: `host.service("Reporter@^1.0.0", "reports")`. The plugin is named by its public name or
   * an alias; of its live versions in the range the highest answers each call. Without a range any version will do.
   * What is asked for in `setup` is a requirement: admins see it, and whether it is met; a text with no valid range ends
   * the setup. It need not be there yet: calls end with 503 as long as it is not.
   */
  service(plugin: string, name: string): OfferedService;
}
