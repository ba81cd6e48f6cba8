import { badRequest, type Check, checked, Validator, type Violation } from "@slipway/sdk";
import type { LivePlugin, LiveRoute } from "../plugins/live-plugin.js";
import { type RequestContext, targetOf } from "./request-state.js";

/** The values of a request that passed the schemas of its route. */
export interface RequestInput {
  body: unknown;
  query: unknown;
  params: unknown;
}

interface RouteChecks {
  body: Check<unknown>;
  query: Check<unknown>;
  params: Check<unknown>;
}

const accept: Check<unknown> = (value) => ({ ok: true, value });

/** Compiled once per plugin version and route, and dropped with the version. */
const compiled = new WeakMap<LivePlugin, (route: LiveRoute) => RouteChecks>();

/** Checks path, query and body together; one 400 lists everything that is wrong, and `more` in front of it. */
export function requestInput(ctx: RequestContext, more: Violation[] = []): RequestInput {
  const { plugin, route, params } = targetOf(ctx);
  const checks = checksOf(plugin)(route);
  const results = {
    params: checks.params({ ...params }),
    query: checks.query({ ...ctx.query }),
    body: checks.body(ctx.state.body ?? {}),
  };
  const found = Object.values(results).flatMap((result) => (result.ok ? [] : result.violations));
  const others = more.filter((each) => !found.some((other) => other.path === each.path));
  if (found.length + others.length > 0) throw badRequest("The request is not valid", [...others, ...found]);
  return {
    params: checked(results.params, "params"),
    query: checked(results.query, "query"),
    body: checked(results.body, "body"),
  };
}

function checksOf(plugin: LivePlugin): (route: LiveRoute) => RouteChecks {
  const known = compiled.get(plugin);
  if (known !== undefined) return known;
  const exact = new Validator();
  const coercing = new Validator({ coerce: true });
  const routes = new Map<LiveRoute, RouteChecks>();
  const checksOfRoute = (route: LiveRoute): RouteChecks => {
    const checks = routes.get(route) ?? {
      body: route.body === undefined ? accept : exact.compile(route.body, "body"),
      query: route.query === undefined ? accept : coercing.compile(route.query, "query"),
      params: route.params === undefined ? accept : coercing.compile(route.params, "params"),
    };
    routes.set(route, checks);
    return checks;
  };
  compiled.set(plugin, checksOfRoute);
  return checksOfRoute;
}
