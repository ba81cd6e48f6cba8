import { SessionId } from "../../schema/schema.js";
import { Validator } from "../../schema/validation.js";
import type { Violation } from "../../schema/violation.js";
import type { LiveRoute, PluginOffer } from "../calls/live-plugin.js";
import { type GivenInput, validInput } from "./valid-input.js";

const checkId = new Validator({ lazy: true }).compile(SessionId, "sessionId");

/**
 * The session id in body or query, in lower case; undefined if the route needs none. Null counts as absent.
 * Throws 400 for an invalid id, for two different ids and for a missing id, together with all other
 * violations of the request.
 */
export function requestedSession(
  plugin: Pick<PluginOffer, "routes">,
  route: LiveRoute,
  given: GivenInput,
): string | undefined {
  if (route.session === "none") return undefined;
  const { id, violations } = namedSession(given);
  if (violations.length > 0) validInput(plugin, route, given, violations);
  if (id === undefined && route.session === "required")
    validInput(plugin, route, given, [missing(route, given)]);
  return id;
}

function missing({ method }: LiveRoute, { body }: GivenInput): Violation {
  if (member(body, "sessionId") === null)
    return { path: "body.sessionId", expected: "a value", received: "null" };
  const place = method === "GET" ? "query" : "body";
  return { path: `${place}.sessionId`, expected: "a value", received: "nothing" };
}

function namedSession({ body, query }: GivenInput): { id: string | undefined; violations: Violation[] } {
  const places = [
    { path: "body.sessionId", value: member(body, "sessionId") },
    { path: "query.sessionId", value: query["sessionId"] },
  ].filter(({ value }) => value !== undefined && value !== null);
  const violations: Violation[] = [];
  const ids = new Set<string>();
  for (const { path, value } of places) {
    const result = checkId(value);
    if (result.ok) ids.add(result.value.toLowerCase());
    else violations.push(...result.violations.map((violation) => ({ ...violation, path })));
  }
  const [id, other] = [...ids];
  if (other !== undefined)
    violations.push({
      path: "query.sessionId",
      expected: `"${id}" as in the body`,
      received: JSON.stringify(other),
    });
  return { id, violations };
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
