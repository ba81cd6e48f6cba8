import { basename } from "node:path";
import { badRequest, type Static, type TSchema, Type, Validator } from "@slipway/sdk";
import { readJson } from "../http/body-reader.js";
import { hasBody } from "../http/request-body.js";
import type { RequestContext } from "../http/request-state.js";
import type { Caller, Role } from "../security/caller.js";
import { unsupportedMediaType } from "../system/request-errors.js";

/** One response of an operation. */
export interface Answer {
  description: string;
  /** By media type; a schema for JSON, undefined for bytes and text. */
  content?: Readonly<Record<string, TSchema | undefined>>;
  /** Server-sent events for `Accept: text/event-stream`: their name and data. */
  stream?: { event: string; data: TSchema };
  /** Descriptions of headers, by name. */
  headers?: Readonly<Record<string, string>>;
}

/** The declaration of an operation for the OpenAPI description and the guards. */
export interface OperationFacts {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Absolute path, parameters as `:name`. */
  path: string;
  /** Unique, in camel case, for generated clients. */
  id: string;
  /** Section of the API. */
  tag: "plugins" | "events" | "templates" | "sessions" | "jobs" | "host";
  /** One line. */
  summary: string;
  /** Further sentences. */
  description?: string;
  /** One of these roles is required if the host has keys; empty: open to everyone. */
  roles: readonly Role[];
  /**
   * Refuses pages of other origins with 403, even without keys: for operations that change something or stream.
   * `public`: unless `cors.origins` allows every origin.
   */
  isGuarded?: true | "public";
  /** Strings, by name. */
  params: TSchema;
  /** `Unread`: the query is ignored. */
  query: TSchema;
  /** A JSON body of at most 64 KiB; a missing one counts as `{}`. `Unread`, or with an upload: the body is not read. */
  body: TSchema;
  /** Bodies that the operation reads itself: by media type, with a schema for JSON and forms. */
  upload?: Readonly<Record<string, TSchema | undefined>>;
  /** By status. */
  answers: Readonly<Record<number, Answer>>;
  /** Error ids besides the common ones, by status. */
  errors?: Readonly<Record<number, readonly string[]>>;
}

/** An operation of the host, ready to serve. */
export interface Operation extends OperationFacts {
  /** Validates the input and responds; 400 `request-bad-request` lists all problems, 415 for other bodies than JSON. */
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

/** A declared operation; its input is typed by its schemas. */
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

/** Whether an operation is audited: it is recorded before it begins. */
export function changesPlugins({ roles, method }: Pick<OperationFacts, "roles" | "method">): boolean {
  return roles.includes("operate") && method !== "GET";
}

/** The schema of an empty object. */
export const Nothing = Type.Object({}, { additionalProperties: false });

/** The responses of an operation that has only one, 200 with JSON. */
export function ok<S extends TSchema>(description: string, schema: S) {
  return { 200: { description, content: { "application/json": schema } } };
}

/** The same for an operation that can also stream its entries as server-sent events. */
export function okOrStream<S extends TSchema, D extends TSchema>(
  description: string,
  schema: S,
  stream: { event: string; data: D },
) {
  return { 200: { ...ok(description, schema)[200], stream } };
}

/** Marks ignored input. */
export const Unread = Type.Unknown();

const mediaType = "application/json";
const largestBody = 64 * 1024;
const exact = new Validator({ lazy: true });
const coercing = new Validator({ coerce: true, lazy: true });

/** Compiles a declared operation; its type keeps those of its schemas. */
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

/** Whether the operation has a JSON body that it does not read itself. */
export function takesJson({
  method,
  upload,
  body,
}: Pick<OperationFacts, "method" | "upload" | "body">): boolean {
  return (method === "POST" || method === "PUT") && upload === undefined && body !== Unread;
}

/**
 * 415 for every other media type, even without a body: browsers send forms and text to other origins without a
 * preflight, but JSON only after one, which CORS refuses.
 */
async function jsonBody(ctx: RequestContext): Promise<unknown> {
  if (ctx.request.type.toLowerCase() !== mediaType)
    throw unsupportedMediaType(ctx.get("Content-Type"), [mediaType]);
  return hasBody(ctx) ? await readJson(ctx, largestBody) : {};
}

/** Removes the path of the folder, which only the log shows. */
export function withoutPlace<State extends { folder: string }>(state: State): State {
  return { ...state, folder: basename(state.folder) };
}
