import { RequestError } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { isLoopback } from "../system/addresses.js";
import { type Caller, type CallerContext, Role } from "./caller.js";
import type { KeyMatch } from "./key-ring.js";
import { networkOf, RateLimit } from "./rate-limit.js";
import type { WatchedKeys } from "./watched-keys.js";

const lookInterval = 2000;

/** Whose key came with a request; `none` where keys are asked for and no key came. */
type Recognized = KeyMatch | { kind: "open" } | { kind: "none" };

/** What access is decided with. */
export interface AccessParts {
  configuration: Pick<Configuration, "host" | "rateLimits">;
  keys: WatchedKeys;
  /** Takes down who was refused; it must not throw. */
  refusals: { note(ctx: CallerContext, caller: Caller, message: string): void };
}

const bearer = /^Bearer +(\S+) *$/i;

/** Who may do what: asks for keys once there are some, and tells whose they are. */
export class Access {
  private readonly refusedKeys: RateLimit;
  private readonly streams = new OpenStreams();

  constructor(private readonly parts: AccessParts) {
    const { rateLimits } = parts.configuration;
    this.refusedKeys = new RateLimit(
      () => rateLimits.refusedKeys,
      () => rateLimits.period,
    );
  }

  /**
   * Whether a key is asked for: as soon as there is one, expired ones included. Beyond this machine a key file that has no
   * key left lets nobody in: who removes the last key wants to lock somebody out.
   */
  get isRequired(): boolean {
    const { configuration, keys } = this.parts;
    return keys.current.keys.length > 0 || (keys.isThere && !isLoopback(configuration.host));
  }

  /**
   * Who asks, with one of the roles; none means that everybody may. 401 `request-unauthorized` without a key that counts, 403
   * `request-forbidden` without any of the roles, 429 `request-rate-limited` for those who try keys.
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
        'This host asks for a key: "Authorization: Bearer <key>". Its admins make one with "slipway key new".',
        false,
      );
    const error = roleMissing(caller.key, roles);
    this.parts.refusals.note(ctx, caller, error.message);
    throw error;
  };

  /** Whether a request may see what is for the role `read` only; never refuses. */
  async mayRead(ctx: CallerContext): Promise<boolean> {
    const recognized = await this.recognize(ctx);
    return rolesOf(recognized).includes("read");
  }

  /** Name of the key that a request comes with; undefined when there is none that counts. */
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
      const message = `The key "${name}" has expired at ${expires}; its admins make a new one with "slipway key new ${name}".`;
      this.parts.refusals.note(ctx, { key: undefined, address, roles: [] }, message);
      throw unauthorized(message);
    }
    if (recognized.kind === "unknown") throw await this.unknownKey(ctx);
    const key = recognized.kind === "valid" ? recognized.key.name : undefined;
    return { key, address, roles: rolesOf(recognized) };
  }

  /**
   * Counts wrong keys of an address. A right one from the same address counts all the same: many clients may be behind it, and
   * nobody finds one of 2^256 keys by trying.
   */
  private async unknownKey(ctx: CallerContext): Promise<Error> {
    const { address } = ctx.state.client;
    const wait = await this.refusedKeys.take(networkOf(address));
    const message = "This host does not know the key of the request; it may have been removed.";
    this.parts.refusals.note(ctx, { key: undefined, address, roles: [] }, message);
    if (wait === undefined) return unauthorized(message);
    return rateLimited(`${message} Too many such requests come from ${address}.`, wait);
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

/** Who may change things may look at them. */
function rolesOf(recognized: Recognized): readonly Role[] {
  if (recognized.kind === "open") return Role.enum;
  if (recognized.kind !== "valid") return [];
  const { roles } = recognized.key;
  return Role.enum.filter((role) => roles.includes(role) || (role === "read" && roles.includes("operate")));
}

/**
 * Ends streams of events whose caller may not have them any more: a key that was removed or has expired would otherwise go on
 * to read for as long as its connection lasts. Other answers end by themselves.
 */
class OpenStreams {
  private readonly open = new Map<CallerContext, () => boolean>();
  private readonly timer = setInterval(() => this.look(), lookInterval).unref();

  /** `may` tells whether the caller of a request still may have its answer. */
  watch(ctx: CallerContext, may: () => boolean): void {
    this.open.set(ctx, may);
    const forget = (): void => void this.open.delete(ctx);
    // Either it is sent, or its client went away.
    ctx.res.once("finish", forget);
    ctx.state.abort.signal.addEventListener("abort", forget, { once: true });
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    for (const [{ res }, may] of this.open) {
      const isStream = String(res.getHeader("Content-Type")).startsWith("text/event-stream");
      if (isStream && !may()) res.destroy();
    }
  }
}

/** 401 `request-unauthorized`. `isWrong`: a key came, but none that counts. */
export function unauthorized(message: string, isWrong = true): RequestError {
  return new RequestError({
    id: "request-unauthorized",
    code: 401,
    message,
    headers: { "WWW-Authenticate": isWrong ? 'Bearer error="invalid_token"' : "Bearer" },
  });
}

/** 403 `request-forbidden` for a key without the role. */
export function roleMissing(key: string, roles: readonly string[]): RequestError {
  return new RequestError({
    id: "request-forbidden",
    code: 403,
    message: `The key "${key}" may not do this; it takes the role ${roles.join(" or ")}.`,
    additionalInformation: { roles },
  });
}

/** 429 `request-rate-limited` that says when to come back. */
export function rateLimited(message: string, milliseconds: number): RequestError {
  return new RequestError({
    id: "request-rate-limited",
    code: 429,
    message,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(milliseconds / 1000))) },
  });
}
