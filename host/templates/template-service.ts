import { type Static, Type } from "@slipway/sdk";
import type { TemplateSource } from "@slipway/sdk/runtime/host";
import { orUndefined } from "../system/or-undefined.js";
import type { StoreState } from "./stores/store-states.js";
import { TemplateProblem } from "./template-problem.js";

/** The registry and the renderer, which renders in processes of its own, behind one contract. */
export interface TemplateService extends TemplateSource {
  start(): Promise<void>;
  /** One entry per template folder: serving version, and the error of a broken newer one. */
  states(): TemplateState[];
  /** The stores that were asked, with what came of it last. */
  storeStates(): StoreState[];
  /** Calls the listener after each change is in force; gives what ends that. */
  follow(listener: (change: TemplateChange) => void): () => void;
  stop(): Promise<void>;
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
