/** Routes and service methods with their schemas checked and their times read. */

import type { Duration, Route } from "../../plugin/route.js";
import type { ServiceMethod } from "../../plugin/service.js";
import { errorMessage } from "../../schema/errors.js";
import { isOfKind } from "../../schema/record.js";
import type { TSchema } from "../../schema/schema.js";
import { type Check, Validator } from "../../schema/validation.js";
import { describe } from "../../schema/violation.js";
import {
  MediaTypes,
  type RouteDescription,
  type ServiceMethodDescription,
} from "../messages/plugin-description.js";
import { isCertainlyValid } from "./schema-validity.js";

const checkMediaTypes = new Validator({ lazy: true }).compile(MediaTypes, "produces");

/** Schemas of one plugin. */
class PluginSchemas {
  private readonly validator = new Validator();
  private readonly lazy = new Validator({ lazy: true });

  /**
   * The check of a schema. A schema that is certain to compile is compiled on first use: the host validates requests, so
   * this process never uses most of them. Throws, naming `owner` and `part`, for an invalid schema.
   */
  check(owner: string, part: string, schema: TSchema | undefined): Check<unknown> | undefined {
    if (schema === undefined) return undefined;
    try {
      return (isCertainlyValid(schema) ? this.lazy : this.validator).compile(schema, part);
    } catch (error) {
      const detail = errorMessage(error);
      throw new Error(`${owner}: the schema of its ${part} is not valid: ${detail}`, { cause: error });
    }
  }
}

const unitMilliseconds: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** A time limit in milliseconds. Throws, naming `owner`, if it is invalid. */
export function milliseconds(owner: string, timeout: Duration | undefined): number | undefined {
  if (timeout === undefined) return undefined;
  const value = typeof timeout === "number" ? timeout : durationText(timeout);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${owner}: a timeout is a whole number of milliseconds or a text such as "10s"`);
}

function durationText(duration: Exclude<Duration, number>): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(duration);
  return Math.round(Number(match?.[1]) * (unitMilliseconds[match?.[2] ?? ""] ?? Number.NaN));
}

/** A route with the check of its responses. */
export interface PreparedRoute {
  route: Route;
  checkResponse: Check<unknown> | undefined;
}

const pathPattern = /^[A-Za-z0-9_.~-]+$|^:[A-Za-z][A-Za-z0-9_]*$/;
const methods = ["GET", "POST", "PUT", "DELETE"];

/** The routes of a plugin by "method path". Throws on the first error, including invalid schemas. */
export function preparedRoutes(routes: unknown): Map<string, PreparedRoute> {
  if (!Array.isArray(routes)) throw new Error("`setup` returned no list of routes");
  const prepared = new Map<string, PreparedRoute>();
  const schemas = new PluginSchemas();
  for (const [index, route] of routes.entries()) {
    if (!isRoute(route))
      throw new Error(`routes[${index}] was not made with \`route.get\`, \`route.post\` and so on`);
    const key = `${route.method} ${route.path}`;
    if (prepared.has(key)) throw new Error(`${key} is there twice`);
    requireSummary(`Route ${index + 1} (${key})`, route.summary);
    if (!route.path.split("/").every((segment) => pathPattern.test(segment))) {
      throw new Error(
        `${key}: the path may contain letters, digits, "_", ".", "~", "-" and ":name" between slashes`,
      );
    }
    requireMediaTypes(key, route.produces);
    for (const part of ["body", "query", "params"] as const) schemas.check(key, part, route[part]);
    prepared.set(key, { route, checkResponse: schemas.check(key, "response", route.response) });
  }
  return prepared;
}

/** Plugins in JavaScript have no compiler that reports a missing summary. */
export function requireSummary(owner: string, summary: unknown): void {
  if (typeof summary !== "string" || summary === "") throw new Error(`${owner}: summary is missing`);
}

function requireMediaTypes(owner: string, produces: readonly string[] | undefined): void {
  if (produces === undefined) return;
  const result = checkMediaTypes(produces);
  if (!result.ok) throw new Error(`${owner}: ${result.violations.map(describe).join("; ")}`);
}

/** The description of a route for the host. */
export function describeRoute({ route }: PreparedRoute): RouteDescription {
  const { method, path, summary, body, query, params, response, produces, redirects, session } = route;
  const description = {
    method,
    path,
    summary,
    body,
    query,
    params,
    response,
    produces,
    redirects,
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

/** A service method with the checks of its values. */
export interface PreparedMethod {
  service: string;
  name: string;
  method: ServiceMethod;
  checkInput: Check<unknown> | undefined;
  checkOutput: Check<unknown> | undefined;
}

/** Of services, their methods and schedules. */
export const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/**
 * The methods of a plugin's services by "service.method". Throws on the first error, including invalid
 * schemas.
 */
export function preparedServices(services: unknown): Map<string, PreparedMethod> {
  const prepared = new Map<string, PreparedMethod>();
  const schemas = new PluginSchemas();
  for (const [service, methods] of members("services", services ?? {})) {
    for (const [name, method] of members(`services.${service}`, methods)) {
      const key = `${service}.${name}`;
      if (!isServiceMethod(method)) throw new Error(`services.${key} was not made with \`serviceMethod\``);
      const checkInput = schemas.check(`services.${key}`, "input", method.input);
      const checkOutput = schemas.check(`services.${key}`, "output", method.output);
      prepared.set(key, { service, name, method, checkInput, checkOutput });
    }
  }
  return prepared;
}

/** The description of a service method for the host. */
export function describeServiceMethod({ service, name, method }: PreparedMethod): ServiceMethodDescription {
  const { summary, input, output, session } = method;
  const timeout = milliseconds(`services.${service}.${name}`, method.timeout);
  return JSON.parse(JSON.stringify({ service, method: name, summary, input, output, session, timeout }));
}

function members(what: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`\`${what}\` must be an object`);
  const entries: [string, unknown][] = Object.entries(value);
  const wrong = entries.find(([name]) => !namePattern.test(name));
  if (wrong !== undefined)
    throw new Error(
      `\`${what}\` has the name ${JSON.stringify(wrong[0])}; a name may contain letters, digits, "_" and "-"`,
    );
  return entries;
}

function isServiceMethod(value: unknown): value is ServiceMethod {
  return isOfKind(value, "slipway-service-method", "handler");
}
