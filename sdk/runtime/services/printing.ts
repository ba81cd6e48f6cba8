import type { FileToEmbed, PdfUpdate } from "../../pdf/pdf-update.js";
import type { XmpStatement } from "../../pdf/xmp-extension.js";
import type { RenderRequest, StoreTemplates } from "../../plugin/host.js";
import type { TemplateDefinition, TemplateRecord } from "../../plugin/template.js";
import type { SuppressedError } from "../../schema/errors.js";
import type { Work } from "../calls/work.js";

/** Resources that a document may load, by URL path below the internal origin. */
export interface DocumentResources {
  /** `path` is the URL path, percent-encoded as in the document. Undefined: not found. */
  load(path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /**
   * Whether `load` would find something, without reading it. Recommended: the browser caches pictures across
   * documents, and this checks whether the current document may use a cached one. Without it, the host reads
   * every picture for this check.
   */
  has?(path: string): Promise<boolean> | boolean;
}

export interface PrintJob {
  /** Complete HTML document; it refers to resources by absolute paths such as "/assets/<sha256>". */
  html: string;
  tagged: boolean;
  /** PDF/A-3, unless the document prevents it. */
  archivable: boolean;
  scripts: boolean;
  prependLinks: string[];
  appendLinks: string[];
  /**
   * Content of a non-URL link, called before all others; may reject with a `RequestError` that explains why.
   */
  attachment?(link: string): Promise<Uint8Array | undefined>;
  resources: DocumentResources;
  /** For fairness in the queue: the client of the request, and the session among those of the client. */
  client: string | undefined;
  session: string | undefined;
  /** By `monotonicClock`; counted from the arrival of the request, including time in the queue. */
  deadline: number;
  signal: AbortSignal;
  /** The work that the print belongs to. */
  work: Work;
}

export interface PrintedPdf {
  content: Uint8Array;
  pages: number;
  errors: SuppressedError[];
}

/** Files to embed in a PDF. */
export interface EmbedJob {
  pdf: Uint8Array;
  files: FileToEmbed[];
  statement?: XmpStatement | undefined;
  /** Of the PDF and all files together. */
  bytes: number;
}

/** Prints HTML. Rejects with a `RequestError`: 503 `request-overloaded`, `plugin-unavailable`, 504 `request-timeout`, 500 `template-error`. */
export interface Printing {
  print(job: PrintJob): Promise<PrintedPdf>;
  /** Plans the embedding of files into a printed PDF. Rejects with 413 `request-too-large`, and with other errors for an unsuitable PDF or name. */
  planUpdate(job: EmbedJob): Promise<PdfUpdate>;
}

/** Begins the links of PDFs that come with a template: `template:<key>`. */
export const attachmentScheme = "template:";

/** A request to a template store. */
export interface StoreRequest {
  /** Base address; without it, that of the configuration. */
  url?: string | undefined;
  token?: string | undefined;
  locale: string;
  /** Ignores cached responses. */
  reload: boolean;
}

/** A template rendered with its data. */
export interface RenderedTemplate {
  /** A complete document. */
  html: string;
  /** Problems of the document. */
  errors: SuppressedError[];
}

/** Templates as plugins may use them. */
export interface TemplateSource {
  list(locale: string, reload: boolean): Promise<TemplateRecord[]>;
  /** The templates of a store; an unreachable one is no error. Rejects with 400 `request-bad-request`. */
  listStore(request: StoreRequest): Promise<StoreTemplates>;
  /** By key, alias, or the `templateKey` of a store's template. */
  find(key: string, locale: string): Promise<TemplateDefinition | undefined>;
  /** Rejects with a `RequestError`: 500 `template-error`, 504 `request-timeout`. */
  render(
    request: RenderRequest,
    limits: { signal: AbortSignal; deadline: number; work: Work },
  ): Promise<RenderedTemplate>;
  /** A file of a template that its documents may load: `path` is below the template's folder. */
  asset(version: string, path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /** A PDF that comes with a template, in the language of the locale where there is one per language. */
  attachment(version: string, key: string, locale: string): Promise<Uint8Array | undefined>;
}

/**
 * The name of a file that a document's policy has blocked: its path if it belongs to the document, else its address without
 * the query, which may be a secret. `address` comes from the browser, `origin` is the document's. Undefined for anything
 * but files, such as inline scripts.
 */
export function blockedFile(address: string | undefined, origin: string): string | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return url.origin === origin ? url.pathname : `${url.origin}${url.pathname}`;
}
