import { Type } from "@slipway/sdk";
import { methodNotAllowed } from "@slipway/sdk/runtime/host";
import type { Middleware, RequestContext } from "../http/request-state.js";
import { PartHealth } from "../observability/health.js";
import { Nothing, type OperationFacts, Unread } from "./operation.js";

const Readiness = Type.Object(
  {
    status: Type.Enum(["ready", "not ready"]),
    reasons: Type.Optional(Type.Array(Type.String(), { description: "Missing parts." })),
    parts: Type.Optional(Type.Record(Type.String(), PartHealth)),
  },
  { title: "Readiness" },
);

const readiness = (description: string) => ({ description, content: { "application/json": Readiness } });

/** Description of `/healthz` and `/readyz` for OpenAPI. */
export const healthFacts: readonly OperationFacts[] = [
  {
    method: "GET",
    path: "/healthz",
    id: "getHealth",
    tag: "host",
    summary: "Whether the process answers",
    roles: [],
    params: Nothing,
    query: Unread,
    body: Unread,
    answers: {
      200: {
        description: "It does.",
        content: { "application/json": Type.Object({ status: Type.Literal("ok") }) },
      },
    },
  },
  {
    method: "GET",
    path: "/readyz",
    id: "getReadiness",
    tag: "host",
    summary: "Whether the host can serve, and missing parts",
    description: "On a host with keys, only the role `read` gets more than the status.",
    roles: [],
    params: Nothing,
    query: Unread,
    body: Unread,
    answers: { 200: readiness("It can."), 503: readiness("It cannot.") },
  },
];

/** Sources of `/readyz`. */
export interface HostHealth {
  /** Why the host refuses all requests, such as a stop; undefined otherwise. */
  refusing(): string | undefined;
  parts(): Promise<Record<string, PartHealth>>;
  /** Whether a caller may see the details. */
  canSeeDetails(ctx: RequestContext): Promise<boolean>;
}

/** `/healthz`: the process responds. `/readyz`: it can serve; if not, 503 and, for authorised callers, the missing parts. */
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
    const { reasons, parts } = await readinessOf(host);
    ctx.status = reasons.length === 0 ? 200 : 503;
    const status = reasons.length === 0 ? "ready" : "not ready";
    // Versions and broken parts are not public; a load balancer needs only the status.
    ctx.body = (await host.canSeeDetails(ctx)) ? { status, reasons, parts } : { status };
  };
}

/** The reasons why the host cannot serve (empty: it can), and the health of its parts. */
export async function readinessOf(host: Pick<HostHealth, "refusing" | "parts">): Promise<{
  reasons: string[];
  parts: Record<string, PartHealth>;
}> {
  const parts = await host.parts();
  const refusing = host.refusing();
  const waiting = Object.entries(parts)
    .filter(([, part]) => !part.ready)
    .map(([name, part]) => `${name}: ${part.detail}`);
  return { reasons: refusing === undefined ? waiting : [refusing, ...waiting], parts };
}
