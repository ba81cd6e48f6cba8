/** Messages between the host and a rendering process: one question at a time. */
import { type Static, TemplateFile, Type } from "@slipway/sdk";
import type { LoadedTemplate } from "./loaded-template.js";

/** The parts of a template version that rendering needs. */
export const TemplatePackage = Type.Object({
  version: Type.String(),
  texts: Type.Record(Type.String(), Type.String()),
  translations: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  /** Name of the template in each language. */
  name: Type.Record(Type.String(), Type.String()),
  style: Type.String(),
  page: TemplateFile.properties.page,
  assets: Type.Array(Type.String()),
  /** Keys of the options. */
  options: Type.Array(Type.String()),
  /** Files of `texts` that come from shared folders. */
  shared: Type.Array(Type.String()),
});
export type TemplatePackage = Static<typeof TemplatePackage>;

/** The package of a template for a rendering process. */
export function packageOf(template: LoadedTemplate): TemplatePackage {
  const { name } = template.definition;
  return {
    version: template.version,
    texts: Object.fromEntries(template.texts),
    translations: Object.fromEntries(template.translations),
    name: typeof name === "string" ? { en: name } : name,
    style: template.style,
    page: template.definition.page,
    assets: [...template.assets.keys()],
    options: template.definition.options.categories.flatMap(({ fields }) => fields.map(({ key }) => key)),
    shared: [...template.texts.keys()].filter((path) => template.origins.has(`${path}.ejs`)),
  };
}

export const LoadQuestion = Type.Object({ type: Type.Literal("load"), template: TemplatePackage });

export type LoadQuestion = Static<typeof LoadQuestion>;

export const RenderQuestion = Type.Object({
  type: Type.Literal("render"),
  version: Type.String(),
  /** JSON text. */
  data: Type.String(),
  locale: Type.String(),
  formatLocale: Type.String(),
});
export type RenderQuestion = Static<typeof RenderQuestion>;

/** Has no reply. */
export const ForgetMessage = Type.Object({ type: Type.Literal("forget"), version: Type.String() });

export const RenderProcessMessage = Type.Union([LoadQuestion, RenderQuestion, ForgetMessage]);
export type RenderProcessMessage = Static<typeof RenderProcessMessage>;

const Problem = Type.Object({
  file: Type.String({ maxLength: 1000 }),
  line: Type.Union([Type.Integer(), Type.Null()]),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
  message: Type.String({ maxLength: 2000 }),
});

export const ReadyReply = Type.Object({ type: Type.Literal("ready") });
export const LoadedReply = Type.Object({
  type: Type.Literal("loaded"),
  /** They keep the template from being served. */
  problems: Type.Array(Problem),
  /** For authors: the other problems. */
  notes: Type.Array(Problem),
});
export const RenderedReply = Type.Object({
  type: Type.Literal("rendered"),
  html: Type.String(),
  /** Keys without a translation. */
  missing: Type.Array(Type.String()),
  /** For authors: names that the data does not have. */
  notes: Type.Array(Problem),
});
export const FailedReply = Type.Object({ type: Type.Literal("failed"), problem: Problem });
/** The template exceeded its time limit at this place; the process ends after this reply. */
export const OvertimeReply = Type.Object({
  type: Type.Literal("overtime"),
  file: Problem.properties.file,
  line: Problem.properties.line,
});

export const RenderProcessReply = Type.Union([
  ReadyReply,
  LoadedReply,
  RenderedReply,
  FailedReply,
  OvertimeReply,
]);
export type RenderProcessReply = Static<typeof RenderProcessReply>;

/** Parameters of the process, as its only argument in JSON. */
export const RenderProcessOptions = Type.Object({
  strict: Type.Boolean(),
  timeLimit: Type.Integer(),
  outputLimit: Type.Integer(),
  /** MiB of the heap. */
  memoryLimit: Type.Number(),
  /** Whether templates are reviewed for their authors, which takes time. */
  isForAuthors: Type.Boolean(),
});
export type RenderProcessOptions = Static<typeof RenderProcessOptions>;
