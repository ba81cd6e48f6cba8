import type { Middleware, RequestContext } from "../middleware/request-state.js";
import { methodNotAllowed } from "../request-errors.js";

/** What one part of the host says of itself. */
export interface PartHealth {
  ready: boolean;
  /** One sentence: what works, or what does not and how to mend it. */
  detail: string;
  /** What is wrong without keeping the part from serving. */
  problems?: string[];
}

export interface HostHealth {
  /** Why the host as a whole takes no requests, such as a stop; undefined when it does. */
  refusing(): string | undefined;
  parts(): Record<string, PartHealth>;
  /** Whether a request may see what the parts say. */
  maySee(ctx: RequestContext): Promise<boolean>;
}

/** `/healthz`: the process answers. `/readyz`: it can serve; if not, 503 and, for those who may see it, what is missing. */
export function health(host: HostHealth): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/healthz" && ctx.path !== "/readyz") return next();
    ctx.state.operation = ctx.path === "/healthz" ? "getHealth" : "getReadiness";
    if (ctx.method !== "GET" && ctx.method !== "HEAD") throw methodNotAllowed(ctx.method, ["GET", "HEAD"]);
    ctx.set("Cache-Control", "no-store");
    if (ctx.path === "/healthz") {
      ctx.body = { status: "ok" };
      return;
    }
    const parts = host.parts();
    const refusing = host.refusing();
    const waiting = Object.entries(parts)
      .filter(([, part]) => !part.ready)
      .map(([name, part]) => `${name}: ${part.detail}`);
    const reasons = refusing === undefined ? waiting : [refusing, ...waiting];
    ctx.status = reasons.length === 0 ? 200 : 503;
    const status = reasons.length === 0 ? "ready" : "not ready";
    // Versions and broken parts are nothing for whoever comes by; a load balancer needs the status alone.
    ctx.body = (await host.maySee(ctx)) ? { status, reasons, parts } : { status };
  };
}
