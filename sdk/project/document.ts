/** The project of a session: schema and derived types. Unknown members are refused. */
import { type Static, Type, Uuid } from "../schema/schema.js";
import { Address, Contact } from "./address.js";
import { Column } from "./article-parts.js";
import { ProjectHeader, ProjectSettings } from "./header.js";
import { Item } from "./item.js";
import { Calculation, ConditionRecord, PricingProcedure } from "./procedure.js";
import { AppData, closed, KeptParts, Line, Texts } from "./values.js";
import { View } from "./view.js";

export * from "./address.js";
export * from "./article-parts.js";
export * from "./header.js";
export * from "./item.js";
export * from "./procedure.js";
export {
  Amount,
  Currency,
  KeptElement,
  KeptParts,
  Money,
  Quantity,
  Text,
  Texts,
  xmlNamePattern,
} from "./values.js";
export * from "./view.js";

/**
 * A picture or other binary, referred to by key in image fields. It is uploaded as `base64`; an open session stores it
 * under its SHA-256 (hexadecimal, lower case) instead.
 */
export const Asset = Type.Object(
  {
    mediaType: Type.String({ maxLength: 200 }),
    base64: Type.Optional(Type.String({ contentEncoding: "base64" })),
    sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
    width: Type.Optional(Type.Integer({ minimum: 1 })),
    height: Type.Optional(Type.Integer({ minimum: 1 })),
    attributes: Type.Optional(Type.Record(Type.String(), Line)),
  },
  closed,
);
/**
 * A picture or other binary of a project. An open session stores it under its SHA-256; `session.asset(key)` returns its
 * bytes.
 */
export type Asset = Static<typeof Asset>;

/** The names of a manufacturer, and of its series by id. */
export const Manufacturer = Type.Object({ name: Texts, series: Type.Record(Type.String(), Texts) }, closed);
/** The names of a manufacturer, and of its series by id. */
export type Manufacturer = Static<typeof Manufacturer>;

/** All project data for reports and exports. */
export const ProjectDocument = Type.Object(
  {
    formatVersion: Type.Literal("1"),
    id: Uuid,
    header: ProjectHeader,
    settings: ProjectSettings,
    addresses: Type.Optional(Type.Array(Address)),
    contacts: Type.Optional(Type.Array(Contact)),
    /** User-defined columns; built-in ones need not be listed. */
    columns: Type.Optional(Type.Array(Column)),
    manufacturers: Type.Optional(Type.Record(Type.String(), Manufacturer)),
    /** Id of the folder around all items, if it does not follow from `id`. */
    topFolderId: Type.Optional(Uuid),
    /** The basket tree, in document order. */
    items: Type.Array(Item),
    views: Type.Optional(Type.Array(View)),
    defaultViewId: Type.Optional(Uuid),
    procedures: Type.Optional(Type.Array(PricingProcedure)),
    conditions: Type.Optional(Type.Array(ConditionRecord)),
    /** Sheets computed by the sender; used unchanged. */
    calculations: Type.Optional(Type.Array(Calculation)),
    assets: Type.Optional(Type.Record(Type.String(), Asset)),
    appData: Type.Optional(AppData),
    /** Further content of an OBK: of `metainf.xml`, and around the items in `1.bsk`. */
    kept: Type.Optional(
      Type.Object({ metainf: Type.Optional(KeptParts), basket: Type.Optional(KeptParts) }, closed),
    ),
  },
  { ...closed, title: "ProjectDocument" },
);
/** All project data for reports and exports. The project of a session is frozen. */
export type ProjectDocument = Static<typeof ProjectDocument>;
