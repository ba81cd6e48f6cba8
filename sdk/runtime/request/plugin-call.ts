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
