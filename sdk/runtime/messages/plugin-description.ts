/** What a plugin says that it offers, and what it asks others for. */
import { type Static, Type } from "../../schema.js";

const closed = { additionalProperties: false } as const;

const Schema = Type.Record(Type.String(), Type.Unknown());

/** Segments of plain characters, or parameters as `:name`; nothing that a router would take for a pattern. */
const routePath = "^(:[A-Za-z_]\\w*|[\\w.~-]+)(/(:[A-Za-z_]\\w*|[\\w.~-]+))*$";

/** A route as its plugin describes it; schemas as JSON, its timeout in milliseconds. */
export const RouteDescription = Type.Object(
  {
    method: Type.Enum(["GET", "POST", "PUT", "DELETE"]),
    path: Type.String({ maxLength: 500, pattern: routePath }),
    summary: Type.String({ maxLength: 2000 }),
    body: Type.Optional(Schema),
    query: Type.Optional(Schema),
    params: Type.Optional(Schema),
    response: Type.Optional(Schema),
    session: Type.Enum(["required", "optional", "none"]),
    timeout: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
);
export type RouteDescription = Static<typeof RouteDescription>;

const Name = Type.String({ pattern: "^[A-Za-z][A-Za-z0-9_-]{0,99}$" });

/** A service method as its plugin describes it. */
export const ServiceMethodDescription = Type.Object(
  {
    service: Name,
    method: Name,
    summary: Type.String({ maxLength: 2000 }),
    input: Type.Optional(Schema),
    output: Type.Optional(Schema),
    session: Type.Enum(["required", "optional", "none"]),
    timeout: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
);
export type ServiceMethodDescription = Static<typeof ServiceMethodDescription>;

/** A service of another plugin. */
export const otherService = {
  /** Name or alias, "@" and a range. */
  plugin: Type.String({ maxLength: 500 }),
  service: Type.String({ maxLength: 200 }),
};

/** A service that the plugin asked for while it was set up. */
export const RequirementDescription = Type.Object(otherService, closed);
export type RequirementDescription = Static<typeof RequirementDescription>;

/** All that a plugin says of itself when it was set up. */
export const PluginDescription = Type.Object(
  {
    routes: Type.Array(RouteDescription, { maxItems: 1000 }),
    services: Type.Array(ServiceMethodDescription, { maxItems: 1000 }),
    requirements: Type.Array(RequirementDescription, { maxItems: 1000 }),
  },
  closed,
);
export type PluginDescription = Static<typeof PluginDescription>;
