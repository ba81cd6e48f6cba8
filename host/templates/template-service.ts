import {
  type RenderRequest,
  type Static,
  type StoreTemplates,
  type SuppressedError,
  type TemplateDefinition,
  type TemplateRecord,
  Type,
} from "@slipway/sdk";
import { orUndefined } from "../or-undefined.js";
import type { Work } from "../tracing/work.js";
import type { StoreState } from "./store/store-states.js";
import type { StoreRequest } from "./store/template-stores.js";
import { TemplateProblem } from "./template-problem.js";

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
    limits: { signal: AbortSignal; deadline: number; work: Work },
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

/** Hears of what is rendered; must not throw. */
export interface TemplateMeasures {
  rendered(work: {
    /** Key of a template of this host; undefined for one of a store. */
    template: string | undefined;
    /** "done", or the id of the error that it ended with. */
    outcome: string;
    seconds: number;
  }): void;
}

/** What a template made of its data. */
export interface RenderedTemplate {
  /** A complete document. */
  html: string;
  /** What it lacks. */
  errors: SuppressedError[];
}

/** What is told of the template of a folder, whatever it is told for. */
const standing = {
  key: Type.String({ description: "The name of the folder where no version serves." }),
  aliases: Type.Array(Type.String(), { description: "Of the version that serves." }),
  folder: Type.String(),
  version: orUndefined(Type.String({ description: "Content hash of the version that serves." })),
  problems: Type.Array(TemplateProblem, { description: "Of a newer version that cannot serve." }),
};

/** Where the template of a folder stands. */
export const TemplateStanding = Type.Object(standing);
export type TemplateStanding = Static<typeof TemplateStanding>;

export const TemplateState = Type.Object(
  {
    ...standing,
    error: orUndefined(
      Type.String({ description: "The problems as one text, with file and line where known." }),
    ),
    warnings: Type.Array(Type.String(), {
      description: "Of the serving version, such as texts that a language lacks.",
    }),
  },
  { title: "TemplateState" },
);
export type TemplateState = Static<typeof TemplateState>;

/** Told of a change, also to clients. */
export const changedTemplate = {
  ...standing,
  state: Type.Enum(["served", "refused", "removed"], {
    description:
      '"served": a new version serves, or the old one is all right again. "refused": the problems keep it from serving.',
  }),
};
const TemplateNews = Type.Object(changedTemplate);

/** What happened to the template of a folder. */
export interface TemplateChange extends Static<typeof TemplateNews> {
  /** Milliseconds since the epoch: when the newest file was written or moved here; undefined where none could be read. */
  changed: number | undefined;
}
