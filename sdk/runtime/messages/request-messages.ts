/** What crosses to a plugin with each request, and what comes back. */
import { SuppressedError } from "../../errors.js";
import { type Static, Type } from "../../schema.js";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** What of a client's request crosses with every call for it. */
const requestFields = {
  /** Number of the call in this instance; calls to the host that belong to it carry it. */
  request: Count,
  /** Of the client's request. */
  requestId: Type.String(),
  locale: Type.String(),
  session: Type.Optional(Type.Object({ id: Type.String(), locale: Type.String(), revision: Count }, closed)),
};

/** Call of the host: answer a request; parts are body, query and params as JSON. Answered by an `Answer` and the body in part 0. */
export const Handle = Type.Object({ ...requestFields, route: Type.String() }, closed);
export type Handle = Static<typeof Handle>;

/**
 * Call of the host: run a service method for another plugin; part 0 is the input as JSON. Answered by the value in part 0
 * and the suppressed errors in part 1, both JSON.
 */
export const Serve = Type.Object(
  {
    ...requestFields,
    service: Type.String(),
    method: Type.String(),
    /** Who asks, such as "oex@1.6.0"; for the log. */
    caller: Type.String(),
  },
  closed,
);
export type Serve = Static<typeof Serve>;

/** Headers that plugins may set; "Slipway-Plugin" is the host's own. */
export const AnswerHeaders = Type.Record(
  Type.String({ pattern: "^Slipway-(?![Pp][Ll][Uu][Gg][Ii][Nn]$)[A-Za-z0-9-]{1,60}$" }),
  Type.String({ maxLength: 2000, pattern: "^[\\x20-\\x7e]*$" }),
  { ...closed, maxProperties: 20 },
);
export type AnswerHeaders = Static<typeof AnswerHeaders>;

/** What comes back for a request; part 0 is the body. */
export const Answer = Type.Object(
  {
    status: Type.Integer({ minimum: 200, maximum: 299 }),
    mediaType: Type.String({ maxLength: 200 }),
    headers: AnswerHeaders,
  },
  closed,
);
export type Answer = Static<typeof Answer>;

/** What a service gave, as it comes back to the plugin that asked for it. */
export const ServiceErrors = Type.Array(SuppressedError);

/** Note of the instance: a line for the log; `fields` is JSON. */
export const LogLine = Type.Object(
  {
    level: Type.Enum(["debug", "info", "warn", "error"]),
    message: Type.String(),
    fields: Type.String(),
    request: Type.Optional(Count),
  },
  closed,
);
export type LogLine = Static<typeof LogLine>;
