import { badRequest, RequestError } from "@slipway/sdk";
import { bodyTooLarge, requestTimedOut } from "@slipway/sdk/runtime/host";
import type { RateLimitsConfiguration } from "../configuration/access-configuration.js";
import type { Configuration } from "../configuration/configuration.js";
import { archiveLimits } from "../plugins/packages/packages.js";
import { type Access, rateLimited } from "../security/access.js";
import { networkOf, RateLimit, type SharedUses } from "../security/rate-limit.js";
import { isLoopback } from "../system/addresses.js";
import { monotonicTime } from "../system/time.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Bytes of a form besides its file. */
const formOverhead = 64 * 1024;

/**
 * Refuses requests whose declared length is too large (others are limited while they are read), with too long a path or too
 * many query parameters, and requests with a missing or duplicate `Host`, or duplicate keys (RFC 9112, section 3.2).
 */
export function limits(configuration: Pick<Configuration, "limits" | "plugins" | "security">): Middleware {
  return async (ctx, next) => {
    refuseRepeatedHeaders(ctx);
    refuseLongPath(ctx, configuration.security.pathLength);
    refuseManyParameters(ctx, configuration.security.queryParameters);
    const limit = limitOf(ctx.path, configuration);
    // `ctx.request.length` has only 32 bits.
    if (Number(ctx.get("Content-Length")) > limit) throw bodyTooLarge(limit);
    await next();
  };
}

function refuseLongPath({ req }: RequestContext, limit: number): void {
  if ((req.url ?? "").length <= limit) return;
  throw new RequestError({
    id: "request-too-large",
    code: 414,
    message: `The address with its query is longer than the ${limit} characters that are allowed.`,
    additionalInformation: { limit },
  });
}

/** Counted before parsing, because Koa's parser takes quadratic time. */
function refuseManyParameters({ querystring }: RequestContext, limit: number): void {
  let count = 1;
  for (let at = querystring.indexOf("&"); at !== -1; at = querystring.indexOf("&", at + 1)) count++;
  if (count <= limit) return;
  const violation = { path: "query", expected: `at most ${limit} parameters`, received: String(count) };
  throw badRequest("The request is not valid", [violation]);
}

/**
 * Requires one `Host`, optional in HTTP/1.0, and at most one key: a proxy could use the first of two and this host the
 * last.
 */
function refuseRepeatedHeaders({ req }: RequestContext): void {
  const count = (name: string): number =>
    req.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
  const hosts = count("host");
  const keys = count("authorization");
  const isHostMissing = hosts === 0 && req.httpVersion !== "1.0";
  const violations = [
    ...(hosts > 1 || isHostMissing ? [{ path: "headers.Host", expected: "one value", count: hosts }] : []),
    ...(keys > 1 ? [{ path: "headers.Authorization", expected: "at most one value", count: keys }] : []),
  ];
  if (violations.length === 0) return;
  const [first] = violations;
  const message =
    first?.count === 0
      ? "The request has no header Host; HTTP/1.1 requires one."
      : `The request has a header more than once: ${violations.map(({ path }) => path.replace("headers.", "")).join(", ")}. Send it once.`;
  throw badRequest(
    { message },
    violations.map(({ count, ...rest }) => ({ ...rest, received: count === 0 ? "nothing" : String(count) })),
  );
}

function limitOf(path: string, { limits, plugins }: Pick<Configuration, "limits" | "plugins">): number {
  if (path === "/api/plugins") return archiveLimits(plugins.archives).bytes + formOverhead;
  return /^\/(?:api|session-cache)\//.test(path) ? limits.project : limits.json;
}

/** The limits of one client. */
export interface ClientLimits {
  /** Counts every request. */
  requests: Middleware;
  /** Counts a session that a request opens otherwise than by its path. */
  opening(ctx: RequestContext): Promise<void>;
}

/**
 * 429 `request-rate-limited` per key, or per address without a key. Direct requests from this machine are exempt: a
 * local program can overload the machine anyway, and is often a server for all users.
 */
export function requestLimits(
  access: Access,
  configuration: RateLimitsConfiguration,
  uses: SharedUses | undefined,
): ClientLimits {
  const period = (): number => configuration.period;
  const requests = new RateLimit(() => configuration.requests, period, { uses, name: "requests" });
  const sessions = new RateLimit(() => configuration.sessions, period, { uses, name: "sessions" });
  const isLimited = ({ state: { client } }: RequestContext): boolean =>
    !client.isDirect || !isLoopback(client.address);
  const opening = async (ctx: RequestContext): Promise<void> => {
    const { requester = "" } = ctx.state;
    const wait = isLimited(ctx) ? await sessions.take(requester) : undefined;
    if (wait !== undefined) throw rateLimited("This client opens too many sessions. Try again later.", wait);
  };
  return {
    opening,
    async requests(ctx, next) {
      const key = await access.keyOf(ctx);
      const who = key === undefined ? `address ${networkOf(ctx.state.client.address)}` : `key ${key}`;
      ctx.state.requester = who;
      if (key !== undefined) ctx.state.keyName = key;
      const wait = isLimited(ctx) ? await requests.take(who) : undefined;
      if (wait !== undefined)
        throw rateLimited("This client sends too many requests. Try again later.", wait);
      if (ctx.method === "POST" && ctx.path === "/api/sessions") await opening(ctx);
      await next();
    },
  };
}

/** Aborts a request at its deadline with 504. The deadline counts from the arrival and includes queueing. */
export function timeout(): Middleware {
  return async (ctx, next) => {
    const { abort, log } = ctx.state;
    const { deadline } = targetOf(ctx);
    const timer = setTimeout(
      () => abort.abort(requestTimedOut(deadline - ctx.state.arrived)),
      Math.max(0, deadline - monotonicTime()),
    );
    const work = next();
    const aborted = new Promise<never>((_, reject) => {
      const end = (): void => reject(abort.signal.reason);
      if (abort.signal.aborted) end();
      abort.signal.addEventListener("abort", end, { once: true });
    });
    try {
      await Promise.race([work, aborted]);
    } catch (error) {
      work.catch((late: unknown) => log.debug("A request ended after its deadline", { error: late }));
      throw abort.signal.aborted && !(error instanceof RequestError) ? interrupted(abort.signal) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The response after an abort for another reason than the deadline, if the client is still connected. */
function interrupted(signal: AbortSignal): unknown {
  if (signal.reason instanceof RequestError) return signal.reason;
  return new RequestError({
    id: "host-stopping",
    code: 503,
    message: "The host is stopping and ended the request. Try again.",
    headers: { "Retry-After": "5" },
    reason: signal.reason,
  });
}
