import { badRequest, type Static, type TSchema, Type, Validator } from "@slipway/sdk";
import { hasBody } from "../http/json-body.js";
import { jsonReader } from "../http/koa-body-adapter.js";
import type { RequestContext } from "../http/request-state.js";
import type { Caller, Role } from "../security/caller.js";
import { unsupportedMediaType } from "../system/request-errors.js";

/** One way in which an operation answers. */
export interface Answer {
  description: string;
  /** By media type; a schema for JSON, nothing for bytes and texts. */
  content?: Readonly<Record<string, TSchema | undefined>>;
  /** Server-sent events, for who accepts `text/event-stream`: what they are called, and their data. */
  stream?: { event: string; data: TSchema };
  /** What its headers say, by name. */
  headers?: Readonly<Record<string, string>>;
}

/** What the host's description and its guards need to know of an operation. */
export interface OperationFacts {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the host's root, parameters as `:name`. */
  path: string;
  /** Unique, in camel case, for clients that are generated. */
  id: string;
  /** The part of the host that it belongs to. */
  tag: "plugins" | "events" | "templates" | "sessions" | "host";
  /** One line. */
  summary: string;
  /** Sentences for what the summary cannot say. */
  description?: string;
  /** One of them is enough, where keys are asked for; none means that everybody may. */
  roles: readonly Role[];
  /**
   * Pages of other origins get 403, also where no key is needed: what changes something, or streams. `public`: unless
   * `cors.origins` allows every origin.
   */
  isGuarded?: true | "public";
  /** Strings, by name. */
  params: TSchema;
  /** With `Unread`, the body is ignored. */
  query: TSchema;
  /** Of a JSON body, at most 64 KiB; none counts as `{}`. With `Unread`, or where there is an upload, it is left alone. */
  body: TSchema;
  /** Bodies that the operation reads itself: media types, with a schema for JSON and for forms. */
  upload?: Readonly<Record<string, TSchema | undefined>>;
  /** By status. */
  answers: Readonly<Record<number, Answer>>;
  /** Ids of errors beyond those that every operation can have, by status. */
  errors?: Readonly<Record<number, readonly string[]>>;
}

/** An operation of the host, ready to serve. */
export interface Operation extends OperationFacts {
  /** Checks what came and answers; 400 `request-bad-request` lists all that is wrong, 415 is for any body but JSON. */
  serve(ctx: RequestContext & { params: Record<string, string> }, caller: Caller): Promise<void>;
}

/** The facts of an operation that its clients are typed by. */
export interface OperationTypes<
  M extends OperationFacts["method"] = OperationFacts["method"],
  Path extends string = string,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends OperationFacts["answers"] = OperationFacts["answers"],
> {
  method: M;
  path: Path;
  params: P;
  query: Q;
  body: B;
  answers: A;
}

/** An operation as it is declared; its input has the types of its schemas. */
export interface OperationDeclaration<P extends TSchema, Q extends TSchema, B extends TSchema>
  extends OperationFacts {
  params: P;
  query: Q;
  body: B;
  handle(
    ctx: RequestContext,
    input: { params: Static<P>; query: Static<Q>; body: Static<B>; caller: Caller },
  ): Promise<void> | void;
}

/** Whether it is audited: such an operation is recorded in the audit trail before it begins. */
export function changesPlugins({ roles, method }: Pick<OperationFacts, "roles" | "method">): boolean {
  return roles.includes("operate") && method !== "GET";
}

/** The schema of what has no members. */
export const Nothing = Type.Object({}, { additionalProperties: false });

/** Stands for what an operation does not look at. */
export const Unread = Type.Unknown();

const mediaType = "application/json";
const largestBody = 64 * 1024;
const readJson = jsonReader(largestBody);
const exact = new Validator({ lazy: true });
const coercing = new Validator({ coerce: true, lazy: true });

/** Prepares a declared operation; its type keeps those of its schemas. */
export function operation<
  const M extends OperationFacts["method"],
  const Path extends string,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  const A extends OperationFacts["answers"],
>(
  declared: OperationDeclaration<P, Q, B> & OperationTypes<M, Path, P, Q, B, A>,
): Omit<Operation, keyof OperationTypes> & OperationTypes<M, Path, P, Q, B, A> {
  const { handle, ...facts } = declared;
  const checkParams = coercing.compile(declared.params, "params");
  const checkQuery = coercing.compile(declared.query, "query");
  const checkBody = exact.compile(declared.body, "body");
  return {
    ...facts,
    async serve(ctx, caller) {
      const given = takesJson(facts) ? await jsonBody(ctx) : {};
      const params = checkParams({ ...ctx.params });
      const query = checkQuery({ ...ctx.query });
      const body = checkBody(given);
      if (!params.ok || !query.ok || !body.ok) {
        const found = [params, query, body].flatMap((part) => (part.ok ? [] : part.violations));
        throw badRequest("The request is not valid", found);
      }
      await handle(ctx, { params: params.value, query: query.value, body: body.value, caller });
    },
  };
}

/** Whether an operation's body is JSON that it does not read itself. */
export function takesJson({
  method,
  upload,
  body,
}: Pick<OperationFacts, "method" | "upload" | "body">): boolean {
  return (method === "POST" || method === "PUT") && upload === undefined && body !== Unread;
}

/**
 * 415 for every other media type, also when there is no body: browsers send forms and texts to other origins without
 * asking, but JSON only after a preflight, which CORS refuses.
 */
async function jsonBody(ctx: RequestContext): Promise<unknown> {
  if (ctx.request.type.toLowerCase() !== mediaType)
    throw unsupportedMediaType(ctx.get("Content-Type"), [mediaType]);
  return hasBody(ctx) ? await readJson(ctx) : {};
}
