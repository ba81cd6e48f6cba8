import type {
  RenderRequest,
  StoreTemplates,
  SuppressedError,
  TemplateDefinition,
  TemplateRecord,
} from "@slipway/sdk";
import type { StoreState } from "./store/store-states.js";
import type { StoreRequest } from "./store/template-stores.js";
import type { TemplateProblem } from "./template-problem.js";

/** What the host needs of templates: the registry and the renderer behind one contract. */
export interface TemplateService {
  start(): Promise<void>;
  list(locale: string, reload: boolean): Promise<TemplateRecord[]>;
  /** The templates of a store; one that cannot be asked is no error. Rejects with 400 `request-bad-request`. */
  listStore(request: StoreRequest): Promise<StoreTemplates>;
  /** By key, alias, or the `templateKey` of a store's template. */
  find(key: string, locale: string): Promise<TemplateDefinition | undefined>;
  /** Renders in a process of its own. Rejects with a `RequestError`: 500 `template-error`, 504 `request-timeout`. */
  render(
    request: RenderRequest,
    limits: { signal: AbortSignal; deadline: number },
  ): Promise<RenderedTemplate>;
  /** A file of a template that its documents may load: `path` is below the template's folder. */
  asset(version: string, path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /** A PDF that comes with a template, in the language of the locale where there is one per language. */
  attachment(version: string, key: string, locale: string): Promise<Uint8Array | undefined>;
  /** One entry per template folder: serving version, and the error of a broken newer one. */
  states(): TemplateState[];
  /** The stores that were asked, with what came of it last. */
  storeStates(): StoreState[];
  /** Calls the listener after each change is in force; gives what ends that. */
  follow(listener: (change: TemplateChange) => void): () => void;
  stop(): Promise<void>;
}

/** What a template made of its data. */
export interface RenderedTemplate {
  /** A complete document. */
  html: string;
  /** What it lacks. */
  errors: SuppressedError[];
}

/** Where the template of a folder stands. */
export interface TemplateStanding {
  /** The name of the folder where no version serves. */
  key: string;
  /** Of the version that serves. */
  aliases: string[];
  folder: string;
  /** Content hash of the version that serves. */
  version: string | undefined;
  /** Of a newer version that cannot serve. */
  problems: TemplateProblem[];
}

export interface TemplateState extends TemplateStanding {
  /** The problems as one text, with file and line where known. */
  error: string | undefined;
  /** Of the serving version, such as texts that a language lacks. */
  warnings: string[];
}

/** What happened to the template of a folder. */
export interface TemplateChange extends TemplateStanding {
  /** "served": a new version serves, or the old one is all right again. "refused": the problems keep it from serving. */
  state: "served" | "refused" | "removed";
  /** Milliseconds since the epoch: when the newest file was written or moved here; undefined where none could be read. */
  changed: number | undefined;
}
