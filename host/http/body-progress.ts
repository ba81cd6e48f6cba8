import type { IncomingMessage } from "node:http";
import { RequestError } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { hasBody } from "./json-body.js";
import type { Middleware } from "./request-state.js";

type Pace = Pick<Configuration["requests"], "bodyTimeout" | "bodyRate">;

/** Checks of a body per `bodyTimeout`. */
const looks = 4;
/** Number of checks over which the average rate counts. */
const longRun = 3 * looks;

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
  const interval = bodyTimeout / looks;
  const least = (longRun * interval * bodyRate) / 1000;
  let last = socket.bytesRead;
  let standing = 0;
  let start = last;
  let running = 0;
  const timer = setInterval(() => {
    if (request.complete || request.destroyed) return clearInterval(timer);
    const now = socket.bytesRead;
    // Received data that is not yet consumed waits for the host.
    const isHostSlow = request.readableLength > 0;
    standing = isHostSlow || now > last ? 0 : standing + 1;
    running = isHostSlow ? 0 : running + 1;
    last = now;
    const isTrickle = running === longRun && now - start < least;
    if (running % longRun === 0) {
      start = now;
      running = 0;
    }
    if (standing < looks && !isTrickle) return;
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
