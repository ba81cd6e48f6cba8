import type { Log } from "@slipway/sdk";
import { clientOf, trustOf } from "../system/addresses.js";
import type { Middleware } from "./request-state.js";

/**
 * Determines the client address, which trusted proxies forward. Forwarding headers from other addresses are ignored,
 * with one warning, because a proxy may be missing in the configuration.
 */
export function clientAddress(trustedProxies: readonly string[], log: Log): Middleware {
  const trust = trustOf(trustedProxies);
  let isTold = false;
  return async (ctx, next) => {
    const client = clientOf(ctx.req, trust);
    ctx.state.client = client;
    ctx.request.ip = client.address;
    if (!isTold && client.isDirect && ctx.get("X-Forwarded-For") !== "") {
      isTold = true;
      log.warn(
        "A request came with X-Forwarded-For from an address that is not in trustedProxies; such headers are ignored, so all clients of a proxy count as one",
        { proxy: client.address },
      );
    }
    await next();
  };
}
