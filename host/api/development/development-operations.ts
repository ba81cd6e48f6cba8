import { Type } from "@slipway/sdk";
import { EventStreams } from "../event-streams.js";
import { After, feed, Limit } from "../feed.js";
import { operation } from "../operation.js";
import type { Development } from "./development.js";
import { DevelopmentAnswer, DevelopmentLine, DevelopmentLines } from "./development-answers.js";

/** `/api/development`: the plugin in development; only on a host of `slipway plugin dev`. */
export function developmentOperations(development: Development, closing: AbortSignal) {
  const streams = new EventStreams(closing);
  return [
    operation({
      ...feed,
      path: "/api/development",
      id: "getDevelopment",
      tag: "plugins",
      summary: "The state of the plugin in development",
      query: Type.Object({}, { additionalProperties: false }),
      answers: {
        200: { description: "The plugin.", content: { "application/json": DevelopmentAnswer } },
      },
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
      answers: {
        200: {
          description: "Lines, oldest first.",
          content: { "application/json": DevelopmentLines },
          stream: { event: "line", data: DevelopmentLine },
        },
      },
      handle(ctx, { query: { limit, after } }) {
        const { lines } = development;
        const isWanted = () => true;
        streams.answerOrList(ctx, { events: lines, name: "line", isWanted, after }, () => ({
          lines: lines.list({ after, limit }),
        }));
      },
    }),
  ];
}
