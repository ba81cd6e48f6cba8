import { takesBody } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { Turns } from "../system/concurrency.js";
import { unsupportedMediaType } from "../system/request-errors.js";
import { jsonReader, jsonTypes } from "./koa-body-adapter.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Bytes from which validation takes so long that other requests are served first. */
const large = 128 * 1024;

/**
 * Reads the body of routes with one. Runs after resolution, so that nothing is read for unknown paths, and before
 * back-pressure, so that a slow sender occupies no slot of the plugin.
 */
export function jsonBody(configuration: Configuration["limits"]): Middleware {
  let limit = configuration.json;
  let read = jsonReader(limit);
  const turns = new Turns();
  return async (ctx, next) => {
    if (limit !== configuration.json) {
      limit = configuration.json;
      read = jsonReader(limit);
    }
    const { route } = targetOf(ctx);
    if (takesBody(route) && hasBody(ctx)) {
      if (!isJson(ctx)) throw unsupportedMediaType(ctx.get("Content-Type"), ["application/json"]);
      await read(ctx);
      if (mayBeLarge(ctx)) await turns.takeApart("large", async () => undefined);
    }
    await next();
  };
}

/** Whether validation may take long: by Content-Length; always for compressed or chunked bodies. */
function mayBeLarge(ctx: RequestContext): boolean {
  const length = ctx.get("Content-Length");
  return length === "" || Number(length) > large || ctx.get("Content-Encoding") !== "";
}

/**
 * Whether a body counts as JSON: by its type, or without a type, which some clients omit.
 *
 * Pages of other origins can send some bodies without a CORS preflight: forms, `text/plain` and, with `fetch`, bodies
 * without a type. Forms and plain text are refused. Most operations need an unguessable session id anyway, but plugins
 * may have others. So a body without a type is accepted only from clients other than browsers, which send `Origin` with
 * every POST and PUT. The types below require a preflight. The host's own operations accept only `application/json`,
 * with further checks (`cross-origin.ts`).
 */
function isJson(ctx: RequestContext): boolean {
  if (ctx.get("Content-Type") !== "") return Boolean(ctx.is(jsonTypes));
  return ctx.get("Origin") === "" && ctx.get("Sec-Fetch-Site") === "";
}

/** Whether a request has a body, by its headers. */
export function hasBody(ctx: RequestContext): boolean {
  return ctx.get("Transfer-Encoding") !== "" || Number(ctx.get("Content-Length")) > 0;
}
