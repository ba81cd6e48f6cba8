import Router from "@koa/router";
import { Type } from "@slipway/sdk";
import type { ShownPictures } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import type { ArtifactStore } from "../files/files.js";
import { refuseForeignPages } from "../http/browsers.js";
import type { Idempotency } from "../http/idempotency.js";
import type { RequestState } from "../http/request-state.js";
import type { Jobs, WebhookSecrets } from "../jobs/jobs.js";
import type { EventLog } from "../observability/events/plugin-event.js";
import type { HostLog } from "../observability/log.js";
import type { RecentRequests } from "../observability/requests/finished-requests.js";
import type { PluginAdministration } from "../plugins/administration/administration.js";
import { PluginInstaller } from "../plugins/installation/installation.js";
import type { RouteTable } from "../plugins/routes/routes.js";
import type { AccessControl } from "../security/access-control.js";
import { AuditEntry } from "../security/audit/audit-entry.js";
import type { AuditTrail } from "../security/audit/audit-trail.js";
import type { Sessions } from "../sessions/sessions.js";
import type { TemplateService } from "../templates/templates.js";
import { accessOperations } from "./access-operations.js";
import { AuditEntries } from "./answers.js";
import { Audited } from "./audited.js";
import type { Development } from "./development/development.js";
import { developmentOperations } from "./development/development-operations.js";
import { eventOperations } from "./event-operations.js";
import { After, EventStreams, feed, Limit } from "./event-streams.js";
import { type HostHealth, healthFacts } from "./health.js";
import { jobOperations } from "./job-operations.js";
import { Documents } from "./openapi/document.js";
import { openApiOperations } from "./openapi-operations.js";
import { Nothing, okOrStream, operation, Unread } from "./operation.js";
import { pluginOperations } from "./plugin-operations.js";
import { pluginUploadOperation } from "./plugin-upload-operation.js";
import type { ReceiveOptions } from "./receive-project.js";
import { requestOperations } from "./request-operations.js";
import { artifactFacts } from "./serve-artifacts.js";
import { serveOperations } from "./serve-operations.js";
import { serviceOperations } from "./service-operations.js";
import { sessionOperations } from "./session-operations.js";
import { type StatusSources, statusOperations } from "./status-operations.js";
import { templateOperations } from "./template-operations.js";
import { webhookOperations } from "./webhook-operations.js";

/** The metrics exporter. */
interface Scraped {
  readonly mediaType: string;
  scrape(): Promise<string>;
}

/** The administered parts of the host, read for every request. */
export interface HostStates {
  plugins: PluginAdministration;
  events: EventLog;
  templates: Pick<TemplateService, "states" | "storeStates" | "follow">;
}

/** Dependencies of the host API. */
export interface HostApiParts {
  configuration: Configuration;
  accessControl: AccessControl;
  log: HostLog;
  sessions: Sessions;
  pictures: ShownPictures;
  jobs: Jobs;
  webhookSecrets: WebhookSecrets;
  idempotency: Idempotency;
  artifacts: ArtifactStore;
  states: HostStates;
  metrics: Scraped;
  recent: RecentRequests;
  status: Pick<StatusSources, "status" | "eventLoop" | "started" | "pages">;
  health: HostHealth;
  /** How projects are received. */
  receive: ReceiveOptions;
  /** Endless responses end when `closing` aborts. */
  inFlight: { readonly closing: AbortSignal };
  /** The plugin in development, on a host of `slipway plugin dev`. */
  development?: Development | undefined;
  table(): RouteTable;
}

/** Serves all operations below `/api` and their description; responses are never cached. */
export function hostApi(parts: HostApiParts): Router<RequestState> {
  const { configuration, accessControl } = parts;
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.use(async (ctx, next) => {
    ctx.set("Cache-Control", "no-store");
    await next();
  });
  serveOperations(router, hostOperations(parts), {
    demand: accessControl.access.demand,
    foreignPages: {
      strict: refuseForeignPages(configuration, false),
      public: refuseForeignPages(configuration, true),
    },
    audited: new Audited(accessControl.audit).serve,
  });
  return router;
}

/** Each operation of the host, with the types of its schemas: clients of the host's own are typed by it. */
export type HostOperation =
  | ReturnType<
      | typeof accessOperations
      | typeof auditOperations
      | typeof sessionOperations
      | typeof jobOperations
      | typeof webhookOperations
      | typeof pluginOperations
      | typeof serviceOperations
      | typeof eventOperations
      | typeof templateOperations
      | typeof metricsOperations
      | typeof requestOperations
      | typeof statusOperations
      | typeof developmentOperations
      | typeof openApiOperations
    >[number]
  | ReturnType<typeof pluginUploadOperation>;

function hostOperations(parts: HostApiParts): HostOperation[] {
  const { accessControl, states, metrics, recent, status, health, table, development } = parts;
  const { closing } = parts.inFlight;
  const documents = new Documents(() => [...operations, ...healthFacts, artifactFacts], table);
  const operations: HostOperation[] = [
    ...accessOperations(accessControl.access),
    ...auditOperations(accessControl.audit, closing),
    ...sessionOperations(parts, parts.receive, parts.idempotency),
    ...jobOperations(parts, closing),
    ...webhookOperations(parts.webhookSecrets, parts.idempotency),
    ...pluginOperations(states.plugins, parts.idempotency),
    pluginUploadOperation(pluginInstaller(parts), parts.idempotency),
    ...serviceOperations(table),
    ...eventOperations(states.events, states.plugins, closing),
    ...templateOperations(states.templates, closing),
    ...metricsOperations(metrics),
    ...requestOperations(recent, closing),
    ...statusOperations({ ...status, health, table }),
    ...(development === undefined ? [] : developmentOperations({ ...parts, development }, closing)),
    ...openApiOperations(documents),
  ];
  return operations;
}

function pluginInstaller({ configuration, states, inFlight, log }: HostApiParts): PluginInstaller {
  return new PluginInstaller({
    folders: configuration.folders.plugins,
    configuration: configuration.plugins,
    plugins: states.plugins,
    closing: inFlight.closing,
    log,
  });
}

/** `/api/audit`: the audit trail, as a list or as a stream that ends when `closing` aborts. */
function auditOperations(audit: AuditTrail, closing: AbortSignal) {
  const streams = new EventStreams(closing);
  return [
    operation({
      ...feed,
      path: "/api/audit",
      id: "listAudit",
      tag: "events",
      summary: "The audit trail, as a list or as a stream",
      description: "The latest 2,000 entries; the files have more.",
      query: Type.Object({ after: After, limit: Limit }, { additionalProperties: false }),
      answers: okOrStream("Entries, oldest first.", AuditEntries, { event: "audit", data: AuditEntry }),
      handle(ctx, { query: { limit, after } }) {
        streams.answerOrList(ctx, { events: audit, name: "audit", isWanted: () => true, after }, () => ({
          entries: audit.list({ after, limit }),
        }));
      },
    }),
  ];
}

/** The metrics for a monitoring system. */
function metricsOperations(metrics: Scraped) {
  return [
    operation({
      method: "GET",
      path: "/metrics",
      id: "getMetrics",
      tag: "host",
      summary: "Metrics for monitoring",
      description: "In the text format of Prometheus, version 0.0.4.",
      roles: ["read"],
      params: Nothing,
      query: Unread,
      body: Unread,
      answers: {
        200: { description: "The current metrics.", content: { "text/plain": Type.String() } },
      },
      async handle(ctx) {
        const text = await metrics.scrape();
        ctx.type = metrics.mediaType;
        ctx.body = text;
      },
    }),
  ];
}
