/** Messages for requests to plugins, and for their answers. */
import { SuppressedError } from "../../schema/errors.js";
import { type Static, Type } from "../../schema/schema.js";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** The fields of a client request that every call on its behalf carries. */
const requestFields = {
  /** Number of the call in this instance; its calls to the host carry it too. */
  request: Count,
  /** The id of the client's request. */
  requestId: Type.String(),
  locale: Type.String(),
  session: Type.Optional(Type.Object({ id: Type.String(), locale: Type.String(), revision: Count }, closed)),
};

/**
 * Sent by the host: answer a request; parts are body, query and params as JSON. The answer is an `Answer`
 * with the body in part 0.
 */
export const Handle = Type.Object(
  {
    ...requestFields,
    route: Type.String(),
    /** Whether the host follows the progress of the request. */
    isFollowed: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type Handle = Static<typeof Handle>;

/**
 * Sent by the host: run a service method for another plugin; part 0 is the input as JSON. The answer has the
 * value in part 0 and the suppressed errors in part 1, both JSON.
 */
export const Serve = Type.Object(
  {
    ...requestFields,
    service: Type.String(),
    method: Type.String(),
    /** The calling plugin, such as "oex@1.6.0"; for the log. */
    caller: Type.String(),
  },
  closed,
);
export type Serve = Static<typeof Serve>;

/** Sent by the host: run a schedule, without a client; the answer has no content. */
export const Run = Type.Object(
  {
    ...requestFields,
    schedule: Type.String(),
    /** Milliseconds since the epoch. */
    due: Type.Integer(),
    missed: Count,
  },
  closed,
);
export type Run = Static<typeof Run>;

/** What happened to a session, for its hooks. */
export const SessionEvent = Type.Union([
  Type.Object({ hook: Type.Enum(["opened"]) }, closed),
  Type.Object(
    { hook: Type.Enum(["closed"]), sessionId: Type.String(), reason: Type.Enum(["closed", "expired"]) },
    closed,
  ),
]);
export type SessionEvent = Static<typeof SessionEvent>;

/**
 * Sent by the host: run a session hook, without a client; the answer has no content. An opened session is that of the request,
 * so that the hook reads its contents as handlers do.
 */
export const RunHook = Type.Object({ ...requestFields, event: SessionEvent }, closed);
export type RunHook = Static<typeof RunHook>;

/** Headers that plugins may set; the host sets "Slipway-Plugin". */
export const AnswerHeaders = Type.Record(
  Type.String({ pattern: "^Slipway-(?![Pp][Ll][Uu][Gg][Ii][Nn]$)[A-Za-z0-9-]{1,60}$" }),
  Type.String({ maxLength: 2000, pattern: "^[\\x20-\\x7e]*$" }),
  { ...closed, maxProperties: 20 },
);
export type AnswerHeaders = Static<typeof AnswerHeaders>;

/** Media types of answers that are text. */
export const TextMediaType = Type.Enum([
  "application/json",
  "text/plain; charset=utf-8",
  "text/html; charset=utf-8",
]);
export type TextMediaType = Static<typeof TextMediaType>;

/** The answer to a request; part 0 is the body of an answer that is neither a file nor a redirect. */
export const Answer = Type.Object(
  {
    mediaType: Type.Optional(TextMediaType),
    /** The id of a file of this request. */
    file: Type.Optional(Type.String({ maxLength: 100 })),
    location: Type.Optional(Type.String({ maxLength: 2000 })),
    headers: AnswerHeaders,
  },
  closed,
);
export type Answer = Static<typeof Answer>;

/** Suppressed errors of a service call, as the calling plugin receives them. */
export const ServiceErrors = Type.Array(SuppressedError);

/** Notification from the instance: a log line; `fields` is JSON. */
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

/** How far a request has come. */
export const RequestProgress = Type.Object(
  {
    part: Type.Number({ minimum: 0, maximum: 1, description: "Done part of the work, from 0 to 1." }),
    text: Type.Optional(Type.String({ maxLength: 200, description: 'Such as "page 40 of 100".' })),
  },
  closed,
);
export type RequestProgress = Static<typeof RequestProgress>;

/** Notification from the instance: how far one of its requests is. */
export const ProgressNote = Type.Object({ ...RequestProgress.properties, request: Count }, closed);
export type ProgressNote = Static<typeof ProgressNote>;
