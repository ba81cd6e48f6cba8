import type { RateLimitsConfiguration } from "../configuration/access-configuration.js";
import { type Access, rateLimited } from "../security/access.js";
import { networkOf, RateLimit } from "../security/rate-limit.js";
import { isLoopback } from "../system/addresses.js";
import type { Middleware } from "./request-state.js";

/**
 * 429 `request-rate-limited` per key, or per address without a key. Direct requests from this machine are exempt: a
 * local program can overload the machine anyway, and is often a server for all users.
 */
export function requestLimits(access: Access, configuration: RateLimitsConfiguration): Middleware {
  const period = (): number => configuration.period;
  const requests = new RateLimit(() => configuration.requests, period);
  const sessions = new RateLimit(() => configuration.sessions, period);
  return async (ctx, next) => {
    const { address, isDirect } = ctx.state.client;
    const key = await access.keyOf(ctx);
    const who = key === undefined ? `address ${networkOf(address)}` : `key ${key}`;
    ctx.state.requester = who;
    if (!isDirect || !isLoopback(address)) {
      const wait = await requests.take(who);
      if (wait !== undefined) throw rateLimited("Too many requests come from this client.", wait);
      const opens = ctx.method === "POST" && ctx.path === "/api/sessions";
      const waitToOpen = opens ? await sessions.take(who) : undefined;
      if (waitToOpen !== undefined) throw rateLimited("This client opens too many sessions.", waitToOpen);
    }
    await next();
  };
}
