import { badRequest, RequestError } from "@slipway/sdk";
import { bodyTooLarge } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { archiveLimits } from "../plugins/packages/unpack-archive.js";
import type { Middleware, RequestContext } from "./request-state.js";

/** Bytes that a form may have beside the file in it. */
const formOverhead = 64 * 1024;

/**
 * Refuses at once what says of itself that it is too large (what hides its length is cut while it is read), and
 * requests that do not say whom they are for, or say it or their key twice (RFC 9112, section 3.2).
 */
export function limits(configuration: Pick<Configuration, "limits" | "plugins" | "security">): Middleware {
  return async (ctx, next) => {
    refuseRepeatedHeaders(ctx);
    refuseLongPath(ctx, configuration.security.pathLength);
    const limit = limitOf(ctx.path, configuration);
    // Not `ctx.request.length`, which counts in 32 bits.
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

/** One `Host`, which HTTP/1.0 need not have, and one key: a proxy may go by the first of two and this host by the last. */
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
