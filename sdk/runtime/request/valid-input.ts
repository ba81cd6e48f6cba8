import { parse } from "@hapi/bourne";
import { isJsonTooDeep } from "../../schema/nesting.js";
import { trimmedEnd } from "../../schema/text.js";
import { badRequest, type Check, checked, tooDeep, Validator } from "../../schema/validation.js";
import type { Violation } from "../../schema/violation.js";
import type { LiveRoute, PluginOffer } from "../calls/live-plugin.js";
import { nullMembersRemoved } from "./null-members.js";

/** The input of a request. */
export interface GivenInput {
  /** JSON value; validation adds defaults and removes meaningless nulls. Undefined without a body. */
  body: unknown;
  query: Readonly<Record<string, unknown>>;
  params: Readonly<Record<string, string>>;
}

/** The validated input of a request. */
export interface ValidInput {
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

/** Compiled once per plugin version and route, and freed with the version's list of routes. */
const compiled = new WeakMap<PluginOffer["routes"], (route: LiveRoute) => RouteChecks>();

/**
 * Validates path, query and body together and fills in defaults; one 400 error lists all violations, those in
 * `more` first. The route must be one of the plugin's.
 */
export function validInput(
  plugin: Pick<PluginOffer, "routes">,
  route: LiveRoute,
  given: GivenInput,
  more: readonly Violation[] = [],
): ValidInput {
  const checks = checksOf(plugin.routes)(route);
  const results = {
    params: checks.params({ ...given.params }),
    query: checks.query({ ...given.query }),
    body: checks.body(given.body ?? {}),
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

function checksOf(routes: PluginOffer["routes"]): (route: LiveRoute) => RouteChecks {
  const known = compiled.get(routes);
  if (known !== undefined) return known;
  const exact = new Validator();
  const coercing = new Validator({ coerce: true });
  const byRoute = new Map<LiveRoute, RouteChecks>();
  const checksOfRoute = (route: LiveRoute): RouteChecks => {
    const checks = byRoute.get(route) ?? {
      body: route.body === undefined ? accept : bodyCheck(exact, route.body),
      query: route.query === undefined ? accept : coercing.compile(route.query, "query"),
      params: route.params === undefined ? accept : coercing.compile(route.params, "params"),
    };
    byRoute.set(route, checks);
    return checks;
  };
  compiled.set(routes, checksOfRoute);
  return checksOfRoute;
}

function bodyCheck(validator: Validator, schema: object): Check<unknown> {
  const check = validator.compile(schema, "body");
  const removeNulls = nullMembersRemoved(schema);
  return (value) => {
    removeNulls(value);
    return check(value);
  };
}

/**
 * The value of a JSON body; an empty one is an empty object. Throws a 400 if it is no object or array, is nested too
 * deep, or has a member `__proto__`, which could reach the prototypes of other objects.
 */
export function parsedJsonBody(text: string): unknown {
  if (text === "") return {};
  if (isJsonTooDeep(text)) throw badRequest("The request is not valid", [tooDeep("body")]);
  if (!/^\s*[[{]/.test(text)) throw unreadableBody("JSON", "invalid JSON, only supports object and array");
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadableBody("JSON", error.message);
  }
}

/** A 400 for a body that is not what its headers say. */
export function unreadableBody(expected: string, received: string): Error {
  const reason = trimmedEnd(received, ". ");
  return badRequest({ message: `The body cannot be read as ${expected}: ${reason}.` }, [
    { path: "body", expected, received },
  ]);
}
