/** Requests that clients may repeat with the same key: the work is done once, and its answer repeated. */
import { createHash } from "node:crypto";
import { badRequest, RequestError } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import type { ArtifactStore } from "../files/files.js";
import type { BegunRequest, IdempotencyStore } from "../idempotency/idempotency-store.js";
import { errorEnd, type StoredAnswer } from "../jobs/jobs.js";
import { logUnlessOutage } from "../system/request-errors.js";
import { monotonicTime } from "../system/time.js";
import { sendStoredAnswer } from "./dispatch.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";

export interface IdempotencyParts {
  configuration: Pick<Configuration, "idempotency">;
  store: IdempotencyStore;
  artifacts: ArtifactStore;
}

/** A string of a structured field (RFC 9651), or the same without quotes, as most clients send it. */
const keyPattern = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x2b\x2d-\x7e]{1,255}))$/;

/** Headers of an answer that later steps set, in lower case. */
const keptHeaders = /^(?:location|retry-after|preference-applied|slipway-.*)$/;

/** Milliseconds for the end of a request after its deadline. */
const slack = 10_000;

type Content = readonly (Uint8Array | string)[];

interface OnceTerms {
  /** Milliseconds after which a request counts as lost. */
  lease: number;
  /** The work continues when its client disconnects. */
  outlivesClient?: boolean;
}

/** The request has been answered before. */
class Repeated extends Error {
  constructor(readonly answer: StoredAnswer) {
    super("The request has been answered before");
  }
}

/** Whether a request has a key. */
export function hasIdempotencyKey(ctx: RequestContext): boolean {
  return ctx.get("Idempotency-Key") !== "";
}

/** Requests with `Idempotency-Key`. */
export class Idempotency {
  constructor(private readonly parts: IdempotencyParts) {}

  /** Applies to POST requests of plugins. */
  readonly middleware: Middleware = async (ctx, next) => {
    if (ctx.method !== "POST" || !hasIdempotencyKey(ctx)) return await next();
    const { deadline } = targetOf(ctx);
    const content = [JSON.stringify(ctx.state.body ?? null)];
    await this.once(ctx, { content, lease: deadline - monotonicTime() + slack }, next);
  };

  /** Runs `work`, which answers a request with this content, as `onceReceived` does. */
  async once(
    ctx: RequestContext,
    { content, ...terms }: OnceTerms & { content: Content },
    work: () => Promise<unknown>,
  ): Promise<void> {
    await this.onceReceived(ctx, terms, async (received) => {
      await received(content);
      await work();
    });
  }

  /**
   * Runs `work`, which passes the content of the request to `received` before it begins; or repeats the answer to an earlier
   * request. 409 `request-conflict` while that one runs, 422 `request-key-reused` if it was a different request.
   */
  async onceReceived(
    ctx: RequestContext,
    { lease, outlivesClient = false }: OnceTerms,
    work: (received: (content: Content) => Promise<void>) => Promise<unknown>,
  ): Promise<void> {
    const key = keyOf(ctx);
    if (key === undefined) return void (await work(async () => undefined));
    const { store, configuration, artifacts } = this.parts;
    const name = digest([ctx.state.requester ?? "", key]);
    let begun: BegunRequest | undefined;
    const received = async (content: Content): Promise<void> => {
      const fingerprint = digest([ctx.method, ctx.path, ctx.querystring, ...content]);
      const known = await store.begin({ name, fingerprint }, { ...configuration.idempotency, lease });
      if (known.kind === "running") throw stillRunning();
      if (known.kind === "different") throw keyReused();
      if (known.kind === "answered") throw new Repeated(known.answer);
      begun = { name, attempt: known.attempt };
      ctx.state.reservedId = known.id;
    };
    try {
      await work(received);
    } catch (error) {
      if (error instanceof Repeated) {
        ctx.set("Cache-Control", "no-store");
        ctx.set("Idempotent-Replayed", "true");
        return await sendStoredAnswer(ctx, error.answer, artifacts);
      }
      if (begun !== undefined) {
        const isAnswer = error instanceof RequestError && error.code < 500;
        const settled = isAnswer
          ? store.finish(begun, errorEnd(error, ctx.state.requestId).answer)
          : store.forget(begun);
        // The client gets its error even if that cannot be stored.
        await settled.catch((failure: unknown) =>
          logUnlessOutage(ctx.state.log, "The end of a request with a key could not be stored", failure),
        );
      }
      throw error;
    }
    if (begun === undefined) return;
    // A failed job is an answer, not an error.
    const isWhole = outlivesClient || !ctx.state.abort.signal.aborted;
    if (isWhole && ctx.status < 500) await store.finish(begun, answerOf(ctx));
    else await store.forget(begun);
  }
}

/** The answer that later steps have prepared. */
function answerOf(ctx: RequestContext): StoredAnswer {
  const headers = Object.entries(ctx.response.headers).flatMap(([name, value]): [string, string][] =>
    keptHeaders.test(name) && typeof value === "string" ? [[name, value]] : [],
  );
  const { answered } = ctx.state;
  const content =
    answered === undefined
      ? { kind: "text" as const, mediaType: "application/json" as const, body: JSON.stringify(ctx.body) }
      : answered;
  return { status: ctx.status, headers: Object.fromEntries(headers), content };
}

function keyOf(ctx: RequestContext): string | undefined {
  const given = ctx.get("Idempotency-Key");
  if (given === "") return undefined;
  const [, quoted, bare] = keyPattern.exec(given) ?? [];
  const key = quoted ?? bare;
  if (key !== undefined) return key;
  const expected = 'one key of 1 to 255 visible characters, such as "8e03978e-40d5-43dd-bc93-6894a57f9324"';
  const violation = {
    path: "headers.Idempotency-Key",
    expected,
    received: JSON.stringify(given.slice(0, 80)),
  };
  throw badRequest("The request is not valid", [violation]);
}

/** SHA-256 of the parts with their lengths. */
function digest(parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex");
}

function stillRunning(): RequestError {
  return new RequestError({
    id: "request-conflict",
    code: 409,
    message:
      "The first request with this Idempotency-Key is still running. Repeat this one when it has ended.",
    headers: { "Retry-After": "2" },
  });
}

function keyReused(): RequestError {
  return new RequestError({
    id: "request-key-reused",
    code: 422,
    message:
      "This Idempotency-Key belongs to another request: path, query or body differ. Use a new key for each request.",
  });
}
