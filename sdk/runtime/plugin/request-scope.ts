import { AsyncLocalStorage } from "node:async_hooks";

/** The request that the running code works for. */
export interface RequestScope {
  /** Its number in this instance. */
  request: number;
  signal: AbortSignal;
}

/** Follows a request through everything that its handler starts, so that the services of the host know whose deadline, session and address count. */
export const requestScope = new AsyncLocalStorage<RequestScope>();
