import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { RequestError } from "@slipway/sdk";
import { errorBody, methodNotAllowed, notFound } from "@slipway/sdk/runtime/host";
import { hasBody } from "./json-body.js";
import type { Middleware, RequestContext } from "./request-state.js";

/** Milliseconds for which the rest of a refused body is read before its connection closes. */
const lingeringTime = 5000;

/** Turns every thrown value and every unanswered request into an error object. */
export function errors(): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      refuseUnanswered(ctx);
    } catch (error) {
      answer(ctx, requestErrorOf(error, ctx));
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

function answer(ctx: RequestContext, error: RequestError): void {
  if (ctx.headerSent || !ctx.writable) return;
  ctx.state.errorId = error.id;
  ctx.remove("Content-Disposition");
  ctx.remove("ETag");
  ctx.remove("Last-Modified");
  ctx.set("Cache-Control", "no-store");
  ctx.set(error.headers);
  ctx.status = error.code;
  const body = errorBody(error, ctx.state.requestId);
  if (ctx.req.complete || !hasBody(ctx)) ctx.body = body;
  else answerAndClose(ctx, JSON.stringify(body));
}

/**
 * Answers a request whose body has not come whole. What was reading it may have stopped in the middle, and the next
 * request of the connection would wait behind the rest for ever, so the connection ends. Not at once: closing it while
 * the client still sends could cost it the answer (RFC 9112, section 9.6).
 */
function answerAndClose(ctx: RequestContext, content: string): void {
  const { req } = ctx;
  async function* answerThenLinger(): AsyncGenerator<string> {
    yield content;
    await drained(req);
  }
  // Readers that wait for the rest get its end.
  ctx.res.once("finish", () => req.destroy());
  ctx.set("Connection", "close");
  ctx.body = Readable.from(answerThenLinger(), { objectMode: false });
  ctx.type = "json";
  // The client knows by it that the answer is whole, although the connection is still open.
  ctx.length = Buffer.byteLength(content);
}

/** Ends when the rest of a body has come and was thrown away, or after a while. */
async function drained(request: IncomingMessage): Promise<void> {
  request.unpipe();
  request.removeAllListeners("data").removeAllListeners("readable");
  request.resume();
  // No client is left to notify.
  await finished(request, { signal: AbortSignal.timeout(lingeringTime) }).catch(() => undefined);
}

/** Any error but a `RequestError` is a bug: the log gets all of it, the client only the request's id. */
function requestErrorOf(error: unknown, ctx: RequestContext): RequestError {
  const { log, requestId } = ctx.state;
  if (error instanceof RequestError) {
    if (error.code >= 500) {
      const level = isExpected(error) || !ctx.writable ? "debug" : "warn";
      log[level](error.message, { id: error.id, error: error.cause ?? undefined });
    }
    return error;
  }
  log.error("A request failed inside the host", { error });
  return new RequestError({
    id: "internal-error",
    code: 500,
    message: `The host failed to answer; its log says why under request ${requestId}.`,
  });
}

/** Without a reason behind it, 503 is what a host that is busy or stops says on purpose; the line of the request tells that. */
function isExpected({ code, cause }: RequestError): boolean {
  return code === 503 && cause === undefined;
}
