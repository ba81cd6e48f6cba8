import { type Feed, type FeedSource, useFeed } from "../../client/feed.js";
import { useMay } from "../../client/host-context.js";
import type { RecentRequest } from "../../client/operations.js";

/** Whether an error answered a request. That a client went away is none: those who follow a stream end in no other way. */
export function isFailure({ status }: RecentRequest): boolean {
  return status >= 400 && status !== 499;
}

const looks =
  /^\/(?:api\/(?:access|status|plugins|events|templates|sessions|requests|audit)(?:\/|$)|admin(?:\/|$)|healthz$|readyz$|metrics$)/;

/** Periodic requests of pages like this one and of monitors, where it was answered well. */
export function isOwnLook(request: RecentRequest): boolean {
  const { method, path } = request;
  return (method === "GET" || method === "HEAD") && looks.test(path) && !isFailure(request);
}

/** What a request was for, such as "oex export"; undefined where it was for no plugin. */
export function operationOf({ target }: RecentRequest): string | undefined {
  return target === undefined ? undefined : `${target.plugin} ${target.operation}`;
}

const source: FeedSource<"GET /api/requests"> = {
  key: "GET /api/requests",
  entriesOf: ({ requests }) => requests,
  capacity: 1000,
};

/** The last requests of the host, and those that come. */
export function useRequests(): Feed<RecentRequest> {
  return useFeed(source, useMay("read"));
}
