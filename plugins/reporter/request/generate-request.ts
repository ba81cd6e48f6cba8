/** Request bodies of `generate` and `data.json` (interface document, section 2.3). Unknown members are ignored. */
import {
  additionalImageColumns,
  builtInColumns,
  ImageOptionTexts,
  SessionId,
  type Static,
  Type,
  Uuid,
} from "@slipway/sdk";

const Links = Type.Array(Type.String({ minLength: 1, maxLength: 4000 }), { maxItems: 100, default: [] });

const PageBreak = Type.Object({
  posNo: Type.String({ maxLength: 200, description: "Position number in the view." }),
  value: Type.Enum(["before", "after"]),
});

const fields = {
  sessionId: SessionId,
  calculationScheme: Type.String({ minLength: 1, maxLength: 200, default: "STDB2B_WBK" }),
  preferredImageColumn: Type.String({ format: "uuid", default: builtInColumns.articleImage }),
  viewId: Type.Optional(Uuid),
  externalRefColumn: Type.Optional(Uuid),
  data: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
  items: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { description: "Only these; an empty list means all." }),
  ),
  matchBasketItemIds: Type.Boolean({ default: false }),
  imageOptions: ImageOptionTexts,
  filename: Type.Optional(Type.String({ maxLength: 1000 })),
  imageColumns: Type.Array(Uuid, { maxItems: 100, default: [...additionalImageColumns] }),
  pageBreaks: Type.Array(PageBreak, { default: [] }),
  templateOptions: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
  prependLinks: Links,
  appendLinks: Links,
  dateTimeLocale: Type.Optional(Type.String({ maxLength: 35 })),
};

const TemplateKey = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Key or alias of the template.",
});

/** Request body if the path does not name the template. */
export const GenerateRequest = Type.Object({ templateKey: TemplateKey, ...fields });
export type GenerateRequest = Static<typeof GenerateRequest>;

/** Request body if the path names the template; the body may repeat it. */
export const GenerateRequestOfTemplate = Type.Object({
  templateKey: Type.Optional(TemplateKey),
  ...fields,
});
export type GenerateRequestOfTemplate = Static<typeof GenerateRequestOfTemplate>;

/** Parameters of paths with a template key. */
export const TemplateKeyParameter = Type.Object({ templateKey: TemplateKey });
