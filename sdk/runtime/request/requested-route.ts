import type { LiveRoute, PluginOffer } from "../calls/live-plugin.js";
import { methodNotAllowed, notFound } from "../calls/request-errors.js";
import { matchRoute } from "./match-route.js";

/** The route that a request asks for, or, for OPTIONS, the methods that would do. */
export type RequestedRoute = { route: LiveRoute; params: Record<string, string> } | { allowed: string[] };

/** A request as far as it says where it goes. */
export interface RoutedRequest {
  method: string;
  /** Below the plugin's base, percent-encoded as it came. */
  below: string;
  /** The whole path, for errors. */
  path: string;
}

/**
 * Finds the route of a request.
 * @throws {RequestError} 404 `request-not-found` with the plugin's operations, 405 `request-method-not-allowed`
 */
export function requestedRoute(
  plugin: Pick<PluginOffer, "routes">,
  { method, below, path }: RoutedRequest,
): RequestedRoute {
  const found = matchRoute(plugin, method, below);
  if (found.kind === "route") return { route: found.route, params: found.params };
  if (found.kind === "none") {
    throw notFound(path, { operations: plugin.routes.map((route) => `${route.method} ${route.path}`) });
  }
  if (method !== "OPTIONS") throw methodNotAllowed(method, found.allowed);
  return { allowed: found.allowed };
}

/** Whether requests of the route have a body. */
export function takesBody({ method }: LiveRoute): boolean {
  return method === "POST" || method === "PUT";
}
