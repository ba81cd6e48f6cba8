import { randomUUID } from "node:crypto";
import type { CallOrigin, LiveRoute, PluginCall } from "../calls/live-plugin.js";
import type { ValidInput } from "./valid-input.js";

/** Locale of requests without a session (interface document, section 4.1). */
export const localeWithoutSession = "en";

/** The call of a route for a request that passed its schemas. */
export function pluginCall(route: LiveRoute, input: ValidInput, origin: CallOrigin): PluginCall {
  return {
    ...origin,
    route: `${route.method} ${route.path}`,
    body: JSON.stringify(input.body ?? null),
    query: JSON.stringify(input.query),
    params: JSON.stringify(input.params),
  };
}

const sane = /^[A-Za-z0-9._:-]{1,100}$/;

/** The id of a request: the client's own `X-Request-Id` when it is harmless, else a new one. */
export function requestId(wanted: unknown): string {
  return typeof wanted === "string" && sane.test(wanted) ? wanted : randomUUID();
}
