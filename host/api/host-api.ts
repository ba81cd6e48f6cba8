import Router from "@koa/router";
import type { Protection } from "../access/protection.js";
import { artifactFacts } from "../files/serve-artifacts.js";
import type { RequestState } from "../middleware/request-state.js";
import { Documents } from "../openapi/documents.js";
import type { EventLog } from "../plugins/events/plugin-event.js";
import type { PluginInstaller } from "../plugins/installation/plugin-installer.js";
import type { RouteTable } from "../plugins/live-plugin.js";
import type { PluginAdministration } from "../plugins/plugin-administration.js";
import type { RecentRequests } from "../requests/recent-requests.js";
import type { Sessions } from "../sessions/sessions.js";
import type { TemplateService } from "../templates/template-service.js";
import { accessOperations } from "./access-operations.js";
import { auditOperations } from "./audit-operations.js";
import { eventOperations } from "./event-operations.js";
import { healthFacts } from "./health.js";
import { metricsOperations, type Scraped } from "./metrics-operations.js";
import { openApiOperations } from "./openapi-operations.js";
import type { Operation } from "./operation.js";
import { pluginOperations } from "./plugin-operations.js";
import { pluginUploadOperation } from "./plugin-upload-operation.js";
import type { ReceiveOptions } from "./receive-project.js";
import { requestOperations } from "./request-operations.js";
import { type OperationGuards, serveOperations } from "./serve-operations.js";
import { sessionOperations } from "./session-operations.js";
import { type StatusSources, statusOperations } from "./status-operations.js";
import { templateOperations } from "./template-operations.js";

/** What the host API shows and changes; each is asked anew for every request. */
export interface HostStates {
  plugins: PluginAdministration;
  events: EventLog;
  templates: Pick<TemplateService, "states" | "storeStates" | "follow">;
}

export interface HostApiParts {
  protection: Pick<Protection, "access" | "audit">;
  sessions: Sessions;
  states: HostStates;
  installer: PluginInstaller;
  receive: ReceiveOptions;
  metrics: Scraped;
  requests: RecentRequests;
  status: StatusSources;
  /** What lasts until it is told to end does so when this aborts. */
  closing: AbortSignal;
  /** Who answers, for the description of it all. */
  table(): RouteTable;
}

/** All operations below `/api`, and the description. */
export function hostOperations(parts: HostApiParts): Operation[] {
  const { protection, sessions, states, installer, receive, metrics, closing } = parts;
  const documents = new Documents(() => [...operations, ...healthFacts, artifactFacts], parts.table);
  const operations: Operation[] = [
    ...accessOperations(protection.access),
    ...auditOperations(protection.audit, closing),
    ...sessionOperations(sessions, receive),
    ...pluginOperations(states.plugins),
    pluginUploadOperation(installer),
    ...eventOperations(states.events, closing),
    ...templateOperations(states.templates, closing),
    ...metricsOperations(metrics),
    ...requestOperations(parts.requests, closing),
    ...statusOperations(parts.status),
    ...openApiOperations(documents),
  ];
  return operations;
}

/** Serves them; nothing of it is kept by caches. */
export function hostApi(operations: readonly Operation[], guards: OperationGuards): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.use(async (ctx, next) => {
    ctx.set("Cache-Control", "no-store");
    await next();
  });
  serveOperations(router, operations, guards);
  return router;
}
