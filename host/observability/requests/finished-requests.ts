import { type Log, type Static, Type } from "@slipway/sdk";
import { RecentEntries } from "../../system/recent-entries.js";

/** A finished request for logs and lists: without bodies, queries and complete ids. */
export const FinishedRequest = Type.Object({
  requestId: Type.String({
    description: "X-Request-Id of the response, and requestId in the log.",
  }),
  traceId: Type.Optional(Type.String({ description: "Id of its trace, if traces are collected." })),
  time: Type.String({ description: "UTC, when it arrived." }),
  method: Type.String({ description: '"-" for what was refused before it could be read.' }),
  path: Type.String({
    description: "Without its query; ids of sessions, files and templates of stores are shortened.",
  }),
  status: Type.Integer({ description: "499 if the client disconnected before the response." }),
  errorId: Type.Optional(Type.String({ description: "Id of the error object in the response." })),
  milliseconds: Type.Number({ description: "From its arrival to the end of its response." }),
  waited: Type.Number({ description: "Part of `milliseconds` spent waiting for its turn at the plugin." }),
  client: Type.String({ description: "Address of the client." }),
  key: Type.Optional(Type.String({ description: "Name of its key." })),
  isComplete: Type.Boolean({ description: "Whether the client received the complete response." }),
  target: Type.Optional(
    Type.Object(
      {
        release: Type.String(),
        plugin: Type.String(),
        version: Type.String(),
        operation: Type.String({ description: "Path below the plugin as declared, parameters as :name." }),
      },
      { description: "The requested plugin operation." },
    ),
  ),
  operation: Type.Optional(
    Type.String({
      description: 'Of the host itself, such as "listPlugins"; as in the description of its API.',
    }),
  ),
  session: Type.Optional(Type.String({ description: "The beginning of its id." })),
});
export type FinishedRequest = Static<typeof FinishedRequest>;

/** Receives each finished request; must not throw. */
export type RequestObserver = (request: FinishedRequest) => void;

/** Logs one line for each request: successful probes as debug, all others, also with mistakes of clients, as info. */
export function requestLines(log: Log): RequestObserver {
  return (finished) => {
    const { time: _, isComplete, target, waited, ...request } = finished;
    const level = isProbe(finished) ? "debug" : "info";
    log[level](isComplete ? "request" : "request without its whole answer", {
      ...request,
      ...(waited > 0 && { waited }),
      ...(target && {
        plugin: `${target.plugin}@${target.version}`,
        release: target.release,
        operation: target.operation,
      }),
    });
  };
}

/** A finished request with its number. */
export const RecentRequest = Type.Object(
  {
    id: Type.Integer({
      minimum: 1,
      description: "Increases by one with each kept request since the host started.",
    }),
    ...FinishedRequest.properties,
  },
  { title: "RecentRequest" },
);
export type RecentRequest = Static<typeof RecentRequest>;

const capacity = 1000;

/** The last requests, without probes and polls, in memory only; the log has all of them. */
export class RecentRequests extends RecentEntries<RecentRequest> {
  private lastId = 0;

  constructor() {
    super(capacity);
  }

  readonly keep = (request: FinishedRequest): void => {
    if (isLook(request)) return;
    this.lastId += 1;
    this.add({ id: this.lastId, ...request });
  };
}

const probed: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
const polled = /^\/api\/(?:status|requests|jobs(?:\/[^/]+)?)$/;

/** Whether it is a successful probe of a machine. */
function isProbe({ method, path, status }: FinishedRequest): boolean {
  return (method === "GET" || method === "HEAD") && status < 400 && probed.has(path);
}

/** A probe, or a repeated poll, such as of this list. */
export function isLook(request: FinishedRequest): boolean {
  const { method, path, status } = request;
  return isProbe(request) || (method === "GET" && status < 400 && polled.test(path));
}
