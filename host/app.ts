import type { Procedures } from "@slipway/sdk";
import Koa from "koa";
import type { Development } from "./api/development/development.js";
import { type HostHealth, health } from "./api/health.js";
import { type HostApiParts, hostApi } from "./api/host-api.js";
import { hostDigests } from "./api/host-digests.js";
import { hostStatus } from "./api/host-status.js";
import { partsHealth } from "./api/parts-health.js";
import { receivedProjects } from "./api/receive-project.js";
import { missingFilePage, serveArtifacts } from "./api/serve-artifacts.js";
import { memberFacts } from "./api/status-operations.js";
import type { Configuration } from "./configuration/configuration.js";
import {
  RecentProjects,
  type SessionServiceParts,
  serveUploads,
  sessionChanges,
  sessionService,
  sessionServiceFault,
} from "./eaiws/eaiws.js";
import type { Members } from "./engine/members.js";
import { createOutgoingFetch } from "./fetch/fetch.js";
import { answerJob } from "./http/answer-job.js";
import { clientAddress, requestLog } from "./http/arrival.js";
import { backPressure, type PluginQueues, PluginTurns } from "./http/back-pressure.js";
import {
  crossOrigin,
  refuseForeignPages,
  refuseOtherNames,
  refuseUnlistedPages,
  securityHeaders,
} from "./http/browsers.js";
import { dispatch } from "./http/dispatch.js";
import { errors } from "./http/errors.js";
import { leased, spreadOverload } from "./http/fleet.js";
import { Idempotency } from "./http/idempotency.js";
import { InFlight } from "./http/in-flight.js";
import { limits, requestLimits, timeout } from "./http/limits.js";
import { bodyProgress, jsonBody } from "./http/request-body.js";
import { session, sessionCopy } from "./http/request-session.js";
import type { RequestState } from "./http/request-state.js";
import { pluginAccess, resolution } from "./http/resolution.js";
import { respondAsync } from "./http/respond-async.js";
import { Jobs } from "./jobs/jobs.js";
import type { HostStatus } from "./observability/host-status.js";
import type { HostLog } from "./observability/log.js";
import {
  RecentRequests,
  type RequestObserver,
  requestLines,
} from "./observability/requests/finished-requests.js";
import type { Tracing } from "./observability/tracing/tracing.js";
import type { HostParts } from "./parts.js";
import type { SwitchStore } from "./plugins/fleet/fleet.js";
import { presentStages, Stage } from "./plugins/plugin-state.js";
import { servingPlugins, wantedPlugins } from "./plugins/routes/routes.js";
import type { SharedUses } from "./security/rate-limit.js";
import type { SessionCopies } from "./sessions/sessions.js";
import { diskRoom } from "./system/free-disk.js";
import { engineUnavailable } from "./system/request-errors.js";
import { frontDoor, type PageName, servePages } from "./web/pages.js";

/** Dependencies of the middleware. */
export interface AppParts extends HostApiParts {
  /** Sessions of another server. */
  copies: SessionCopies;
  /** Pricing procedures of the host. */
  procedures: Procedures;
  inFlight: InFlight;
  /** Notified of each finished request. */
  observers: readonly RequestObserver[];
  tracing: Tracing;
  turns: PluginTurns;
  /** The hosts that share the engine, if there are others. */
  members: Members | undefined;
  /** Whether this host may answer for plugins, if there are others. */
  switches: SwitchStore | undefined;
  /** Uses of rate limits, shared with the other hosts. */
  uses: SharedUses | undefined;
  /** The host's address redirects to the first one. */
  pages: readonly [PageName, ...PageName[]];
}

/** The middleware of a request, in order. */
function createApp(parts: AppParts): Koa<RequestState> {
  const { configuration, accessControl, development, pages } = parts;
  const api = hostApi(parts);
  const clientLimits = requestLimits(accessControl.access, configuration.rateLimits, parts.uses);
  const service: SessionServiceParts = {
    ...parts,
    projects: new RecentProjects(parts.sessions),
    changes: sessionChanges(),
    room: parts.receive.memory,
    limitOpening: clientLimits.opening,
  };
  const serviceGuards = {
    access: accessControl.access,
    refuseForeignPages: refuseForeignPages(configuration, true),
    table: parts.table,
  };

  const app = new Koa<RequestState>();
  app.use(clientAddress(configuration.trustedProxies, parts.log));
  app.use(requestLog(parts.tracing, parts.observers));
  app.use(securityHeaders(configuration));
  const sessionFault = sessionServiceFault(parts);
  app.use(errors((ctx, error) => missingFilePage(ctx, error) ?? sessionFault(ctx, error)));
  app.use(bodyProgress(configuration.requests));
  app.use(refuseOtherNames(configuration, accessControl.access));
  app.use(crossOrigin(configuration));
  app.use(limits(configuration));
  app.use(health(parts.health));
  app.use(parts.inFlight.middleware);
  app.use(clientLimits.requests);
  app.use(serveArtifacts(parts.artifacts));
  app.use(frontDoor(pages));
  app.use(servePages(pages));
  app.use(api.routes());
  app.use(api.allowedMethods());
  app.use(serveUploads(service));
  app.use(sessionService(service, serviceGuards));

  // The following middleware serves plugin requests.
  if (parts.members !== undefined) app.use(leased(parts.members, parts.switches));
  app.use(pluginAccess(accessControl.access, configuration.access));
  app.use(resolution(parts.table, configuration.requests, development?.plugin.isDebugged));
  app.use(jsonBody(configuration.limits));
  app.use(parts.idempotency.middleware);
  const copySession = sessionCopy(parts.copies, parts.receive.memory, clientLimits.opening);
  const findSession = session(parts.sessions);
  const refusePages = refuseUnlistedPages(configuration);
  const steps = [findSession, refusePages];
  app.use(respondAsync({ ...parts, steps: [copySession, ...steps] }));
  // Before back-pressure, so that a queued request is answered at its deadline and leaves the queue.
  app.use(timeout());
  app.use(copySession);
  const { members } = parts;
  if (members !== undefined) app.use(spreadOverload({ ...parts, steps, members }));
  app.use(backPressure(parts.turns));
  app.use(findSession);
  app.use(refusePages);
  app.use(dispatch(configuration.publicUrl, parts.artifacts));

  app.on("error", (error: NodeJS.ErrnoException) => {
    // The request log already has the disconnected client.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE")
      parts.log.warn("A response could not be sent completely", { error });
  });
  return app;
}

function servedPages(
  { workbench, preview }: Configuration,
  development: Development | undefined,
): AppParts["pages"] {
  const others: PageName[] = [...(preview ? (["preview"] as const) : []), "docs"];
  const pages: AppParts["pages"] = workbench ? ["workbench", "admin", ...others] : ["admin", ...others];
  return development === undefined ? pages : ["dev", ...pages];
}

/** Creates the app with its request counters, observers and jobs, and its reports to other hosts; once per host. */
export function hostApp(
  parts: HostParts,
  configuration: Configuration,
  log: HostLog,
  development?: Development,
) {
  const { accessControl, metrics, tracing, engine, pictures, pdf, templates, events, plugins } = parts;
  const inFlight = new InFlight(parts.eventLoop);
  const queues: PluginQueues = new Map();
  const turns = new PluginTurns(configuration, queues);
  const table = () => plugins.table();
  // Until this host serves the same as the others, a job waits or goes to another host.
  const tableInService = () => {
    if (engine.switches?.isInService === false) throw engineUnavailable();
    return table();
  };
  const answering = { configuration, sessions: parts.sessions, turns, table: tableInService };
  const jobs = new Jobs({
    store: engine.jobs,
    configuration: configuration.jobs,
    log,
    attempt: (claimed, options) => answerJob(answering, claimed, options),
    urgentRoom: engine.members && (() => turns.spare),
    webhooks: {
      configuration: configuration.webhooks,
      secrets: engine.webhookSecrets,
      fetch: createOutgoingFetch({ configuration: configuration.fetch, secure: true, log }),
    },
    measures: metrics.jobs,
  });
  const recent = new RecentRequests();
  const observers: RequestObserver[] = [requestLines(log), recent.keep, metrics.observe];
  const states = () => plugins.states();
  const { sessions, artifacts, members, switches, uses } = engine;
  const status = hostStatus({ inFlight, queues, pdf, sessions, artifacts, members, switches, states });
  const started = new Date();
  const hostHealth: HostHealth = {
    refusing: () => (inFlight.stopping ? "the host is stopping" : undefined),
    parts: () => partsHealth(parts, configuration),
    canSeeDetails: (ctx) => accessControl.access.mayRead(ctx),
  };
  showNumbers(parts, configuration, status);
  const pages = servedPages(configuration, development);
  development?.attend({ states, follow: (listener) => events.follow(listener) });
  const app = createApp({
    configuration,
    accessControl,
    log,
    inFlight,
    observers,
    tracing,
    recent,
    status: { status, eventLoop: parts.eventLoop, started, pages },
    turns,
    pictures,
    jobs,
    webhookSecrets: engine.webhookSecrets,
    idempotency: new Idempotency({ configuration, store: engine.idempotency, artifacts }),
    artifacts,
    members,
    switches,
    uses,
    pages,
    sessions: parts.sessions,
    metrics,
    receive: receivedProjects(configuration, {
      folder: parts.place.uploads,
      expect: (bytes) => parts.opener.expect(bytes),
    }),
    procedures: parts.procedures,
    copies: parts.copies,
    table,
    development,
    states: { plugins, events, templates },
    health: hostHealth,
  });
  const { digest: procedures } = parts.procedures;
  const digests = () => hostDigests({ configuration, procedures, templates: () => templates.states() });
  const facts = () => memberFacts({ status, health: hostHealth, table, started, digests });
  return { app, inFlight, observers, facts, jobs };
}

/** Connects the metrics to the parts that provide the numbers. */
function showNumbers(parts: HostParts, configuration: Configuration, status: HostStatus): void {
  const { metrics, plugins, events, templates, sessions, engine } = parts;
  metrics.show({
    plugins: {
      serving: () => servingPlugins(plugins.table()),
      states: () => plugins.states(),
      stages: Stage.enum,
      presentStages,
    },
    events,
    templates,
    stores: {
      status,
      sessions: () => sessions.counts,
      disk: () => diskRoom(configuration.var),
    },
    jobs: () => engine.jobs.usage(),
    engine: engine.members,
    parts: () => partsHealth(parts, configuration),
    wanted: () => wantedPlugins(plugins.table(), configuration.releases),
  });
}
