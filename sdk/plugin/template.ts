/** Template metadata. */
import { type Static, Type } from "../schema/schema.js";

/** One choice of an option with a fixed list. */
export const OptionChoice = Type.Object({ key: Type.String(), label: Type.String() });

/** An option of a template that a request may set, with texts in one language. */
export const OptionField = Type.Object({
  key: Type.String(),
  label: Type.String(),
  type: Type.Enum(["string", "boolean", "int"]),
  default: Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()])),
  options: Type.Optional(Type.Array(OptionChoice)),
  format: Type.Optional(
    Type.Enum(["number", "date", "text", "image"], {
      description:
        'What a value of the type "string" has to be: a decimal number such as "2.5", an ISO date such as "2024-07-10", a text of several lines, or the address of a picture, which may be a data: URL. Without it, a line of text.',
    }),
  ),
  minimum: Type.Optional(Type.Number({ description: 'Of the type "int" and the format "number".' })),
  maximum: Type.Optional(Type.Number({ description: 'Of the type "int" and the format "number".' })),
  decimals: Type.Optional(
    Type.Integer({ description: 'Of the format "number": how many digits there may be after the point.' }),
  ),
});
/** An option of a template that a request may set, with texts in one language. */
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

/** Choices of a template for requests: PDFs to attach by key, and options by category. */
export const TemplateOptions = Type.Object({
  attachments: Type.Record(Type.String(), TemplateAttachment),
  categories: Type.Array(OptionCategory),
});
/** Choices of a template for requests: PDFs to attach by key, and options by category. */
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
/**
 * An element of the template list. `templateKey` identifies the template in requests, including templates of a store.
 */
export type TemplateRecord = Static<typeof TemplateRecord>;

/** A template with its options, texts in one language. */
export interface TemplateDefinition {
  /** The element of the template list. */
  record: TemplateRecord;
  /** Other keys of this template. */
  aliases: readonly string[];
  /** Attachments and options for requests. */
  options: TemplateOptions;
  /** The PDF is tagged. */
  accessibility: boolean;
  /** The PDF is to conform to PDF/A-3. */
  archivable: boolean;
  /** The document's scripts run when it is printed. */
  scripts: boolean;
  /** Articles include all lines of their price sheets. */
  calculationLines: boolean;
  /** Content hash of the template, for `templates.render`. */
  version: string;
}
