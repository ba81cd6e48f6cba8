import { type Feed, type FeedSource, useFeed } from "../../client/feed.js";
import { useMay } from "../../client/host-context.js";
import type { RecentRequest } from "../../client/operations.js";

/** Whether a request failed. A disconnected client is not a failure: streams always end that way. */
export function isFailure({ status }: RecentRequest): boolean {
  return status >= 400 && status !== 499;
}

const monitoringPath =
  /^\/(?:api\/(?:access|status|plugins|events|templates|sessions|requests|audit)(?:\/|$)|admin(?:\/|$)|healthz$|readyz$|metrics$)/;

/** Whether it is a successful periodic request of a page like this one or of a monitor. */
export function isOwnLook(request: RecentRequest): boolean {
  const { method, path } = request;
  return (method === "GET" || method === "HEAD") && monitoringPath.test(path) && !isFailure(request);
}

/** The operation of a request, such as "oex export"; undefined without a plugin. */
export function operationOf({ target }: RecentRequest): string | undefined {
  return target === undefined ? undefined : `${target.plugin} ${target.operation}`;
}

const source: FeedSource<"GET /api/requests"> = {
  key: "GET /api/requests",
  entriesOf: ({ requests }) => requests,
  capacity: 1000,
};

/** The latest requests of the host, live. */
export function useRequests(): Feed<RecentRequest> {
  return useFeed(source, useMay("read"));
}
