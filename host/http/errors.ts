import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { type Log, RequestError } from "@slipway/sdk";
import { errorBody, methodNotAllowed, notFound } from "@slipway/sdk/runtime/host";
import { hasBody } from "./request-body.js";
import type { Middleware, RequestContext } from "./request-state.js";

/** Milliseconds to read the rest of a refused body before the connection closes. */
const lingeringTime = 5000;

/** An error in another form than the usual object. */
export type FaultOf = (
  ctx: RequestContext,
  error: RequestError,
) => { status: number; type: string; body: string } | undefined;

/** Turns every thrown value and every unanswered request into an error object, or into what `faultOf` makes of it. */
export function errors(faultOf: FaultOf = () => undefined): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      refuseUnanswered(ctx);
    } catch (error) {
      answer(ctx, shownError(error, { ...ctx.state, isHeard: ctx.writable }), faultOf);
    }
  };
}

/** Koa and its router signal an unanswered request by a status without a body. */
function refuseUnanswered(ctx: RequestContext): void {
  if (ctx.body !== undefined && ctx.body !== null) return;
  if (ctx.status === 404) throw notFound(ctx.path);
  if (ctx.status !== 405 && ctx.status !== 501) return;
  const allowed = ctx.response.get("Allow").split(", ");
  throw methodNotAllowed(ctx.method, [...new Set([...allowed, "OPTIONS"])]);
}

function answer(ctx: RequestContext, error: RequestError, faultOf: FaultOf): void {
  if (ctx.headerSent || !ctx.writable) return;
  ctx.state.errorId = error.id;
  ctx.remove("Content-Disposition");
  ctx.remove("ETag");
  ctx.remove("Last-Modified");
  ctx.set("Cache-Control", "no-store");
  ctx.set(error.headers);
  const { status, type, body } = faultOf(ctx, error) ?? {
    status: error.code,
    type: "json",
    body: JSON.stringify(errorBody(error, ctx.state.requestId)),
  };
  ctx.status = status;
  if (ctx.req.complete || !hasBody(ctx)) ctx.body = body;
  else answerAndClose(ctx, body);
  ctx.type = type;
}

/**
 * Answers a request with an incomplete body and closes the connection, because its next request would wait behind the
 * rest of the body. Closes with a delay: closing while the client sends could lose the response (RFC 9112, section
 * 9.6).
 */
function answerAndClose(ctx: RequestContext, content: string): void {
  const { req } = ctx;
  async function* answerThenLinger(): AsyncGenerator<string> {
    yield content;
    await drained(req);
  }
  // Unblocks readers that wait for the rest.
  ctx.res.once("finish", () => req.destroy());
  ctx.set("Connection", "close");
  ctx.body = Readable.from(answerThenLinger(), { objectMode: false });
  // Lets the client recognise the complete response while the connection is open.
  ctx.length = Buffer.byteLength(content);
}

/** Resolves when the rest of a body has been discarded, or after a timeout. */
async function drained(request: IncomingMessage): Promise<void> {
  request.unpipe();
  request.removeAllListeners("data").removeAllListeners("readable");
  request.resume();
  // No client is left to notify.
  await finished(request, { signal: AbortSignal.timeout(lingeringTime) }).catch(() => undefined);
}

/** The request of an error; `isHeard`: whether its client still waits. */
interface FailedRequest {
  log: Log;
  requestId: string;
  isHeard: boolean;
}

/** Any error except a `RequestError` is a bug: the log gets the whole error, the client only the request id. */
export function shownError(error: unknown, { log, requestId, isHeard }: FailedRequest): RequestError {
  if (error instanceof RequestError) {
    if (error.code >= 500) {
      const level = isExpected(error) || !isHeard ? "debug" : "warn";
      log[level](error.message, { id: error.id, error: error.cause ?? undefined });
    }
    return error;
  }
  log.error("A request failed inside the host", { error });
  return new RequestError({
    id: "internal-error",
    code: 500,
    message: `The host failed. Its log says why at the request ${requestId}; send this id to its admin.`,
  });
}

/** A 503 without a cause is intended, when the host is busy or stopping; the request log has it. */
function isExpected({ code, cause }: RequestError): boolean {
  return code === 503 && cause === undefined;
}
