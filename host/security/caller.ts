import { type Static, Type } from "@slipway/sdk";
import type Koa from "koa";
import type { Client } from "../system/addresses.js";

/**
 * What a key allows: `read` to look at everything but sessions and their projects, `operate` that and to change plugins,
 * `sessions` to open sessions and to use them, as clients of plugins do.
 */
export const Role = Type.Enum(["read", "operate", "sessions"]);
export type Role = Static<typeof Role>;

/** Who sent a request. */
export interface Caller {
  /** Name of the key; undefined where no key is asked for. */
  key: string | undefined;
  /** Address of the client, behind the proxies that are trusted. */
  address: string;
  roles: readonly Role[];
}

/** What access is decided by, of the state of a request. */
export interface CallerState {
  requestId: string;
  client: Client;
  /** Set by request-limits: the key or the address that its requests are counted for. */
  requester?: string;
  /** Aborts when the client goes away, at the deadline, and when the host stops. */
  abort: AbortController;
  /** Set where a key may be asked for. */
  caller?: Caller;
}

/** A request whose sender matters. */
export type CallerContext = Koa.ParameterizedContext<CallerState>;

/** Who it was, for logs and events, such as "key deploy 10.0.0.7" or "api 127.0.0.1". */
export function nameOf({ key, address }: Caller): string {
  return key === undefined ? `api ${address}` : `key ${key} ${address}`;
}
