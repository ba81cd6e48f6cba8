import { type Static, Type } from "@slipway/sdk";
import { RecentEntries } from "../../system/recent-entries.js";
import { isLook } from "./probes.js";
import { FinishedRequest } from "./request-observer.js";

/** A request that is over, with its place among the others. */
export const RecentRequest = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: "One more for each that is kept, since the host started." }),
    ...FinishedRequest.properties,
  },
  { title: "RecentRequest" },
);
export type RecentRequest = Static<typeof RecentRequest>;

const capacity = 1000;

/** The last requests, without probes and looks at them, in memory only; the log has all of them. */
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
