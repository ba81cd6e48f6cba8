/** The requests that a plugin can send to its host. */
import { relationships } from "../../pdf/pdf-update.js";
import { FetchMethod } from "../../plugin/host.js";
import { type Static, Type } from "../../schema/schema.js";
import { otherService } from "./plugin-description.js";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/**
 * Calls of host services by the instance. `request` is the request they belong to; without it, the call is
 * the plugin's own.
 */
const forRequest = { request: Type.Optional(Count) };
const Locale = Type.String({ maxLength: 50 });
const Link = Type.String({ maxLength: 100_000 });
const FetchHeaders = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" }),
  Type.String({ maxLength: 8000, pattern: "^[\\t\\x20-\\x7e\\x80-\\xff]*$" }),
  { ...closed, maxProperties: 50 },
);
const StoreKey = Type.String({ pattern: "^[A-Za-z0-9._:/-]{1,200}$" });
/** A revision; null: no value. */
const Expected = Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()]));
const FileName = Type.String({ minLength: 1, maxLength: 1000 });
const newFile = {
  name: FileName,
  mediaType: Type.String({
    pattern: "^[a-zA-Z0-9!#$&^_.+-]+/[a-zA-Z0-9!#$&^_.+-]+(; ?[ -~]+)?$",
    maxLength: 200,
  }),
};
/** Names of XMP properties and prefixes of their schemas. */
const XmlName = Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9._-]{0,99}$" });
/** Of XMP and PDF/A themselves. */
const reservedPrefix =
  "(?!(?:xml[A-Za-z0-9]{0,17}|rdf|x|dc|pdf|xmp|pdfaid|pdfuaid|pdfaExtension|pdfaSchema|pdfaProperty)$)";
const Statement = Type.Object(
  {
    schema: Type.String({ minLength: 1, maxLength: 200 }),
    namespace: Type.String({ pattern: "^[a-z][a-z0-9+.-]*:[!-~]{1,200}$" }),
    prefix: Type.String({ pattern: `^${reservedPrefix}[A-Za-z][A-Za-z0-9]{0,19}$` }),
    properties: Type.Array(
      Type.Object(
        {
          name: XmlName,
          value: Type.String({ minLength: 1, maxLength: 1000 }),
          description: Type.String({ minLength: 1, maxLength: 1000 }),
        },
        closed,
      ),
      { minItems: 1, maxItems: 50 },
    ),
  },
  closed,
);
/** What to render, apart from the data. */
const rendering = {
  key: Type.String({ maxLength: 1000 }),
  version: Type.String({ maxLength: 200 }),
  locale: Locale,
  formatLocale: Locale,
};

/** A kept text in a piece of a file: `at`, bytes from its begin, in ascending order; `text`, its number. */
const Insertion = Type.Object({ at: Count, text: Count }, closed);
export type Insertion = Static<typeof Insertion>;

/** Host services by name, with their values; the arrow separates the parts sent from those returned. */
export const ServiceParameters = {
  /** -> part 0: JSON of the project. */
  "session.project": Type.Object(forRequest, closed),
  /** -> part 0: the bytes; no part if there is no such asset. */
  "session.asset": Type.Object({ ...forRequest, sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) }, closed),
  /** -> values and part 0: a `Picture`, or values: a `PictureProblem`; nothing if there is no such asset. */
  "session.picture": Type.Object(
    { ...forRequest, sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) },
    closed,
  ),
  /** Part 0: the content -> part 0: a `StoredFile`. */
  "files.create": Type.Object({ ...forRequest, ...newFile }, closed),
  /**
   * Starts a file that is sent in pieces -> values: `file`, its number in this request, and `room`, the bytes of texts
   * that the host keeps for insertions. `archived`: the request will archive it.
   */
  "files.open": Type.Object({ ...forRequest, ...newFile, archived: Type.Optional(Type.Boolean()) }, closed),
  /**
   * Part 0: the next piece -> empty, when there is room for another one; one at a time for each file. Further parts:
   * texts that the host keeps until the end of the file; they are numbered from 0 in order of arrival. `insertions`:
   * where the kept texts belong in the piece.
   */
  "files.write": Type.Object(
    { ...forRequest, file: Count, insertions: Type.Optional(Type.Array(Insertion, { maxItems: 10_000 })) },
    closed,
  ),
  /** Completes the file after the last piece -> part 0: a `StoredFile`. */
  "files.finish": Type.Object({ ...forRequest, file: Count }, closed),
  /** Cancels the file -> empty, when the file is removed; also if it no longer existed. */
  "files.discard": Type.Object({ ...forRequest, file: Count }, closed),
  /** Files of this request by their ids -> part 0: a `StoredFile`. */
  "files.archive": Type.Object(
    {
      ...forRequest,
      name: FileName,
      files: Type.Array(
        Type.Object(
          { id: Type.String({ maxLength: 100 }), name: Type.Optional(Type.String({ maxLength: 1000 })) },
          closed,
        ),
        { maxItems: 10_000 },
      ),
    },
    closed,
  ),
  /** Part 0: the document, or the data of `template` -> part 0: a `PdfResult`. */
  "pdf.render": Type.Object(
    {
      ...forRequest,
      template: Type.Optional(Type.Object(rendering, closed)),
      filename: FileName,
      tagged: Type.Boolean(),
      archivable: Type.Boolean(),
      scripts: Type.Boolean(),
      prependLinks: Type.Array(Link, { maxItems: 1000 }),
      appendLinks: Type.Array(Link, { maxItems: 1000 }),
    },
    closed,
  ),
  /** A PDF and files of this request by their ids -> part 0: a `StoredFile`. */
  "pdf.embed": Type.Object(
    {
      ...forRequest,
      pdf: Type.String({ maxLength: 100 }),
      filename: Type.Optional(FileName),
      files: Type.Array(
        Type.Object(
          {
            id: Type.String({ maxLength: 100 }),
            name: Type.Optional(Type.String({ maxLength: 1000 })),
            mediaType: Type.Optional(newFile.mediaType),
            relationship: Type.Enum([...relationships]),
            description: Type.Optional(Type.String({ maxLength: 1000 })),
          },
          closed,
        ),
        { minItems: 1, maxItems: 100 },
      ),
      statement: Type.Optional(Statement),
    },
    closed,
  ),
  /** -> part 0: `TemplateRecord[]`. */
  "templates.list": Type.Object({ ...forRequest, locale: Locale, reload: Type.Boolean() }, closed),
  /** -> part 0: `StoreTemplates`. */
  "templates.listStore": Type.Object(
    {
      ...forRequest,
      locale: Locale,
      url: Type.Optional(Type.String({ maxLength: 100_000 })),
      token: Type.Optional(Type.String({ maxLength: 100_000 })),
      reload: Type.Boolean(),
    },
    closed,
  ),
  /** -> part 0: a `TemplateDefinition`; no part if there is no such template. */
  "templates.find": Type.Object(
    { ...forRequest, key: Type.String({ maxLength: 1000 }), locale: Locale },
    closed,
  ),
  /** Part 0: the data -> part 0: the document. */
  "templates.render": Type.Object({ ...forRequest, ...rendering }, closed),
  /** -> part 0: a `PricingProcedure`; no part if there is no such procedure. */
  "procedures.find": Type.Object({ ...forRequest, name: Type.String({ maxLength: 1000 }) }, closed),
  /** Part 0: the body, if `hasBody` -> values: status, mediaType, headers; part 0: the content. */
  fetch: Type.Object(
    {
      ...forRequest,
      url: Link,
      method: FetchMethod,
      headers: FetchHeaders,
      hasBody: Type.Boolean(),
    },
    closed,
  ),
  /** -> part 0: the value as JSON, values: its revision; neither without a value. */
  "store.get": Type.Object({ ...forRequest, key: StoreKey }, closed),
  /** Part 0: the value as JSON -> values: its revision. */
  "store.set": Type.Object({ ...forRequest, key: StoreKey, expected: Expected }, closed),
  /** -> values: whether it was `there`. */
  "store.delete": Type.Object({ ...forRequest, key: StoreKey, expected: Expected }, closed),
  /** -> part 0: a JSON list. */
  "store.keys": Type.Object({ ...forRequest, beginning: Type.String({ maxLength: 200 }) }, closed),
  /** A service method of another plugin; part 0: the input as JSON -> part 0: the value, part 1: `ServiceErrors`. */
  "service.call": Type.Object(
    { ...forRequest, ...otherService, method: Type.String({ maxLength: 200 }) },
    closed,
  ),
};
export type ServiceName = keyof typeof ServiceParameters;
export type ParametersOf<N extends ServiceName> = Static<(typeof ServiceParameters)[N]>;
