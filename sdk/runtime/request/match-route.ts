import type { LiveRoute, PluginOffer } from "../calls/live-plugin.js";
import { methodNotAllowed, notFound } from "../calls/request-errors.js";

/** The result of matching a path below a plugin's base path. */
export type RouteMatch =
  | { kind: "route"; route: LiveRoute; params: Record<string, string> }
  | { kind: "method"; allowed: string[] }
  | { kind: "none" };

interface RoutePattern {
  route: LiveRoute;
  methods: readonly string[];
  segments: readonly string[];
}

/** In matching order, by the plugin's list of routes; weak, so that they are freed with it. */
const patterns = new WeakMap<PluginOffer["routes"], RoutePattern[]>();

/**
 * Finds the route for a path below the plugin's base path, still percent-encoded. If several match, the one
 * with the longest literal prefix wins. One trailing slash is ignored. A path with an invalid escape matches
 * nothing.
 */
export function matchRoute(plugin: Pick<PluginOffer, "routes">, method: string, path: string): RouteMatch {
  const segments = path
    .replace(/\/$/, "")
    .split("/")
    .map((raw) => ({ raw, text: decoded(raw) }));
  if (segments.some(({ text }) => text === undefined)) return { kind: "none" };
  const allowed = new Set<string>();
  for (const { route, methods, segments: wanted } of patternsOf(plugin.routes)) {
    const params = wanted.length === segments.length ? paramsOf(wanted, segments) : undefined;
    if (params === undefined) continue;
    if (methods.includes(method)) return { kind: "route", route, params };
    for (const each of methods) allowed.add(each);
  }
  return allowed.size === 0 ? { kind: "none" } : { kind: "method", allowed: [...allowed, "OPTIONS"] };
}

function paramsOf(
  wanted: readonly string[],
  segments: readonly { raw: string; text: string | undefined }[],
): Record<string, string> | undefined {
  const params: [string, string][] = [];
  for (const [index, each] of wanted.entries()) {
    const { raw = "", text = "" } = segments[index] ?? {};
    if (!each.startsWith(":")) {
      if (each !== raw) return undefined;
    } else if (raw === "") return undefined;
    else params.push([each.slice(1), text]);
  }
  return Object.fromEntries(params);
}

function patternsOf(routes: PluginOffer["routes"]): RoutePattern[] {
  const known = patterns.get(routes);
  if (known !== undefined) return known;
  const made = [...routes].sort(bySpecificity).map((route) => ({
    route,
    methods: route.method === "GET" ? ["HEAD", "GET"] : [route.method],
    segments: route.path.split("/"),
  }));
  patterns.set(routes, made);
  return made;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Literal segments before parameters, from left to right. */
function bySpecificity(one: LiveRoute, other: LiveRoute): number {
  const shape = ({ path }: LiveRoute): string =>
    path
      .split("/")
      .map((segment) => (segment.startsWith(":") ? "1" : "0"))
      .join("");
  return shape(one) < shape(other) ? -1 : shape(one) > shape(other) ? 1 : 0;
}

/** The route of a request, or, for OPTIONS, the allowed methods. */
export type RequestedRoute = { route: LiveRoute; params: Record<string, string> } | { allowed: string[] };

/** Method and path of a request. */
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
