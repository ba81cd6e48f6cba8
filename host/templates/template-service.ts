import { type Static, Type } from "@slipway/sdk";
import type { TemplateSource } from "@slipway/sdk/runtime/host";
import { orUndefined } from "../system/or-undefined.js";
import { TemplateProblem } from "./template-problem.js";

/** The contract of the template service: registry, and rendering in separate processes. */
export interface TemplateService extends TemplateSource {
  start(): Promise<void>;
  /** One entry per template folder: serving version, and the error of a broken newer one. */
  states(): TemplateState[];
  /** The recently used stores with their last outcome. */
  storeStates(): StoreState[];
  /** Calls the listener after each change is in force; returns a function that unsubscribes it. */
  follow(listener: (change: TemplateChange) => void): () => void;
  /** Takes the templates of these plugins instead of those of the last call. Resolves when they serve or are refused. */
  usePlugins(plugins: readonly PluginTemplates[]): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of the templates that a plugin brings; it never changes. */
export interface PluginTemplates {
  plugin: string;
  folder: string;
}

/** The outcome of the last request to a store, for any token. */
export const StoreState = Type.Object(
  {
    url: Type.String({ description: "Without credentials." }),
    state: Type.Enum(["ok", "failed"]),
    templates: Type.Integer({ minimum: 0, description: "How many it gave to who asked last." }),
    error: orUndefined(
      Type.String({ description: "What kept it from giving more; the log names the templates." }),
    ),
    checked: Type.String({ format: "date-time", description: "UTC." }),
  },
  { title: "StoreState" },
);
export type StoreState = Static<typeof StoreState>;

/** Common members of template states and changes. */
const statusMembers = {
  key: Type.String({ description: "The name of the folder where no version serves." }),
  aliases: Type.Array(Type.String(), { description: "Of the version that serves." }),
  folder: Type.String(),
  plugin: orUndefined(Type.String({ description: "The plugin that brings it." })),
  version: orUndefined(Type.String({ description: "Content hash of the version that serves." })),
  problems: Type.Array(TemplateProblem, { description: "Of a newer version that cannot serve." }),
  notes: Type.Array(TemplateProblem, {
    description:
      "Mistakes in the newest version that do not keep it from serving, such as names that nothing has. Only with the setting `preview`.",
  }),
};

/** The state of a template folder. */
export const TemplateStatus = Type.Object(statusMembers);
export type TemplateStatus = Static<typeof TemplateStatus>;

export const TemplateState = Type.Object(
  {
    ...statusMembers,
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

/** A change of a template, also for clients. */
export const changedTemplate = {
  ...statusMembers,
  state: Type.Enum(["served", "refused", "removed", "failed"], {
    description:
      '"served": a new version serves, or the old one is all right again. "refused": the problems keep it from serving. "failed": the problem ended a report with it; only with the setting `preview`.',
  }),
};
const TemplateNews = Type.Object(changedTemplate);

/** A change of a template folder, or a failed report with its template. */
export interface TemplateChange extends Static<typeof TemplateNews> {
  /** Milliseconds since the epoch: time of the last write or move of a file; undefined when no file could be read. */
  changed: number | undefined;
}
