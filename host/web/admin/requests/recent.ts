import type { RecentRequest } from "../host/answers.js";
import { type Feed, useFeed } from "../host/feed.js";
import { useMay } from "../host/host-context.js";

const source = { path: "api/requests", member: "requests", capacity: 1000 };

/** The last requests of the host, and those that come. */
export function useRequests(): Feed<RecentRequest> {
  return useFeed<RecentRequest>(useMay("read") ? source : undefined);
}
