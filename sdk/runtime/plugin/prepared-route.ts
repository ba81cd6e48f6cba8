import type { Route } from "../../plugin/route.js";
import { type Check, Validator } from "../../validation.js";
import type { RouteDescription } from "../messages/plugin-description.js";
import { compiled, milliseconds } from "./prepared-schemas.js";

/** A route with its response schema compiled. */
export interface PreparedRoute {
  route: Route;
  checkResponse: Check<unknown> | undefined;
}

const pathPattern = /^[A-Za-z0-9_.~-]+$|^:[A-Za-z][A-Za-z0-9_]*$/;
const methods = ["GET", "POST", "PUT", "DELETE"];

/** The routes of a plugin by "method path". Throws with the first thing that is wrong, broken schemas included. */
export function preparedRoutes(routes: unknown): Map<string, PreparedRoute> {
  if (!Array.isArray(routes)) throw new Error("`setup` gave no list of routes");
  const prepared = new Map<string, PreparedRoute>();
  const validator = new Validator();
  for (const [index, route] of routes.entries()) {
    if (!isRoute(route))
      throw new Error(`routes[${index}] was not made with \`route.get\`, \`route.post\` and so on`);
    const key = `${route.method} ${route.path}`;
    if (prepared.has(key)) throw new Error(`${key} is there twice`);
    if (!route.path.split("/").every((segment) => pathPattern.test(segment))) {
      throw new Error(
        `${key}: the path may hold letters, digits, "_", ".", "~", "-" and ":name" between slashes`,
      );
    }
    for (const part of ["body", "query", "params"] as const) compiled(validator, key, part, route[part]);
    prepared.set(key, { route, checkResponse: compiled(validator, key, "response", route.response) });
  }
  return prepared;
}

/** What the host needs to know of a route. */
export function describeRoute({ route }: PreparedRoute): RouteDescription {
  const { method, path, summary, body, query, params, response, session } = route;
  const description = {
    method,
    path,
    summary,
    body,
    query,
    params,
    response,
    session,
    timeout: milliseconds(`${method} ${path}`, route.timeout),
  };
  return JSON.parse(JSON.stringify(description));
}

function isRoute(value: unknown): value is Route {
  if (typeof value !== "object" || value === null) return false;
  if (!("method" in value && "path" in value && "handler" in value && "session" in value)) return false;
  const { method, path, handler } = value;
  return typeof path === "string" && typeof handler === "function" && methods.some((each) => each === method);
}
