/** Bodies of requests: their pace, and the JSON of plugin requests. */
import type { IncomingMessage } from "node:http";
import { RequestError } from "@slipway/sdk";
import { takesBody } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { Turns } from "../system/concurrency.js";
import { unsupportedMediaType } from "../system/request-errors.js";
import { readJson } from "./body-reader.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

type Pace = Pick<Configuration["requests"], "bodyTimeout" | "bodyRate">;

/** Checks of a body per `bodyTimeout`. */
const checksPerTimeout = 4;
/** Number of checks over which the average rate counts. */
const longRun = 3 * checksPerTimeout;

/**
 * 408 `request-timeout` for a body that stalls, or stays below the minimum rate: it blocks resources. Once the response
 * has begun, closes the connection.
 */
export function bodyProgress(pace: Pace): Middleware {
  return async (ctx, next) => {
    if (!hasBody(ctx)) return await next();
    const { abort, log } = ctx.state;
    const work = next();
    const tooSlow = new Promise<never>((_, reject) => {
      watchBody(ctx.req, pace, (error) => {
        if (ctx.headerSent) return void ctx.req.socket.destroy();
        work.catch((late: unknown) =>
          log.debug("A request ended after its body was abandoned", { error: late }),
        );
        abort.abort(error);
        reject(error);
      });
    });
    await Promise.race([work, tooSlow]);
  };
}

/**
 * Calls `tooSlow` at most once; ends when the body is complete or its connection closes. Counts checks instead of time,
 * because a late check means that the process could not read either.
 */
function watchBody(request: IncomingMessage, pace: Pace, tooSlow: (error: RequestError) => void): void {
  const { bodyTimeout, bodyRate } = pace;
  const { socket } = request;
  const interval = bodyTimeout / checksPerTimeout;
  const least = (longRun * interval * bodyRate) / 1000;
  let last = socket.bytesRead;
  let stalled = 0;
  let start = last;
  let running = 0;
  const timer = setInterval(() => {
    if (request.complete || request.destroyed) return clearInterval(timer);
    const now = socket.bytesRead;
    // Received data that is not yet consumed waits for the host.
    const isHostSlow = request.readableLength > 0;
    stalled = isHostSlow || now > last ? 0 : stalled + 1;
    running = isHostSlow ? 0 : running + 1;
    last = now;
    const isTrickle = running === longRun && now - start < least;
    if (running % longRun === 0) {
      start = now;
      running = 0;
    }
    if (stalled < checksPerTimeout && !isTrickle) return;
    clearInterval(timer);
    tooSlow(
      slow(
        isTrickle
          ? `its body arrived with less than ${bodyRate} bytes per second`
          : `nothing of its body arrived for ${bodyTimeout} ms`,
      ),
    );
  }, interval).unref();
  request.once("close", () => clearInterval(timer));
}

function slow(what: string): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 408,
    message: `The host stopped waiting for the request, because ${what}. Try again.`,
  });
}

const jsonTypes = ["application/json", "application/*+json", "text/json"];

/** Bytes from which validation takes so long that other requests are served first. */
const large = 128 * 1024;

/**
 * Reads the body of routes with one. Runs after resolution, so that nothing is read for unknown paths, and before
 * back-pressure, so that a slow sender occupies no slot of the plugin.
 */
export function jsonBody(configuration: Configuration["limits"]): Middleware {
  const turns = new Turns();
  return async (ctx, next) => {
    const { route } = targetOf(ctx);
    if (takesBody(route) && hasBody(ctx)) {
      if (!isJson(ctx)) throw unsupportedMediaType(ctx.get("Content-Type"), ["application/json"]);
      await readJson(ctx, configuration.json);
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
 * with further checks (`browsers.ts`).
 */
function isJson(ctx: RequestContext): boolean {
  if (ctx.get("Content-Type") !== "") return Boolean(ctx.is(jsonTypes));
  return ctx.get("Origin") === "" && ctx.get("Sec-Fetch-Site") === "";
}

/** Whether a request has a body, by its headers. */
export function hasBody(ctx: RequestContext): boolean {
  return ctx.get("Transfer-Encoding") !== "" || Number(ctx.get("Content-Length")) > 0;
}
