import type { SuppressedError } from "../../errors.js";
import type { RenderRequest, StoreTemplates } from "../../plugin/host.js";
import type { TemplateDefinition, TemplateRecord } from "../../plugin/template.js";
import type { Work } from "../calls/work.js";

/** Begins the links of PDFs that come with a template: `template:<key>`. */
export const attachmentScheme = "template:";

/** What is asked of a template store. */
export interface StoreRequest {
  /** Base address; without it, that of the configuration. */
  url?: string | undefined;
  token?: string | undefined;
  locale: string;
  /** Asks anew, however fresh the last answer is. */
  reload: boolean;
}

/** What a template made of its data. */
export interface RenderedTemplate {
  /** A complete document. */
  html: string;
  /** What it lacks. */
  errors: SuppressedError[];
}

/** Templates as plugins may use them. */
export interface TemplateSource {
  list(locale: string, reload: boolean): Promise<TemplateRecord[]>;
  /** The templates of a store; one that cannot be asked is no error. Rejects with 400 `request-bad-request`. */
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
