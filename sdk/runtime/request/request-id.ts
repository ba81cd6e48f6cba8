import { randomUUID } from "node:crypto";

const sane = /^[A-Za-z0-9._:-]{1,100}$/;

/** The id of a request: the client's own `X-Request-Id` when it is harmless, else a new one. */
export function requestId(wanted: unknown): string {
  return typeof wanted === "string" && sane.test(wanted) ? wanted : randomUUID();
}
