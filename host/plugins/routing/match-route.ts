import Router, { type Layer } from "@koa/router";
import type { LiveRoute, PluginOffer } from "../live-plugin.js";

export type RouteMatch =
  | { kind: "route"; route: LiveRoute; params: Record<string, string> }
  | { kind: "method"; allowed: string[] }
  | { kind: "none" };

interface PluginRouter {
  router: Router;
  routes: Map<Layer, LiveRoute>;
}

/** A router cannot lose a route, so each plugin version has one of its own, by its list of routes; it is gone with it. */
const routers = new WeakMap<PluginOffer["routes"], PluginRouter>();

/** The route of a path below the plugin's base. Where several fit, the one with the most literal beginning wins. */
export function matchRoute(plugin: Pick<PluginOffer, "routes">, method: string, path: string): RouteMatch {
  if (!isDecodable(path)) return { kind: "none" };
  const { router, routes } = routerOf(plugin.routes);
  const found = router.match(`/${path}`, method);
  const layer = found.pathAndMethod[0];
  const route = layer && routes.get(layer);
  if (layer !== undefined && route !== undefined) {
    return { kind: "route", route, params: layer.params(path, layer.captures(`/${path}`)) };
  }
  if (found.path.length === 0) return { kind: "none" };
  return { kind: "method", allowed: [...new Set(found.path.flatMap(({ methods }) => methods)), "OPTIONS"] };
}

function routerOf(routes: PluginOffer["routes"]): PluginRouter {
  const known = routers.get(routes);
  if (known !== undefined) return known;
  const made: PluginRouter = { router: new Router({ sensitive: true, strict: true }), routes: new Map() };
  for (const route of [...routes].sort(bySpecificity)) {
    made.router.register(`/${route.path}`, [route.method], () => undefined);
    const layer = made.router.stack.at(-1);
    if (layer !== undefined) made.routes.set(layer, route);
  }
  routers.set(routes, made);
  return made;
}

/** A path with a broken escape names nothing. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
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
