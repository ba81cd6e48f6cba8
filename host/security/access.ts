import { RequestError } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { isLoopback } from "../system/addresses.js";
import { type Caller, type CallerContext, Role } from "./caller.js";
import type { KeyMatch } from "./key-ring.js";
import { networkOf, RateLimit, type SharedUses } from "./rate-limit.js";
import type { WatchedKeys } from "./watched-keys.js";

const checkInterval = 2000;

/** The key of a request; `none` when a key is required but missing. */
type Recognized = KeyMatch | { kind: "open" } | { kind: "none" };

/** Dependencies of access checks. */
export interface AccessParts {
  configuration: Pick<Configuration, "host" | "rateLimits">;
  keys: WatchedKeys;
  /** Undefined for an engine of one host. */
  uses: SharedUses | undefined;
  /** Records refusals; must not throw. */
  refusals: { note(ctx: CallerContext, caller: Caller, message: string): void };
}

const bearer = /^Bearer +(\S+) *$/i;

/** Authenticates and authorises requests once there are keys. */
export class Access {
  private readonly refusedKeys: RateLimit;
  private readonly streams = new OpenStreams();

  constructor(private readonly parts: AccessParts) {
    const { rateLimits } = parts.configuration;
    this.refusedKeys = new RateLimit(
      () => rateLimits.refusedKeys,
      () => rateLimits.period,
      { uses: parts.uses, name: "refused keys" },
    );
  }

  /**
   * Whether a key is required: as soon as there is one, even an expired one. On an external address, an empty key file
   * refuses everyone, because removing the last key is meant to lock out.
   */
  get isRequired(): boolean {
    const { configuration, keys } = this.parts;
    return keys.current.keys.length > 0 || (keys.isThere && !isLoopback(configuration.host));
  }

  /**
   * The caller of a request with one of the roles; empty: open to everyone. 401 `request-unauthorized` without a valid
   * key, 403 `request-forbidden` without a required role, 429 `request-rate-limited` after too many wrong keys.
   */
  readonly demand = async (ctx: CallerContext, { roles }: { roles: readonly Role[] }): Promise<Caller> => {
    const recognized = await this.recognize(ctx);
    const caller = await this.callerOf(ctx, recognized);
    if (roles.length === 0 || roles.some((role) => caller.roles.includes(role))) {
      this.streams.watch(ctx, () => this.stillCounts(recognized));
      return caller;
    }
    if (caller.key === undefined)
      throw unauthorized(
        'This host requires a key in the header "Authorization: Bearer <key>". Its admin makes one with "slipway key new".',
        false,
      );
    const error = roleMissing(caller.key, roles);
    this.parts.refusals.note(ctx, caller, error.message);
    throw error;
  };

  /** Whether a request has the role `read`; never throws. */
  async mayRead(ctx: CallerContext): Promise<boolean> {
    const recognized = await this.recognize(ctx);
    return rolesOf(recognized).includes("read");
  }

  /** Name of the valid key of a request, if any. */
  async keyOf(ctx: CallerContext): Promise<string | undefined> {
    const recognized = await this.recognize(ctx);
    return recognized.kind === "valid" ? recognized.key.name : undefined;
  }

  close(): void {
    this.streams.close();
  }

  private stillCounts(recognized: Recognized): boolean {
    if (recognized.kind !== "valid") return recognized.kind !== "open" || !this.isRequired;
    return this.parts.keys.current.has(recognized.key);
  }

  private async callerOf(ctx: CallerContext, recognized: Recognized): Promise<Caller> {
    const { address } = ctx.state.client;
    if (recognized.kind === "expired") {
      const { name, expires = "" } = recognized.key;
      const message = `The key "${name}" expired at ${expires}. The admin makes a new one with "slipway key new ${name}".`;
      this.parts.refusals.note(ctx, { key: undefined, address, roles: [] }, message);
      throw unauthorized(message);
    }
    if (recognized.kind === "unknown") throw await this.unknownKey(ctx);
    const key = recognized.kind === "valid" ? recognized.key.name : undefined;
    return { key, address, roles: rolesOf(recognized) };
  }

  /**
   * Counts wrong keys of an address. Valid keys from that address are still accepted: many clients may share it, and
   * guessing one of 2^256 keys is infeasible.
   */
  private async unknownKey(ctx: CallerContext): Promise<Error> {
    const { address } = ctx.state.client;
    const wait = await this.refusedKeys.take(networkOf(address));
    const message = "This host does not know this key, or no longer. Ask its admin for a valid one.";
    this.parts.refusals.note(ctx, { key: undefined, address, roles: [] }, message);
    if (wait === undefined) return unauthorized(message);
    return rateLimited(`${message} Too many such requests came from ${address}.`, wait);
  }

  private async recognize(ctx: CallerContext): Promise<Recognized> {
    if (!this.isRequired) return { kind: "open" };
    const given = bearer.exec(ctx.get("Authorization"))?.[1];
    if (given === undefined) return { kind: "none" };
    const { keys } = this.parts;
    await keys.lookFor(given);
    return keys.current.match(given);
  }
}

/** The role `operate` includes `read`. */
function rolesOf(recognized: Recognized): readonly Role[] {
  if (recognized.kind === "open") return Role.enum;
  if (recognized.kind !== "valid") return [];
  const { roles } = recognized.key;
  return Role.enum.filter((role) => roles.includes(role) || (role === "read" && roles.includes("operate")));
}

/**
 * Ends event streams whose key was removed or has expired; otherwise they would continue as long as the connection.
 * Other responses end by themselves.
 */
class OpenStreams {
  private readonly open = new Map<CallerContext, () => boolean>();
  /** While a response is open. */
  private timer: NodeJS.Timeout | undefined;

  /** `may`: whether the caller still has access. */
  watch(ctx: CallerContext, may: () => boolean): void {
    this.open.set(ctx, may);
    this.timer ??= setTimeout(() => this.check(), checkInterval).unref();
    const forget = (): void => void this.open.delete(ctx);
    // The response is complete, or the client has disconnected.
    ctx.res.once("finish", forget);
    ctx.state.abort.signal.addEventListener("abort", forget, { once: true });
  }

  close(): void {
    clearTimeout(this.timer);
    this.open.clear();
  }

  private check(): void {
    for (const [{ res }, may] of this.open) {
      const isStream = String(res.getHeader("Content-Type")).startsWith("text/event-stream");
      if (isStream && !may()) res.destroy();
    }
    this.timer = this.open.size === 0 ? undefined : setTimeout(() => this.check(), checkInterval).unref();
  }
}

/** 401 `request-unauthorized`. `isWrong`: the request has an invalid key. */
export function unauthorized(message: string, isWrong = true): RequestError {
  return new RequestError({
    id: "request-unauthorized",
    code: 401,
    message,
    headers: { "WWW-Authenticate": isWrong ? 'Bearer error="invalid_token"' : "Bearer" },
  });
}

/** 403 `request-forbidden` for a key without the role. */
function roleMissing(key: string, roles: readonly string[]): RequestError {
  return new RequestError({
    id: "request-forbidden",
    code: 403,
    message: `The key "${key}" may not do this: it needs the role ${roles.join(" or ")}. Use another key, or ask the admin.`,
    additionalInformation: { roles },
  });
}

/** 429 `request-rate-limited` with `Retry-After`. */
export function rateLimited(message: string, milliseconds: number): RequestError {
  return new RequestError({
    id: "request-rate-limited",
    code: 429,
    message,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(milliseconds / 1000))) },
  });
}
