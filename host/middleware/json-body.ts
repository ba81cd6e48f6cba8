import type { Configuration } from "../configuration/configuration.js";
import { unsupportedMediaType } from "../request-errors.js";
import { jsonReader, jsonTypes } from "./koa-body-adapter.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

/**
 * Reads the body of a route that takes one. It comes after resolution, so that nothing is read for a path that does
 * not exist, and before back-pressure, so that a slow sender occupies no place at the plugin.
 */
export function jsonBody(configuration: Configuration["limits"]): Middleware {
  let limit = configuration.json;
  let read = jsonReader(limit);
  return async (ctx, next) => {
    if (limit !== configuration.json) {
      limit = configuration.json;
      read = jsonReader(limit);
    }
    const { route } = targetOf(ctx);
    const takesBody = route.method === "POST" || route.method === "PUT";
    if (takesBody && hasBody(ctx)) {
      if (!ctx.is(jsonTypes)) throw unsupportedMediaType(ctx.get("Content-Type"), ["application/json"]);
      ctx.state.body = await read(ctx);
    }
    await next();
  };
}

/** Whether a request says that it has a body. */
export function hasBody(ctx: RequestContext): boolean {
  return ctx.get("Transfer-Encoding") !== "" || Number(ctx.get("Content-Length")) > 0;
}
