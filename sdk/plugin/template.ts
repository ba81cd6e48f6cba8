/** What the host knows of a template. */
import { type Static, Type } from "../schema.js";

/** One choice of an option with a fixed list. */
export const OptionChoice = Type.Object({ key: Type.String(), label: Type.String() });

/** An option of a template that a request may set, in the words of one language. */
export const OptionField = Type.Object({
  key: Type.String(),
  label: Type.String(),
  type: Type.Enum(["string", "boolean", "int"]),
  default: Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()])),
  options: Type.Optional(Type.Array(OptionChoice)),
});
/** An option of a template that a request may set, in the words of one language. */
export type OptionField = Static<typeof OptionField>;

/** Options of a template under one heading. */
export const OptionCategory = Type.Object({
  key: Type.String(),
  label: Type.String(),
  fields: Type.Array(OptionField),
});
/** Options of a template under one heading. */
export type OptionCategory = Static<typeof OptionCategory>;

/** A PDF that comes with a template; its link may be among `prependLinks` and `appendLinks`. */
export const TemplateAttachment = Type.Object({ name: Type.String(), link: Type.String() });

/** What a request may ask of a template: PDFs to attach by their keys, and options under headings. */
export const TemplateOptions = Type.Object({
  attachments: Type.Record(Type.String(), TemplateAttachment),
  categories: Type.Array(OptionCategory),
});
/** What a request may ask of a template: PDFs to attach by their keys, and options under headings. */
export type TemplateOptions = Static<typeof TemplateOptions>;

/** An element of the template list. */
export const TemplateRecord = Type.Object(
  {
    category: Type.Object({ key: Type.String(), name: Type.String() }),
    description: Type.String(),
    key: Type.String(),
    name: Type.String(),
    pageBreaksDisabled: Type.Boolean(),
    properties: Type.Array(Type.Unknown()),
    sortWeight: Type.Integer(),
    source: Type.String(),
    templateKey: Type.String(),
    version: Type.String(),
    views: Type.Array(Type.Unknown()),
  },
  { title: "TemplateRecord" },
);
/** An element of the template list. `templateKey` names the template in requests, whichever place it is from. */
export type TemplateRecord = Static<typeof TemplateRecord>;

/** A template with its options, texts in one language. */
export interface TemplateDefinition {
  /** What lists show of it. */
  record: TemplateRecord;
  /** Other keys that mean this template. */
  aliases: readonly string[];
  /** What a request may set. */
  options: TemplateOptions;
  /** Tagged PDF. */
  accessibility: boolean;
  /** Its document runs scripts when it is printed. */
  scripts: boolean;
  /** Articles carry all lines of their price sheets. */
  calculationLines: boolean;
  /** Hash of the template's content; names exactly what `templates.render` is to use. */
  version: string;
}
