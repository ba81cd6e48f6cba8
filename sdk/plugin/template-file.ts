/** The file `template.json`, which describes a template. */

import { type Static, Type } from "../schema/schema.js";
import { mostDecimals } from "./option-text.js";

const closed = { additionalProperties: false };

/** Language tags of texts: "de", "de-CH". */
export const languagePattern = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$";
/** Names of shared template folders, such as "_standard". */
export const sharedFolderPattern = "^_[A-Za-z0-9._-]{1,79}$";

/** One text per language: `{ "en": "Quote", "de": "Angebot" }`. */
export const LocalizedText = Type.Record(
  Type.String({ pattern: languagePattern }),
  Type.String({ maxLength: 2000 }),
  {
    ...closed,
    minProperties: 1,
    description: 'Texts by language, such as { "en": "Quote", "de": "Angebot" }.',
  },
);
/** One text per language: `{ "en": "Quote", "de": "Angebot" }`. */
export type LocalizedText = Static<typeof LocalizedText>;

/** A text in English, which `i18n/labels.csv` translates, or one per language. A union would make errors vague. */
export const TemplateText = Type.Unsafe<string | LocalizedText>({
  ...LocalizedText,
  type: ["string", "object"],
  minLength: 1,
  maxLength: 2000,
  description:
    'A text in English, which i18n/labels.csv translates; or by language, such as { "en": "Quote", "de": "Angebot" }.',
});
/** A text in English, which `i18n/labels.csv` translates, or one per language. */
export type TemplateText = Static<typeof TemplateText>;

/** Keys of templates: letters, digits, ".", "_" and "-", at most 80 characters. */
export const templateKeyPattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$";
const Key = Type.String({ pattern: templateKeyPattern });
const Length = Type.Number({ minimum: 0, maximum: 5000, description: "Millimetres." });
const PaperLength = Type.Number({ minimum: 10, maximum: 5000, description: "Millimetres." });

const Choice = Type.Object({ key: Type.String({ maxLength: 200 }), label: TemplateText }, closed);

/** An option of a template. */
export const TemplateField = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 200, description: "Name of the value in d.data.options." }),
    label: TemplateText,
    type: Type.Enum(["string", "boolean", "int", "number", "date", "text", "image"], {
      description:
        'string: a line of text. int: a whole number. number: a decimal number, a decimal text in d.data.options such as "2.5". date: an ISO date such as "2024-07-10". text: a text of several lines. image: the address of a picture, such as assets/logo.png or a data: URL.',
    }),
    minimum: Type.Optional(Type.Number({ description: "Of int and number." })),
    maximum: Type.Optional(Type.Number({ description: "Of int and number." })),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: mostDecimals,
        description: "Of number: how many digits there may be after the point.",
      }),
    ),
    default: Type.Optional(
      Type.Unknown({ description: "A value of the type, one of the choices; or null." }),
    ),
    options: Type.Optional(
      Type.Array(Choice, { minItems: 1, maxItems: 1000, description: "The values that it may have." }),
    ),
  },
  closed,
);
/** An option of a template, with its texts in all languages. */
export type TemplateField = Static<typeof TemplateField>;

const Category = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 200 }),
    label: TemplateText,
    fields: Type.Array(TemplateField),
  },
  closed,
);

const PdfPath = Type.String({
  pattern: "^assets/.+\\.pdf$",
  maxLength: 500,
  description: "A PDF below assets/.",
});

const Attachment = Type.Object(
  {
    name: TemplateText,
    file: Type.Union([
      PdfPath,
      Type.Record(Type.String({ pattern: languagePattern }), PdfPath, {
        ...closed,
        minProperties: 1,
      }),
    ]),
  },
  { ...closed, description: "A PDF that requests may put before or after the report." },
);

/** Paper and margins of a template, in millimetres. */
export const TemplatePage = Type.Object(
  {
    size: Type.Optional(
      Type.Union([
        Type.Enum(["A3", "A4", "A5", "Letter", "Legal"]),
        Type.Object({ width: PaperLength, height: PaperLength }, closed),
      ]),
    ),
    orientation: Type.Optional(Type.Enum(["portrait", "landscape"])),
    margins: Type.Optional(Type.Object({ top: Length, right: Length, bottom: Length, left: Length }, closed)),
  },
  { ...closed, default: {}, description: "Becomes an @page rule in front of style.css." },
);
/** Paper and margins of a template, in millimetres. */
export type TemplatePage = Static<typeof TemplatePage>;

/** Schema of `template.json`; `sdk/schemas/template.schema.json` is the copy for editors. */
export const TemplateFile = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: "For editors." })),
    key: Key,
    aliases: Type.Array(Key, { default: [], maxItems: 50, description: "Further names of the template." }),
    name: TemplateText,
    description: Type.Unsafe<TemplateText>({
      type: ["string", "object"],
      additionalProperties: { type: "string", maxLength: 2000 },
      maxLength: 2000,
      default: {},
      description: "A sentence, given as the name is.",
    }),
    category: Type.Object({ key: Type.String(), name: TemplateText }, { ...closed }),
    version: Type.String({ minLength: 1, maxLength: 50, description: "For people." }),
    sortWeight: Type.Integer({ default: 0, description: "Place in lists, lower first." }),
    shared: Type.Array(Type.String({ pattern: sharedFolderPattern }), {
      default: [],
      maxItems: 10,
      description: "Folders beside the template's own whose files it builds on, such as _standard.",
    }),
    page: TemplatePage,
    pageBreaksDisabled: Type.Boolean({ default: false, description: "Ignores page breaks of requests." }),
    accessibility: Type.Boolean({ default: false, description: "Tagged PDF." }),
    archivable: Type.Boolean({
      default: false,
      description: "PDF/A-3, for archives: level A where the PDF is also accessible, otherwise U.",
    }),
    scripts: Type.Boolean({ default: false, description: "Runs scripts of the document." }),
    calculationLines: Type.Boolean({
      default: false,
      description:
        "Gives each article all lines of its price sheet. Few templates read them, and they are most of the data of a report.",
    }),
    allowUnsafeVelocityAccess: Type.Boolean({
      default: false,
      description: "Runs without the strict access check, where the host's configuration permits it.",
    }),
    views: Type.Array(Type.Object({ key: Type.String({ maxLength: 200 }), name: TemplateText }, closed), {
      default: [],
      maxItems: 100,
      description: "Views that the template is meant for; clients may offer them.",
    }),
    properties: Type.Array(
      Type.Object(
        {
          key: Type.String({ maxLength: 200 }),
          value: Type.Union([LocalizedText, Type.String(), Type.Number(), Type.Boolean()]),
        },
        closed,
      ),
      { default: [], maxItems: 100, description: "Further facts for clients." },
    ),
    attachments: Type.Record(Key, Attachment, {
      default: {},
      description: "PDFs that come with the template.",
    }),
    options: Type.Object({ categories: Type.Array(Category, { default: [] }) }, { ...closed, default: {} }),
  },
  { ...closed, title: "template.json", description: "A report template of Slipway." },
);
/** The content of `template.json`. */
export type TemplateFile = Static<typeof TemplateFile>;
