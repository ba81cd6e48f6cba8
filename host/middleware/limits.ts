import { badRequest, RequestError } from "@slipway/sdk";
import { bodyTooLarge } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { archiveLimits } from "../plugins/packages/unpack-archive.js";
import type { Middleware, RequestContext } from "./request-state.js";

/** Bytes that a form may have beside the file in it. */
const formOverhead = 64 * 1024;

/**
 * Refuses at once what says of itself that it is too large (what hides its length is cut while it is read), and
 * requests that do not say whom they are for, or say it twice (RFC 9112, section 3.2).
 */
export function limits(configuration: Pick<Configuration, "limits" | "plugins" | "security">): Middleware {
  return async (ctx, next) => {
    refuseOtherHosts(ctx);
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

/**
 * One, because a proxy may go by the first of two and this host by the last. HTTP/1.0 knows none.
 */
function refuseOtherHosts({ req }: RequestContext): void {
  const count = req.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length;
  if (count === 1 || (count === 0 && req.httpVersion === "1.0")) return;
  const violation = {
    path: "headers.Host",
    expected: "one value",
    received: count === 0 ? "nothing" : String(count),
  };
  throw badRequest("The request is not valid", [violation]);
}

function limitOf(path: string, { limits, plugins }: Pick<Configuration, "limits" | "plugins">): number {
  if (path === "/api/plugins") return archiveLimits(plugins.archives).bytes + formOverhead;
  return path.startsWith("/api/") ? limits.project : limits.json;
}
