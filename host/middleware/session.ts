import { type Log, SessionId, Validator, type Violation } from "@slipway/sdk";
import { sessionNotFound } from "../request-errors.js";
import type { Sessions } from "../sessions/sessions.js";
import { requestInput } from "./request-input.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

const checkId = new Validator().compile(SessionId, "sessionId");

/** Finds the session that body or query name, and renews its lifetime. 400 when malformed, 422 when not active. */
export function session(sessions: Pick<Sessions, "use" | "find">): Middleware {
  return async (ctx, next) => {
    const use = targetOf(ctx).route.session;
    if (use !== "none") {
      const named = namedSession(ctx);
      if (named.violations.length > 0) requestInput(ctx, named.violations);
      if (named.id === undefined && use === "required") requestInput(ctx, [missing(ctx)]);
      if (named.id !== undefined) {
        const { id } = named;
        const { work, log } = ctx.state;
        ctx.state.session = await work.step("find the session", () => findSession(sessions, id, log));
      }
    }
    await next();
  };
}

function missing(ctx: RequestContext): Violation {
  const place = targetOf(ctx).route.method === "GET" ? "query" : "body";
  return { path: `${place}.sessionId`, expected: "a value", received: "nothing" };
}

function namedSession(ctx: RequestContext): { id: string | undefined; violations: Violation[] } {
  const places = [
    { path: "body.sessionId", value: member(ctx.state.body, "sessionId") },
    { path: "query.sessionId", value: ctx.query["sessionId"] },
  ].filter((place) => place.value !== undefined);
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

/** A disk that takes nothing keeps no session from being used: it is renewed with the next request after that. */
async function findSession(sessions: Pick<Sessions, "use" | "find">, id: string, log: Log) {
  const found = await sessions.use(id).catch((error: unknown) => {
    log.warn("The lifetime of a session could not be renewed", { session: id.slice(0, 8), error });
    return sessions.find(id);
  });
  if (found === undefined) throw sessionNotFound(id);
  return found;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
