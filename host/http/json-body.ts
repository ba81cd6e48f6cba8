import { takesBody } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { unsupportedMediaType } from "../system/request-errors.js";
import { Turns } from "../system/turns.js";
import { jsonReader, jsonTypes } from "./koa-body-adapter.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

/** Bytes from which on a body takes long enough to check that others are answered in between. */
const large = 128 * 1024;

/**
 * Reads the body of a route that takes one. It comes after resolution, so that nothing is read for a path that does
 * not exist, and before back-pressure, so that a slow sender occupies no place at the plugin.
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
      ctx.state.body = await read(ctx);
      if (mayBeLarge(ctx)) await turns.takeApart("large", async () => undefined);
    }
    await next();
  };
}

/** Whether checking the body may take long: by its length where the request tells it, and always when it is packed. */
function mayBeLarge(ctx: RequestContext): boolean {
  const length = ctx.get("Content-Length");
  return length === "" || Number(length) > large || ctx.get("Content-Encoding") !== "";
}

/**
 * Whether a body is taken for JSON: by its type, or without any, which some clients leave out.
 *
 * Pages of other origins can send some bodies without asking (without a CORS preflight): forms, `text/plain`, and with `fetch`
 * also bodies without a type. Forms and plain text are refused. Most operations are safe anyway, because they need the id of a
 * session, which no page can guess; but a plugin may have others. So a body without a type is taken only from clients that
 * are no browsers: those send `Origin` with every POST and PUT. The types below make browsers ask first. The host's own
 * operations take `application/json` alone, and have more to protect (`cross-origin.ts`).
 */
function isJson(ctx: RequestContext): boolean {
  if (ctx.get("Content-Type") !== "") return Boolean(ctx.is(jsonTypes));
  return ctx.get("Origin") === "" && ctx.get("Sec-Fetch-Site") === "";
}

/** Whether a request says that it has a body. */
export function hasBody(ctx: RequestContext): boolean {
  return ctx.get("Transfer-Encoding") !== "" || Number(ctx.get("Content-Length")) > 0;
}
