import { type Static, Type } from "@slipway/sdk";
import { FinishedRequest } from "../middleware/request-observer.js";

/** A request that is over, with its place among the others. */
export const RecentRequest = Type.Object({
  id: Type.Integer({ minimum: 1, description: "One more for each request since the host started." }),
  ...FinishedRequest.properties,
});
export type RecentRequest = Static<typeof RecentRequest>;

const capacity = 1000;

/** The last requests, in memory only; the log has all of them. */
export class RecentRequests {
  /** A ring: each has its place by its id. */
  private readonly kept: RecentRequest[] = [];
  private lastId = 0;
  private readonly listeners = new Set<() => void>();

  /** Keeps a request; the oldest makes room for it. */
  readonly keep = (request: FinishedRequest): void => {
    this.lastId += 1;
    this.kept[this.lastId % capacity] = { id: this.lastId, ...request };
    for (const listener of this.listeners) listener();
  };

  /** The first `limit` after an id, or without one the last ones, all that fit `isWanted`; oldest first. */
  list(query: {
    after?: number | undefined;
    limit: number;
    isWanted?: (request: RecentRequest) => boolean;
  }): RecentRequest[] {
    const { after, limit, isWanted = () => true } = query;
    const oldest = Math.max(1, this.lastId - capacity + 1);
    const found: RecentRequest[] = [];
    const look = (id: number): void => {
      const request = this.kept[id % capacity];
      if (request !== undefined && isWanted(request)) found.push(request);
    };
    if (after === undefined) {
      for (let id = this.lastId; id >= oldest && found.length < limit; id--) look(id);
      return found.reverse();
    }
    for (let id = Math.max(oldest, after + 1); id <= this.lastId && found.length < limit; id++) look(id);
    return found;
  }

  /** Calls for each request from now on; the result ends that. */
  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
