import type { IncomingMessage } from "node:http";
import { requestId } from "@slipway/sdk/runtime/host";

/** The id of a request: the client's own `X-Request-Id` when it is harmless, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  return requestId(headers["x-request-id"]);
}
