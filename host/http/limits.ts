import { badRequest, RequestError } from "@slipway/sdk";
import { bodyTooLarge } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { archiveLimits } from "../plugins/packages/unpack-archive.js";
import type { Middleware, RequestContext } from "./request-state.js";

/** Bytes of a form besides its file. */
const formOverhead = 64 * 1024;

/**
 * Refuses requests whose declared length is too large (others are limited while they are read), and requests with a
 * missing or duplicate `Host`, or duplicate keys (RFC 9112, section 3.2).
 */
export function limits(configuration: Pick<Configuration, "limits" | "plugins" | "security">): Middleware {
  return async (ctx, next) => {
    refuseRepeatedHeaders(ctx);
    refuseLongPath(ctx, configuration.security.pathLength);
    const limit = limitOf(ctx.path, configuration);
    // `ctx.request.length` has only 32 bits.
    if (Number(ctx.get("Content-Length")) > limit) throw bodyTooLarge(limit);
    await next();
  };
}

function refuseLongPath({ req }: RequestContext, limit: number): void {
  if ((req.url ?? "").length <= limit) return;
  throw new RequestError({
    id: "request-too-large",
    code: 414,
    message: `The path with its query is longer than ${limit} characters.`,
    additionalInformation: { limit },
  });
}

/**
 * Requires one `Host`, optional in HTTP/1.0, and at most one key: a proxy could use the first of two and this host the
 * last.
 */
function refuseRepeatedHeaders({ req }: RequestContext): void {
  const count = (name: string): number =>
    req.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
  const hosts = count("host");
  const keys = count("authorization");
  const isHostMissing = hosts === 0 && req.httpVersion !== "1.0";
  const violations = [
    ...(hosts > 1 || isHostMissing ? [{ path: "headers.Host", expected: "one value", count: hosts }] : []),
    ...(keys > 1 ? [{ path: "headers.Authorization", expected: "at most one value", count: keys }] : []),
  ];
  if (violations.length === 0) return;
  throw badRequest(
    "The request is not valid",
    violations.map(({ count, ...rest }) => ({ ...rest, received: count === 0 ? "nothing" : String(count) })),
  );
}

function limitOf(path: string, { limits, plugins }: Pick<Configuration, "limits" | "plugins">): number {
  if (path === "/api/plugins") return archiveLimits(plugins.archives).bytes + formOverhead;
  return path.startsWith("/api/") ? limits.project : limits.json;
}
