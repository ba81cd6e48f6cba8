import { badRequest } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { archiveLimits } from "../plugins/packages/unpack-archive.js";
import { tooLarge } from "../request-errors.js";
import type { Middleware } from "./request-state.js";

/** Bytes that a form may have beside the file in it. */
const formOverhead = 64 * 1024;

/**
 * Refuses at once what says of itself that it is too large (what hides its length is cut while it is read), and
 * requests that do not say whom they are for (RFC 9112, section 3.2).
 */
export function limits(configuration: Pick<Configuration, "limits" | "plugins">): Middleware {
  return async (ctx, next) => {
    if (ctx.req.httpVersion === "1.1" && ctx.req.headers.host === undefined) {
      const violation = { path: "headers.Host", expected: "a value", received: "nothing" };
      throw badRequest("The request is not valid", [violation]);
    }
    const limit = limitOf(ctx.path, configuration);
    // Not `ctx.request.length`, which counts in 32 bits.
    if (Number(ctx.get("Content-Length")) > limit) throw tooLarge(limit);
    await next();
  };
}

function limitOf(path: string, { limits, plugins }: Pick<Configuration, "limits" | "plugins">): number {
  if (path === "/api/plugins") return archiveLimits(plugins.archives).bytes + formOverhead;
  return path.startsWith("/api/") ? limits.project : limits.json;
}
