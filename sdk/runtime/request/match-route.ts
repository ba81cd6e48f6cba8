import type { LiveRoute, PluginOffer } from "../calls/live-plugin.js";

/** What a path below a plugin's base means to it. */
export type RouteMatch =
  | { kind: "route"; route: LiveRoute; params: Record<string, string> }
  | { kind: "method"; allowed: string[] }
  | { kind: "none" };

interface RoutePattern {
  route: LiveRoute;
  methods: readonly string[];
  segments: readonly string[];
}

/** In the order in which they are tried, by the plugin's list of routes; gone with it. */
const patterns = new WeakMap<PluginOffer["routes"], RoutePattern[]>();

/**
 * The route of a path below the plugin's base, percent-encoded as it came. Where several fit, the one with the most literal
 * beginning wins. One slash at the end does not matter. A path with a broken escape names nothing.
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

/** Literal segments before parameters, from the left. */
function bySpecificity(one: LiveRoute, other: LiveRoute): number {
  const shape = ({ path }: LiveRoute): string =>
    path
      .split("/")
      .map((segment) => (segment.startsWith(":") ? "1" : "0"))
      .join("");
  return shape(one) < shape(other) ? -1 : shape(one) > shape(other) ? 1 : 0;
}
