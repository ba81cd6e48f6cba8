/**
 * Types of the host's operations for its pages, and names for parts of responses. The pages import only types from the
 * host, not its schemas.
 */
import type { Static, TSchema } from "@slipway/sdk";
import type { HostOperation } from "../../api/host-api.js";

type Operations = { [O in HostOperation as `${O["method"]} ${O["path"]}`]: O };

/** Method and path of an operation, such as "POST /api/plugins/:plugin/disable". */
export type OperationKey = keyof Operations;

type JsonOf<A> = A extends { content: { "application/json": infer S extends TSchema } } ? Static<S> : never;
type StreamOf<A> = A extends { stream: { data: infer S extends TSchema } } ? Static<S> : never;
type Each<A, Of extends { [Status in keyof A]: unknown }> = Of[keyof A];
type Json<A> = Each<A, { [Status in keyof A]: JsonOf<A[Status]> }>;

/** The response of an operation; undefined if it is not JSON. */
export type AnswerOf<K extends OperationKey> = [Json<Operations[K]["answers"]>] extends [never]
  ? undefined
  : Json<Operations[K]["answers"]>;

/** The data of the events of an operation; never without a stream. */
export type EventOf<K extends OperationKey> = Each<
  Operations[K]["answers"],
  { [Status in keyof Operations[K]["answers"]]: StreamOf<Operations[K]["answers"][Status]> }
>;

type Takes<K extends OperationKey, Query> = Query extends Partial<Static<Operations[K]["query"]>> ? K : never;

/** Operations that stream events after the one of an id. */
export type StreamKey = {
  [K in OperationKey]: [EventOf<K>] extends [never] ? never : Takes<K, { after: number }>;
}[OperationKey];

/** Operations that also list their last events. */
export type ListKey = {
  [K in StreamKey]: EventOf<K> extends { id: number } ? Takes<K, { limit: number }> : never;
}[StreamKey];

type Part<Name extends string, Value> = unknown extends Value
  ? { [N in Name]?: never }
  : object extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

/** The input of an operation; `form` is for uploads. */
export type InputOf<K extends OperationKey> = Part<"params", Static<Operations[K]["params"]>> &
  Part<"query", Partial<Static<Operations[K]["query"]>>> &
  Part<"body", Static<Operations[K]["body"]>>;

/** The shape of every input. */
export interface Given {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: unknown;
  form?: FormData;
}

/** Method and path of a call; the path is relative to the host, with its query. */
export function requestLine(
  key: OperationKey,
  { params = {}, query }: Given,
): [method: string, path: string] {
  const [method = "", template = ""] = key.split(" ");
  const path = template.slice(1).replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  if (query === undefined) return [method, path];
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return [method, `${path}?${new URLSearchParams(texts)}`];
}

export type HostStatus = AnswerOf<"GET /api/status">;
/** A host that shares the engine. */
export type Member = NonNullable<HostStatus["members"]>[number];
export type PluginSwitch = NonNullable<HostStatus["switches"]>[number];
export type PluginOverview = AnswerOf<"GET /api/plugins/:plugin">;
/** The configuration of a plugin, without its secrets. */
export type PluginConfiguration = AnswerOf<"GET /api/plugins/:plugin/configuration">;
export type PluginState = AnswerOf<"GET /api/plugins">["plugins"][number];
export type PluginService = AnswerOf<"GET /api/services">["services"][number];
export type Stage = PluginState["stage"];
export type PluginEvent = EventOf<"GET /api/events">;
export type RecentRequest = EventOf<"GET /api/requests">;
export type AuditEntry = EventOf<"GET /api/audit">;
export type Role = AnswerOf<"GET /api/access">["roles"][number];
export type TemplateState = AnswerOf<"GET /api/templates">["templates"][number];
export type TemplateProblem = TemplateState["problems"][number];
export type TemplateEvent = EventOf<"GET /api/templates/events">;
export type StoreState = AnswerOf<"GET /api/templates">["stores"][number];
export type Development = AnswerOf<"GET /api/development">;
export type DevelopmentLine = EventOf<"GET /api/development/lines">;
/** A session in lists; the id is shortened if the key lacks the role `sessions`. */
export type ListedSession = AnswerOf<"GET /api/sessions">["sessions"][number];
/** A job in lists; the id is shortened if the key lacks the role `sessions`. */
export type ListedJob = AnswerOf<"GET /api/jobs">["jobs"][number];
