import { Type } from "@slipway/sdk";
import { RecentRequest, type RecentRequests } from "../observability/requests/finished-requests.js";
import { RequestList } from "./answers.js";
import { After, EventStreams, feed, Limit } from "./event-streams.js";
import { okOrStream, operation } from "./operation.js";

/** `/api/requests`: recent requests, as a list or as a stream that ends when `closing` aborts. */
export function requestOperations(requests: RecentRequests, closing: AbortSignal) {
  const streams = new EventStreams(closing);
  return [
    operation({
      ...feed,
      path: "/api/requests",
      id: "listRequests",
      tag: "host",
      summary: "Finished requests, as a list or as a stream",
      description:
        "The last 1,000, in memory only. Successful probes of health and metrics and requests for this list are not included.",
      query: Type.Object(
        {
          after: After,
          limit: Limit,
          errors: Type.Optional(Type.Boolean({ description: "Only requests with a status of 400 or more." })),
        },
        { additionalProperties: false },
      ),
      answers: okOrStream("Requests, oldest first.", RequestList, { event: "request", data: RecentRequest }),
      handle(ctx, { query: { limit, after, errors = false } }) {
        const isWanted = ({ status }: RecentRequest) => !errors || status >= 400;
        streams.answerOrList(ctx, { events: requests, name: "request", isWanted, after }, () => ({
          requests: requests.list({ after, limit, isWanted }),
        }));
      },
    }),
  ];
}
