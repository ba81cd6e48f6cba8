/** Health of the parts of the host, with a fix for each problem. */
import { basename } from "node:path";
import type { Configuration } from "../configuration/configuration.js";
import type { Engine } from "../engine/engine.js";
import type { JobUsage } from "../jobs/jobs.js";
import type { EventLoopWatch } from "../observability/event-loop-delay.js";
import type { PartHealth, StorageHealth } from "../observability/health.js";
import type { PdfHealth, PdfService } from "../pdf/pdf.js";
import type { PluginState, Stage } from "../plugins/plugin-state.js";
import type { PluginSupervisor } from "../plugins/plugins.js";
import { livePlugins, type RouteTable, wantedPlugins } from "../plugins/routes/routes.js";
import type { AccessControl } from "../security/access-control.js";
import type { ConfigurationNotes } from "../security/audit/configuration-notes.js";
import type { Confinement } from "../system/confinement/confinement.js";
import { isEngineUnavailable } from "../system/request-errors.js";
import type { StoreState, TemplateService, TemplateState } from "../templates/templates.js";
import { fleetHealth, unknownHealth } from "./fleet-health.js";

export interface HealthParts {
  pdf: Pick<PdfService, "health">;
  templates: Pick<TemplateService, "states" | "storeStates">;
  plugins: Pick<PluginSupervisor, "table" | "states" | "problems">;
  engine: Engine;
  confinement: Confinement;
  eventLoop: EventLoopWatch;
  storage: StorageHealth;
  configurationNotes: ConfigurationNotes;
  accessControl: AccessControl;
}

/** The health of each part, by its name in `/readyz`. */
export async function partsHealth(
  parts: HealthParts,
  configuration: Configuration,
): Promise<Record<string, PartHealth>> {
  const { pdf, templates, plugins, engine, eventLoop, storage, configurationNotes, accessControl } = parts;
  const { confinement } = parts;
  const stores = await storesHealth(engine, plugins, configuration);
  return {
    pdf: pdfHealth(pdf.health()),
    templates: templatesHealth(templates.states(), templates.storeStates()),
    plugins: pluginsHealth(plugins.table(), plugins.states(), configuration.releases),
    ...(confinement.mode === "off" ? {} : { confinement: confinementHealth(confinement) }),
    ...stores,
    process: processHealth(eventLoop.delay.max),
    storage: storage.health(),
    configuration: configurationNotes.health(),
    access: accessControl.health(),
  };
}

/** Does not query an engine that does not answer, so that no health check waits for it. */
async function storesHealth(
  { health, sessions, artifacts, jobs, members, switches }: Engine,
  plugins: HealthParts["plugins"],
  configuration: Configuration,
): Promise<Record<string, PartHealth>> {
  const asked =
    health()?.ready === false
      ? undefined
      : await Promise.all([sessions.usage(), artifacts.usage(), jobs.usage(), members?.list()]).catch(
          (error: unknown) => {
            if (!isEngineUnavailable(error)) throw error;
          },
        );
  // Read after the queries, which may have found an outage.
  const engine = health();
  const fleet = fleetHealth({ switches }, plugins, asked?.[3]);
  return {
    ...(engine === undefined ? {} : { engine }),
    ...(fleet === undefined ? {} : { fleet }),
    sessions: asked ? sessionsHealth(asked[0], configuration.sessions) : unknownHealth,
    files: asked ? filesHealth(asked[1], configuration.files) : unknownHealth,
    jobs: asked ? jobsHealth(asked[2], configuration.jobs) : unknownHealth,
  };
}

/** A degraded renderer still prints. */
function pdfHealth(health: PdfHealth): PartHealth {
  return { ready: health.state === "ready" || health.state === "degraded", detail: health.detail };
}

/** A missing layer is a problem in the mode "strict" only, where nothing starts without it. */
function confinementHealth({ layers, refusal }: Confinement): PartHealth {
  const names = layers.filter(({ holds }) => holds).map(({ layer }) => layer);
  const missing = layers.flatMap(({ layer, holds, reason }) =>
    holds ? [] : [`The layer ${layer} does not hold. ${reason}`],
  );
  const detail = `Plugin processes are confined by ${names.join(" and ") || "nothing"}.`;
  if (refusal === undefined) return { ready: true, detail: [detail, ...missing].join(" ") };
  return withProblems({ ready: false, detail }, missing);
}

const troubled: readonly Stage[] = ["rejected", "failed", "quarantined", "needs-grant"];

/**
 * A broken plugin or a release without a plugin is a problem, but does not affect readiness. A host without any live
 * plugin is not ready.
 */
function pluginsHealth(
  table: RouteTable,
  states: readonly PluginState[],
  releases: Configuration["releases"],
): PartHealth {
  const live = livePlugins(table);
  const missing = wantedPlugins(table, releases)
    .filter(({ isLive }) => !isLive)
    .map(
      ({ release, plugin, range }) =>
        `The release ${release} has no ${plugin} in ${range}: put such a version into a plugin folder, or see why one does not serve with "slipway plugin list".`,
    );
  const broken = states
    .filter(({ stage }) => troubled.includes(stage))
    .map((state) => `${labelOf(state)}: ${state.reason ?? state.stage}`);
  return serving(live.length, "plugin", [...missing, ...broken]);
}

/** A broken template and an unavailable store are problems; a host without any template is not ready. */
function templatesHealth(states: readonly TemplateState[], stores: readonly StoreState[]): PartHealth {
  const broken = states.flatMap((state) =>
    state.error === undefined ? [] : [`${state.key}: ${state.error}`],
  );
  const down = stores.flatMap(({ url, state, error }) =>
    state === "ok"
      ? []
      : [`The template store ${url} does not give its templates: ${error ?? "no reason is known"}`],
  );
  const count = states.filter(({ version }) => version !== undefined).length;
  return serving(count, "template", [...broken, ...down]);
}

/** Share above which a store counts as nearly full. */
const nearlyFull = 0.9;

/** A full store refuses only new sessions. */
function sessionsHealth(
  used: { sessions: number; bytes: number },
  { maximumSessions, maximumBytes }: Configuration["sessions"],
): PartHealth {
  const problems = [
    { part: used.sessions / maximumSessions, setting: "sessions.maximumSessions" },
    { part: used.bytes / maximumBytes, setting: "sessions.maximumBytes" },
  ]
    .filter(({ part }) => part >= nearlyFull)
    .map(
      ({ part, setting }) =>
        `${Math.floor(part * 100)} % of ${setting} are used and further sessions will be refused: raise it, or shorten sessions.lifetime.`,
    );
  return withProblems(
    { ready: true, detail: `${used.sessions} ${used.sessions === 1 ? "session is" : "sessions are"} open.` },
    problems,
  );
}

/** A full store still serves, because it evicts the oldest files. */
function filesHealth(
  used: { count: number; bytes: number },
  { maximumBytes }: Configuration["files"],
): PartHealth {
  const detail = `${used.count} generated ${used.count === 1 ? "file" : "files"} can be fetched.`;
  const part = used.bytes / maximumBytes;
  const problem = `${Math.floor(part * 100)} % of files.maximumBytes are used and the oldest files go: raise it, or shorten files.lifetime.`;
  return withProblems({ ready: true, detail }, part >= nearlyFull ? [problem] : []);
}

/** A full queue refuses only new jobs. */
function jobsHealth(used: JobUsage, { queue, maximumJobs, maximumBytes }: Configuration["jobs"]): PartHealth {
  const problems = [
    { part: used.queued / queue, setting: "jobs.queue" },
    { part: used.jobs / maximumJobs, setting: "jobs.maximumJobs" },
    { part: used.bytes / maximumBytes, setting: "jobs.maximumBytes" },
  ]
    .filter(({ part }) => part >= nearlyFull)
    .map(
      ({ part, setting }) =>
        `${Math.floor(part * 100)} % of ${setting} are used and further jobs will be refused: raise it, or jobs.concurrency.`,
    );
  return withProblems({ ready: true, detail: `${used.running} running, ${used.queued} waiting.` }, problems);
}

/** Milliseconds; a longer block of the event loop delays clients. */
const longDelay = 1000;

/** `longestDelay`: longest time within two minutes for which the event loop was blocked, in milliseconds. */
function processHealth(longestDelay: number): PartHealth {
  const detail = `The event loop was blocked for up to ${Math.round(longestDelay)} ms within the last two minutes.`;
  const problem = `${detail} The machine lacks CPU, or the host does too much work at once: check the CPU load and the metric nodejs_eventloop_lag_p99_seconds.`;
  return withProblems({ ready: true, detail }, longestDelay >= longDelay ? [problem] : []);
}

/** An unreadable plugin has only a folder name. */
function labelOf({ name, version, folder }: PluginState): string {
  return name === undefined ? basename(folder) : `${name} ${version}`;
}

function serving(count: number, what: string, problems: string[]): PartHealth {
  const detail = count > 0 ? `${count} ${what}${count === 1 ? "" : "s"} serving` : `no ${what} is serving`;
  return withProblems({ ready: count > 0, detail }, problems);
}

function withProblems(health: PartHealth, problems: string[]): PartHealth {
  return problems.length === 0 ? health : { ...health, problems };
}
