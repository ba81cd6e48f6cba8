import { Type } from "@slipway/sdk";
import { RecentRequest, type RecentRequests } from "../requests/recent-requests.js";
import { RequestList } from "./answers.js";
import { After, Limit } from "./event-operations.js";
import { EventStreams, wantsStream } from "./event-streams.js";
import { Nothing, type Operation, operation, Unread } from "./operation.js";

/** `/api/requests`: what was asked lately, as a list or as a stream, which ends at the latest when `closing` aborts. */
export function requestOperations(requests: RecentRequests, closing: AbortSignal): Operation[] {
  const streams = new EventStreams(closing);
  return [
    operation({
      method: "GET",
      path: "/api/requests",
      id: "listRequests",
      tag: "host",
      summary: "Requests that are over, as a list or as a stream",
      description:
        "The last 1,000, in memory only. Probes of health and metrics that went well are not among them, nor looks at this list.",
      roles: ["read", "operate"],
      isGuarded: true,
      params: Nothing,
      query: Type.Object(
        {
          after: After,
          limit: Limit,
          errors: Type.Optional(
            Type.Boolean({ description: "Only those that ended with a status of 400 or more." }),
          ),
        },
        { additionalProperties: false },
      ),
      body: Unread,
      answers: {
        200: {
          description: "Requests, oldest first.",
          content: { "application/json": RequestList },
          stream: { event: "request", data: RecentRequest },
        },
      },
      errors: { 503: ["request-overloaded"] },
      handle(ctx, { query: { limit, after, errors = false } }) {
        ctx.vary("Accept");
        const isWanted = ({ status }: RecentRequest) => !errors || status >= 400;
        if (wantsStream(ctx)) streams.answer(ctx, { events: requests, name: "request", isWanted, after });
        else ctx.body = { requests: requests.list({ after, limit, isWanted }) };
      },
    }),
  ];
}
