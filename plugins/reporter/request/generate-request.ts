/** Request bodies of `generate` and `data.json` (interface document, section 2.3). Unknown members are ignored. */
import {
  additionalImageColumns,
  builtInColumns,
  ImageOptionTexts,
  SessionId,
  type Static,
  type Suppression,
  suppressEach,
  Type,
  Uuid,
  type ViewNode,
  walkNodes,
} from "@slipway/sdk";

const links = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 4000 }), { maxItems: 100, default: [], description });
const uuid = (description: string) => Type.String({ format: "uuid", description });

const PageBreak = Type.Object({
  posNo: Type.String({ maxLength: 200, description: "Position number in the view." }),
  value: Type.Enum(["before", "after"]),
});

const fields = {
  sessionId: SessionId,
  calculationScheme: Type.String({
    minLength: 1,
    maxLength: 200,
    default: "STDB2B_WBK",
    description: "Pricing procedure, of the project or of the server.",
  }),
  preferredImageColumn: Type.String({
    format: "uuid",
    default: builtInColumns.articleImage,
    description: "Column with a picture of the article that takes precedence over all others.",
  }),
  viewId: Type.Optional(uuid("View of the project; default: all items as they are.")),
  externalRefColumn: Type.Optional(uuid("Column with the external reference number.")),
  data: Type.Record(Type.String(), Type.Unknown(), {
    default: {},
    description: "Passed to the template as it is.",
  }),
  items: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      description: "Ids of the lines to print, as in the view; an empty list means all.",
    }),
  ),
  matchBasketItemIds: Type.Boolean({
    default: false,
    description: "Whether `items` has ids of the basket instead of ids of the view.",
  }),
  imageOptions: ImageOptionTexts,
  filename: Type.Optional(
    Type.String({ maxLength: 1000, description: "Name of the PDF; default: made of template and project." }),
  ),
  imageColumns: Type.Array(Uuid, {
    maxItems: 100,
    default: [...additionalImageColumns],
    description: "Columns whose pictures are part of the data.",
  }),
  pageBreaks: Type.Array(PageBreak, { default: [], description: "Breaks before or after positions." }),
  templateOptions: Type.Record(Type.String(), Type.Unknown(), {
    default: {},
    description: "Values of the template's options by key.",
  }),
  prependLinks: links(
    "PDFs to insert before the report: addresses, files of this server, or `template:<key>`.",
  ),
  appendLinks: links("PDFs to insert after the report, like `prependLinks`."),
  dateTimeLocale: Type.Optional(
    Type.String({
      maxLength: 35,
      description: 'Locale of dates, times and numbers, such as "de_DE"; default: that of the session.',
    }),
  ),
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

/** Position numbers with a page break before or after them. */
export interface PageBreaks {
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/**
 * Page breaks of a request by position number. An unknown number is reported as `page-break-unknown`. If the template
 * does not allow page breaks, they are all ignored and reported as `page-break-ignored`.
 */
export function readPageBreaks(
  requested: readonly { posNo: string; value: "before" | "after" }[],
  nodes: readonly ViewNode[],
  disabled: boolean,
  suppress: (suppression: Suppression) => void,
): PageBreaks {
  const before = new Set<string>();
  const after = new Set<string>();
  if (disabled && requested.length > 0) suppress(pageBreaksIgnored);
  if (disabled || requested.length === 0) return { before, after };
  const unknown: string[] = [];
  const positions = new Set([...walkNodes(nodes)].map((node) => node.position));
  for (const { posNo, value } of requested) {
    const position = posNo.trim();
    if (position === "" || !positions.has(position)) unknown.push(posNo);
    else (value === "before" ? before : after).add(position);
  }
  suppressEach(unknown, unknownPosition, suppress);
  return { before, after };
}

const pageBreaksIgnored: Suppression = {
  id: "page-break-ignored",
  scope: "WARN",
  message: "The template does not support page breaks, so `pageBreaks` was ignored.",
};

function unknownPosition(posNo: string): Suppression {
  return {
    id: "page-break-unknown",
    scope: "WARN",
    message: `The report has no position "${posNo}", so this page break was ignored.`,
    additionalInformation: { posNo },
  };
}
