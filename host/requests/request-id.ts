import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const sane = /^[A-Za-z0-9._:-]{1,100}$/;

/** The id of a request: the client's own `X-Request-Id` when it is harmless, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const wanted = headers["x-request-id"];
  return typeof wanted === "string" && sane.test(wanted) ? wanted : randomUUID();
}
