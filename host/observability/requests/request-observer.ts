import { type Static, Type } from "@slipway/sdk";

/** A request that is over, as it is told of: without bodies and queries, and with ids that open nothing. */
export const FinishedRequest = Type.Object({
  requestId: Type.String({
    description: "Its answer has it as X-Request-Id, its lines in the log as requestId.",
  }),
  traceId: Type.Optional(
    Type.String({ description: "Of the trace that it is a part of, where there are traces." }),
  ),
  time: Type.String({ description: "UTC, when it arrived." }),
  method: Type.String({ description: '"-" for what was refused before it could be read.' }),
  path: Type.String({
    description: "Without its query; ids of sessions, files and templates of stores are shortened.",
  }),
  status: Type.Integer({ description: "499 when the client went away before there was an answer." }),
  errorId: Type.Optional(Type.String({ description: "Of the error object that answered it." })),
  milliseconds: Type.Number({ description: "From its arrival to the end of its answer." }),
  waited: Type.Number({ description: "Of these, what it waited for its turn at the plugin." }),
  client: Type.String({ description: "Address of the client." }),
  key: Type.Optional(Type.String({ description: "Name of the key that it came with." })),
  isComplete: Type.Boolean({ description: "Whether the client got the whole answer." }),
  target: Type.Optional(
    Type.Object(
      {
        release: Type.String(),
        plugin: Type.String(),
        version: Type.String(),
        operation: Type.String({ description: "Path below the plugin as declared, parameters as :name." }),
      },
      { description: "The operation of a plugin that it was for." },
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

/** Hears of each request when it is over; it must not throw. */
export type RequestObserver = (request: FinishedRequest) => void;
