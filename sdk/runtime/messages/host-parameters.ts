/** What a plugin may ask of its host. */
import { type Static, Type } from "../../schema.js";
import { otherService } from "./plugin-description.js";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** Calls of the instance for the services of the host. `request` says for which request; without it, for the plugin itself. */
const forRequest = { request: Type.Optional(Count) };
const Locale = Type.String({ maxLength: 50 });
const Link = Type.String({ maxLength: 100_000 });
const FileName = Type.String({ minLength: 1, maxLength: 1000 });
const newFile = {
  name: FileName,
  mediaType: Type.String({
    pattern: "^[a-zA-Z0-9!#$&^_.+-]+/[a-zA-Z0-9!#$&^_.+-]+(; ?[ -~]+)?$",
    maxLength: 200,
  }),
};
/** What is rendered, apart from the data. */
const rendering = {
  key: Type.String({ maxLength: 1000 }),
  version: Type.String({ maxLength: 200 }),
  locale: Locale,
  formatLocale: Locale,
};

/** Services of the host by their names, with the values that each takes; arrows say what parts go in and what comes back. */
export const ServiceParameters = {
  /** -> part 0: JSON of the project. */
  "session.project": Type.Object(forRequest, closed),
  /** -> part 0: the bytes; no part when there is no such asset. */
  "session.asset": Type.Object({ ...forRequest, sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) }, closed),
  /** Part 0: the content -> part 0: a `StoredFile`. */
  "files.create": Type.Object({ ...forRequest, ...newFile }, closed),
  /** Begins a file that comes in pieces -> values: `file`, its number in this request. */
  "files.open": Type.Object({ ...forRequest, ...newFile }, closed),
  /** Part 0: the next piece -> nothing, when there is room for another one; one at a time for each file. */
  "files.write": Type.Object({ ...forRequest, file: Count }, closed),
  /** The last piece was written -> part 0: a `StoredFile`. */
  "files.finish": Type.Object({ ...forRequest, file: Count }, closed),
  /** There will be no last piece -> nothing, when the file is gone; also where it was gone before. */
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
      scripts: Type.Boolean(),
      prependLinks: Type.Array(Link, { maxItems: 1000 }),
      appendLinks: Type.Array(Link, { maxItems: 1000 }),
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
  /** -> part 0: a `TemplateDefinition`; no part when there is none. */
  "templates.find": Type.Object(
    { ...forRequest, key: Type.String({ maxLength: 1000 }), locale: Locale },
    closed,
  ),
  /** Part 0: the data -> part 0: the document. */
  "templates.render": Type.Object({ ...forRequest, ...rendering }, closed),
  /** -> part 0: a `PricingProcedure`; no part when there is none. */
  "procedures.find": Type.Object({ ...forRequest, name: Type.String({ maxLength: 1000 }) }, closed),
  /** -> values: status, mediaType; part 0: the content. */
  fetch: Type.Object({ ...forRequest, url: Link }, closed),
  /** A service method of another plugin; part 0: the input as JSON -> part 0: the value, part 1: `ServiceErrors`. */
  "service.call": Type.Object(
    { ...forRequest, ...otherService, method: Type.String({ maxLength: 200 }) },
    closed,
  ),
};
/** A service of the host. */
export type ServiceName = keyof typeof ServiceParameters;
/** The values that a service takes. */
export type ParametersOf<N extends ServiceName> = Static<(typeof ServiceParameters)[N]>;
