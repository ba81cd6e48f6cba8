/**
 * The session service of EAIWS: the door of this folder.
 *
 * In: SOAP calls at `/EAIWS/EAI/{service}`, with and without a release in front, and files at `/session-cache`.
 * Out: responses and faults; sessions that are opened, changed, saved and closed.
 * Owns: the addresses for files of sessions, and in memory projects that clients read lately.
 */
import { Readable } from "node:stream";
import { RequestError } from "@slipway/sdk";
import { methodNotAllowed, notFound } from "@slipway/sdk/runtime/host";
import { readBytes } from "../http/body-reader.js";
import type { FaultOf } from "../http/errors.js";
import type { Middleware, RequestContext } from "../http/request-state.js";
import { type RouteTable, releaseNamed } from "../plugins/routes/routes.js";
import type { Access } from "../security/access.js";
import { envelopeType, readEnvelope, responseChunks, writeFault } from "../soap/soap.js";
import { unsupportedMediaType } from "../system/request-errors.js";
import { basketOperations } from "./basket-operations.js";
import { closeProjects, contextOperations } from "./context-operations.js";
import { priceOperations } from "./price-operations.js";
import { projectOperations } from "./project-operations.js";
import type { SessionServiceParts } from "./service-parts.js";
import { sessionOperations } from "./session-operations.js";
import { settingsOperations } from "./settings-operations.js";
import type { SoapOperation } from "./soap-operation.js";

export { RecentProjects, type SessionServiceParts, sessionChanges } from "./service-parts.js";
export { serveUploads } from "./uploads.js";

interface Service {
  namespace: string;
  operations: ReadonlyMap<string, SoapOperation>;
}

function service(namespace: string, operations: readonly SoapOperation[]): Service {
  return { namespace, operations: new Map(operations.map((each) => [each.name, each])) };
}

/** The services by their names in paths. There is no product data here, so the catalog has no operations. */
const services: ReadonlyMap<string, Service> = new Map([
  ["Session", service("http://ws.eai.egr/", [...sessionOperations, ...contextOperations])],
  ["Project", service("http://project.ws.eai.egr/", [...projectOperations, closeProjects])],
  [
    "Basket",
    service("http://basket.ws.eai.egr/", [...basketOperations, ...priceOperations, ...settingsOperations]),
  ],
  ["Catalog", service("http://catalog.ws.eai.egr/", [])],
]);

/**
 * The parts of the path of a service; undefined for others. Clients append `EAI/{service}` to the address of their server,
 * which ends in `EAIWS` or before it.
 */
function servicePath(path: string): { release: string | undefined; name: string } | undefined {
  const [root, ...segments] = path.split("/", 6);
  const name = segments.pop();
  if (root !== "" || name === undefined || name === "" || segments.pop() !== "EAI") return undefined;
  if (segments.at(-1) === "EAIWS") segments.pop();
  const [release, ...others] = segments;
  return release === "" || others.length > 0 ? undefined : { release, name };
}

const mediaTypes = ["text/xml", "application/xml"];

/** Statuses that say more about a request than that it failed; all others are 500, as SOAP has it. */
const ownStatus = new Set([401, 403, 413, 414, 415, 421, 429, 503, 504]);

/** Answers errors at the paths of the services with faults, also those of earlier middleware. */
export function sessionServiceFault({ configuration }: Pick<SessionServiceParts, "configuration">): FaultOf {
  return (ctx, error) => {
    if (!configuration.eaiws.sessions || servicePath(ctx.path) === undefined) return undefined;
    const status = ownStatus.has(error.code) ? error.code : 500;
    return { status, type: envelopeType, body: writeFault(error) };
  };
}

/** Serves the operations of all services; passes other paths on. */
export function sessionService(
  parts: SessionServiceParts,
  guards: { access: Access; refuseForeignPages: Middleware; table: () => RouteTable },
): Middleware {
  return async (ctx, next) => {
    const path = servicePath(ctx.path);
    if (path === undefined || !parts.configuration.eaiws.sessions) return await next();
    const { release, name } = path;
    const called = services.get(name);
    if (called === undefined || (release !== undefined && !isRelease(guards.table(), release)))
      throw notFound(ctx.path, { services: [...services.keys()] });
    if (ctx.method !== "POST") throw methodNotAllowed(ctx.method, ["POST"]);
    await guards.refuseForeignPages(ctx, async () => {
      ctx.state.caller = await guards.access.demand(ctx, { roles: ["sessions"] });
      await answer(ctx, parts, name, called);
    });
  };
}

function isRelease(table: RouteTable, segment: string): boolean {
  try {
    return releaseNamed(table, decodeURIComponent(segment)) !== undefined;
  } catch {
    return false;
  }
}

async function answer(
  ctx: RequestContext,
  parts: SessionServiceParts,
  name: string,
  { namespace, operations }: Service,
): Promise<void> {
  if (!ctx.is(mediaTypes)) throw unsupportedMediaType(ctx.get("Content-Type"), mediaTypes);
  const limit = parts.configuration.limits.json;
  // What a call has brought stays in memory until it is answered.
  const { operation, result } = await parts.room.during(ctx, async (take) => {
    const call = readEnvelope(await readBytes(ctx.req, limit, take, ctx.state.abort.signal));
    const operation = operations.get(call.name);
    if (operation === undefined || call.namespace !== namespace)
      throw unknownOperation(name, call, namespace, [...operations.keys()]);
    ctx.state.operation = `${name}.${operation.name}`;
    const serve = () => operation.serve(parts, { ctx, take }, call);
    return { operation, result: await ctx.state.work.step(ctx.state.operation, serve) };
  });
  ctx.set("Cache-Control", "no-store");
  ctx.status = 200;
  const chunks = responseChunks({ operation: operation.name, namespace, result, schema: operation.result });
  ctx.body = Readable.from(chunks, { objectMode: false });
  ctx.type = envelopeType;
}

function unknownOperation(
  service: string,
  called: { name: string; namespace: string },
  namespace: string,
  operations: readonly string[],
): RequestError {
  const isForeign = called.namespace !== namespace;
  const what = `${called.name.slice(0, 80)}${isForeign ? ` of "${called.namespace.slice(0, 80)}"` : ""}`;
  const has = operations.length === 0 ? "none" : `${operations.join(", ")}, all of "${namespace}"`;
  return new RequestError({
    id: "request-not-found",
    code: 404,
    message: `The service ${service} has no operation ${what}; it has ${has}.`,
    additionalInformation: { operations },
  });
}
