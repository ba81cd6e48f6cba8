import { type Static, Type } from "@slipway/sdk";
import type Koa from "koa";
import type { Client } from "../system/addresses.js";

/**
 * The role of a key. `read`: view everything except sessions and their projects. `operate`: also change plugins.
 * `sessions`: open and use sessions, as clients of plugins do.
 */
export const Role = Type.Enum(["read", "operate", "sessions"]);
export type Role = Static<typeof Role>;

/** The sender of a request. */
export interface Caller {
  /** Name of the key; undefined when none is required. */
  key: string | undefined;
  /** Address of the client, behind trusted proxies. */
  address: string;
  roles: readonly Role[];
}

/** The request state that access checks use. */
export interface CallerState {
  requestId: string;
  client: Client;
  /** Set by request-limits: the key or address to which requests are counted. */
  requester?: string;
  /** Set by request-limits: the name of its valid key, if it has one. */
  keyName?: string;
  /** Aborts when the client disconnects, at the deadline, and when the host stops. */
  abort: AbortController;
  /** Set by access checks. */
  caller?: Caller;
}

export type CallerContext = Koa.ParameterizedContext<CallerState>;

/** The caller in logs and events, such as "key deploy 10.0.0.7" or "api 127.0.0.1". */
export function nameOf({ key, address }: Caller): string {
  return key === undefined ? `api ${address}` : `key ${key} ${address}`;
}
