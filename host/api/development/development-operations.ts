import { SessionId, Type } from "@slipway/sdk";
import { After, EventStreams, feed, Limit } from "../event-streams.js";
import { ok, okOrStream, operation } from "../operation.js";
import {
  DevelopmentAnswer,
  DevelopmentLine,
  DevelopmentLines,
  ServiceCallAnswer,
} from "./development-answers.js";
import { type TrialParts, tryService } from "./service-trial.js";

const Name = Type.String({ minLength: 1, maxLength: 100 });

/** `/api/development`: the plugin in development; only on a host of `slipway plugin dev`. */
export function developmentOperations(parts: TrialParts, closing: AbortSignal) {
  const { development } = parts;
  const streams = new EventStreams(closing);
  return [
    operation({
      ...feed,
      path: "/api/development",
      id: "getDevelopment",
      tag: "plugins",
      summary: "The state of the plugin in development",
      query: Type.Object({}, { additionalProperties: false }),
      answers: ok("The plugin.", DevelopmentAnswer),
      handle(ctx) {
        ctx.body = development.answer();
      },
    }),
    operation({
      ...feed,
      path: "/api/development/lines",
      id: "listDevelopmentLines",
      tag: "plugins",
      summary: "Log lines, requests and outcomes of the plugin, as a list or as a stream",
      query: Type.Object({ after: After, limit: Limit }, { additionalProperties: false }),
      answers: okOrStream("Lines, oldest first.", DevelopmentLines, { event: "line", data: DevelopmentLine }),
      handle(ctx, { query: { limit, after } }) {
        const { lines } = development;
        const isWanted = () => true;
        streams.answerOrList(ctx, { events: lines, name: "line", isWanted, after }, () => ({
          lines: lines.list({ after, limit }),
        }));
      },
    }),
    operation({
      method: "POST",
      path: "/api/development/services/:service/:method",
      id: "callDevelopmentService",
      tag: "plugins",
      summary: "Call a service method of the plugin, as another plugin would",
      roles: ["sessions"],
      isGuarded: true,
      params: Type.Object({ service: Name, method: Name }),
      query: Type.Object({ sessionId: Type.Optional(SessionId) }, { additionalProperties: false }),
      body: Type.Unknown({ description: "The input; the plugin checks it." }),
      answers: ok("What the method returned.", ServiceCallAnswer),
      errors: {
        422: ["request-session-not-found"],
        500: ["plugin-error"],
        503: ["plugin-unavailable"],
        504: ["request-timeout"],
      },
      async handle(ctx, { params, query: { sessionId }, body }) {
        const { value, errors } = await tryService(ctx, parts, { ...params, sessionId, input: body });
        ctx.type = "application/json";
        // Both are JSON already.
        ctx.body = `{"value":${value},"errors":${errors}}`;
      },
    }),
  ];
}
