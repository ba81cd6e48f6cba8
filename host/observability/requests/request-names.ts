import type { IncomingMessage } from "node:http";
import { requestId } from "@slipway/sdk/runtime/host";

/** The id of a request: the client's own `X-Request-Id` when it is harmless, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  return requestId(headers["x-request-id"]);
}

const longestPath = 300;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Paths of generated files and jobs: prefix and id. */
const openingPath = /^(\/files\/|\/api\/jobs\/)([^/]+)/;
/** The secret part in the key of a store's template. */
const storeKey = /(?<=~|%7E)[A-Za-z0-9_-]{32}/gi;

/**
 * A path for logs, lists and traces. Ids of sessions, files, jobs and templates of stores grant access like keys, so only their
 * beginnings are shown, which suffice to find their lines.
 */
export function shownPath(path: string): string {
  const shown = path
    .replace(uuid, shownId)
    .replace(openingPath, (_whole, before: string, id: string) => before + shownId(id))
    .replace(storeKey, shownId);
  return shown.slice(0, longestPath);
}

/** The beginning of a secret id, for logs and lists. */
export function shownId(id: string): string {
  return `${id.slice(0, 8)}…`;
}
