/** What a plugin offers, and what it requires of others. */
import { type Static, Type } from "../../schema/schema.js";

const closed = { additionalProperties: false } as const;

const Schema = Type.Record(Type.String(), Type.Unknown());

/** Plain segments, or parameters as `:name`; nothing that a router would interpret as a pattern. */
const routePath = "^(:[A-Za-z_]\\w*|[\\w.~-]+)(/(:[A-Za-z_]\\w*|[\\w.~-]+))*$";

/** Media types without parameters, in lower case. */
export const MediaTypes = Type.Array(Type.String({ maxLength: 100, pattern: "^[a-z0-9]+/[a-z0-9.+-]+$" }), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
});

/** A route as its plugin describes it; schemas as JSON, timeout in milliseconds. */
export const RouteDescription = Type.Object(
  {
    method: Type.Enum(["GET", "POST", "PUT", "DELETE"]),
    path: Type.String({ maxLength: 500, pattern: routePath }),
    summary: Type.String({ maxLength: 2000 }),
    body: Type.Optional(Schema),
    query: Type.Optional(Schema),
    params: Type.Optional(Schema),
    response: Type.Optional(Schema),
    produces: Type.Optional(MediaTypes),
    redirects: Type.Optional(Type.Boolean()),
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

/** A schedule as its plugin describes it; timeout in milliseconds. */
export const ScheduleDescription = Type.Object(
  {
    name: Name,
    cron: Type.String({ maxLength: 200 }),
    timeZone: Type.String({ maxLength: 200 }),
    summary: Type.String({ maxLength: 2000 }),
    timeout: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
);
export type ScheduleDescription = Static<typeof ScheduleDescription>;

/** A session hook as its plugin describes it; timeout in milliseconds. */
export const SessionHookDescription = Type.Object(
  { hook: Type.Enum(["opened", "closed"]), timeout: Type.Optional(Type.Integer({ minimum: 1 })) },
  closed,
);
export type SessionHookDescription = Static<typeof SessionHookDescription>;

/** A service of another plugin. */
export const otherService = {
  /** Name or alias, "@" and a version range. */
  plugin: Type.String({ maxLength: 500 }),
  service: Type.String({ maxLength: 200 }),
};

/** A service that the plugin requested during setup. */
export const RequirementDescription = Type.Object(otherService, closed);
export type RequirementDescription = Static<typeof RequirementDescription>;

/** The complete description that a plugin sends after its setup. */
export const PluginDescription = Type.Object(
  {
    routes: Type.Array(RouteDescription, { maxItems: 1000 }),
    services: Type.Array(ServiceMethodDescription, { maxItems: 1000 }),
    requirements: Type.Array(RequirementDescription, { maxItems: 1000 }),
    /** Absent without any. */
    schedules: Type.Optional(Type.Array(ScheduleDescription, { maxItems: 100 })),
    /** Absent without any. */
    sessionHooks: Type.Optional(Type.Array(SessionHookDescription, { maxItems: 2 })),
  },
  closed,
);
export type PluginDescription = Static<typeof PluginDescription>;
