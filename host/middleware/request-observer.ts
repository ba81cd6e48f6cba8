/** A request that is over, as it is told of: without bodies and queries, and with ids that open nothing. */
export interface FinishedRequest {
  requestId: string;
  /** UTC, when it arrived. */
  time: string;
  method: string;
  /** Ids of sessions, files and templates of stores are shortened. */
  path: string;
  status: number;
  /** Of the error object that answered it. */
  errorId: string | undefined;
  /** From its arrival to the end of its answer. */
  milliseconds: number;
  /** Of these, what it waited for its turn at the plugin. */
  waited: number;
  /** Address of the client. */
  client: string;
  /** Name of the key that it came with. */
  key: string | undefined;
  /** Whether the client got the whole answer. */
  isComplete: boolean;
  /** The operation of a plugin that it was for. */
  target: { release: string; plugin: string; version: string; operation: string } | undefined;
  /** The beginning of the id. */
  session: string | undefined;
}

/** Hears of each request when it is over; it must not throw. */
export type RequestObserver = (request: FinishedRequest) => void;
