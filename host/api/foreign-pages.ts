import { RequestError } from "@slipway/sdk";
import type { Middleware } from "../middleware/request-state.js";

const foreign = new Set(["cross-site", "same-site"]);

/**
 * 403 `request-forbidden` for what browsers send on behalf of a page of another origin that CORS does not allow: an
 * admin who visits a page must not disable plugins by that. Other clients send no `Sec-Fetch-Site`.
 */
export const refuseForeignPages: Middleware = async (ctx, next) => {
  // Set by the CORS middleware for the origins of the configuration.
  const isAllowed = ctx.res.hasHeader("Access-Control-Allow-Origin");
  if (foreign.has(ctx.get("Sec-Fetch-Site").toLowerCase()) && !isAllowed) {
    throw new RequestError({
      id: "request-forbidden",
      code: 403,
      message: "Pages of other origins may not ask for this; the setting cors.origins lists those that may.",
    });
  }
  await next();
};
