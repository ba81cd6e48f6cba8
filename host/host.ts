import type { Server } from "node:http";
import { hostname } from "node:os";
import type { Log } from "@slipway/sdk";
import type { Development } from "./api/development/development.js";
import { partsHealth } from "./api/parts-health.js";
import { hostApp } from "./app.js";
import type { Configuration } from "./configuration/configuration.js";
import { putIntoForce } from "./configuration/live-settings.js";
import type { ArtifactStore } from "./files/files.js";
import { loadFormReader } from "./http/koa-body-adapter.js";
import { closeServer, limitReceiving, listen, urlOf } from "./http/listening.js";
import type { IdempotencyStore } from "./idempotency/idempotency-store.js";
import type { PartHealth, StorageHealth } from "./observability/health.js";
import type { HostLog } from "./observability/log.js";
import { createHostParts } from "./parts.js";
import type { PluginState } from "./plugins/plugin-state.js";
import { configuredReleases } from "./plugins/releases.js";
import { unknownNames } from "./plugins/routes/routes.js";
import type { ConfigurationNotes } from "./security/audit/configuration-notes.js";
import { connectionLimits } from "./security/connection-limits.js";
import type { Sessions } from "./sessions/sessions.js";
import { logUnlessOutage } from "./system/request-errors.js";
import { clockLead, monotonicTime } from "./system/time.js";
import type { TemplateState } from "./templates/templates.js";

/** A running host, for the command line. */
export interface Host {
  /** Resolves when requests are answered. */
  start(): Promise<{ url: string }>;
  parts(): Promise<Record<string, PartHealth>>;
  pluginStates(): PluginState[];
  templateStates(): TemplateState[];
  /** Applies live settings of a configuration; `keys` are the changed ones. Resolves when they are in force. */
  reconfigure(next: Configuration, keys: readonly string[]): Promise<void>;
  /** The outcome of the last configuration reload. */
  readonly configurationNotes: ConfigurationNotes;
  /** Drains running requests, then stops plugins, browser and stores. */
  stop(): Promise<void>;
}

/** Applied together once their plugins have started; reported as a separate event. */
const releaseSettings: ReadonlySet<string> = new Set([
  "releases",
  "releaseAliases",
  "deprecatedReleases",
  "plugins.defaultRelease",
]);

const grantSettings: ReadonlySet<string> = new Set(["plugins.grants", "plugins.trust.grants"]);

/**
 * Creates a host: the start of its parts, their HTTP interface, and the order in which they stop. `development`: the
 * plugin in development, with a page for its author.
 */
export async function createHost(
  started: Configuration,
  log: HostLog,
  development?: Development,
): Promise<Host> {
  // Shared by all parts; live settings change in it.
  const configuration = structuredClone(started);
  const parts = await createHostParts(configuration, log);
  const { accessControl, metrics, tracing, engine, pdf, templates, events, plugins } = parts;
  const { sessions, storage, eventLoop, configurationNotes } = parts;
  const { app, inFlight, observers, facts, jobs } = hostApp(parts, configuration, log, development);
  const warnOfUnknownNames = (): void => {
    const settings = unknownNames(configuration, plugins);
    if (settings.length > 0) log.warn("Settings name plugins that are not there", { settings });
  };
  let server: Server | undefined;
  let endSweeping: (() => Promise<void>) | undefined;
  let starting: Promise<{ url: string }> | undefined;
  const ending = new AbortController();
  let pluginsStopped: Promise<void> | undefined;
  const stopPlugins = (): Promise<void> => {
    pluginsStopped ??= plugins.stop();
    return pluginsStopped;
  };
  const goOn = (): void => {
    if (ending.signal.aborted) throw new Error("The host was stopped while it started.");
  };

  const start = async (): Promise<{ url: string }> => {
    const description = {
      name: () => machineAndPort(configuration.port, server),
      facts: async () => {
        const current = await facts();
        return { ...current, ready: current.ready && server !== undefined };
      },
    };
    await engine.open(description, {
      first: [() => accessControl.readKeys(), () => accessControl.readAudit(), () => events.open()],
      signal: ending.signal,
    });
    await accessControl.open();
    goOn();
    const services = templates.start();
    await allStarted([pdf.start(), services, plugins.start(services)]);
    goOn();
    warnOfUnknownNames();
    endSweeping = sweepRegularly({ ...engine, sessions, storage, log });
    const { host, port, requests } = configuration;
    server = await listen(app.callback(), {
      host,
      port,
      receive: requests.receive,
      connections: connectionLimits(configuration, log),
      observers,
    });
    eventLoop.start();
    // Only now it has a port.
    await engine.members?.announce();
    jobs.start(description.name());
    loadFormReader().catch((error: unknown) => log.error("Forms cannot be read", { error }));
    return { url: urlOf(server) };
  };

  return {
    start() {
      starting = inFlight.memory.during(start);
      return starting;
    },
    parts: () => partsHealth(parts, configuration),
    pluginStates: () => plugins.states(),
    templateStates: () => templates.states(),
    configurationNotes,
    reconfigure: async (next, keys) => {
      // First, because only this step can fail.
      if (keys.some((key) => releaseSettings.has(key))) {
        const { releases, defaultRelease } = configuredReleases(next);
        await plugins.useReleases(releases, defaultRelease);
        configurationNotes.releasesInForce(releases.map(({ name }) => name));
      }
      putIntoForce(configuration, next);
      // Versions that wait for grants start now.
      if (keys.some((key) => grantSettings.has(key))) await plugins.scan();
      log.setLevel(configuration.log.level);
      if (server !== undefined) limitReceiving(server, configuration.requests.receive);
      warnOfUnknownNames();
      const others = keys.filter((key) => !releaseSettings.has(key));
      if (others.length > 0) configurationNotes.inForce(others);
    },
    async stop() {
      ending.abort();
      const { drain } = configuration.requests;
      const drainedAt = monotonicTime() + drain;
      const [drained] = await Promise.all([
        inFlight.drain(drain),
        jobs.drain(drain),
        plugins.drainSchedules(drain),
      ]);
      // Sessions that expire from now on are noticed at the next start, which runs the hooks.
      await endSweeping?.();
      await plugins.sessionHooks.drain(Math.max(drainedAt - monotonicTime(), 0));
      log.info("The host stops", drained);
      // An unfinished start must not outlast the stop. Plugins are stopped meanwhile, because their start may take
      // long.
      if (server === undefined)
        await Promise.all([starting?.catch(() => undefined), stopPlugins().catch(() => undefined)]);
      if (server !== undefined) await closeServer(server);
      await stopAll(
        [
          stopPlugins,
          async () => metrics.stop(),
          () => events.close(),
          () => templates.stop(),
          async () => {
            await pdf.stop();
            parts.pictures.stop();
          },
          async () => parts.copies.stop(),
          async () => parts.opener.stop(),
          () => tracing.stop(),
          async () => eventLoop.stop(),
          () => accessControl.close(),
          () => engine.close(),
        ],
        log,
      );
      await parts.place.leave();
    },
  };
}

/** How hosts that share an engine know this one. `port`: where the server does not listen yet. */
function machineAndPort(port: number, server: Server | undefined): string {
  const address = server?.address();
  return `${hostname()}:${typeof address === "object" && address !== null ? address.port : port}`;
}

/** Waits for all even if one fails, so that none is still starting while the others stop. */
async function allStarted(starts: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(starts)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Stops the parts in order; a failure does not affect the others. */
async function stopAll(stops: (() => Promise<void>)[], log: HostLog): Promise<void> {
  for (const stop of stops)
    await stop().catch((error: unknown) => log.error("A part did not stop well", { error }));
}

interface SweepingParts {
  sessions: Pick<Sessions, "removeExpired" | "followClock">;
  artifacts: Pick<ArtifactStore, "removeExpired">;
  idempotency: Pick<IdempotencyStore, "removeExpired">;
  storage: StorageHealth;
  log: Log;
}

/** Milliseconds between checks of the disk. */
const checkInterval = 5000;
/** Milliseconds; gradual clock corrections stay below. */
const smallestJump = 60_000;
/** Checks between two removals of expired sessions and files. */
const checksBetween = 6;

/** Checks the disk and removes expired sessions and files regularly; returns a function that stops this. */
function sweepRegularly(parts: SweepingParts): () => Promise<void> {
  let checks = 0;
  let lead = clockLead();
  // At once: sessions and files may have expired while the host was down.
  let running: Promise<void> = parts.storage.look().then(() => sweep(parts));
  const timer = setInterval(() => {
    checks += 1;
    const isDue = checks % checksBetween === 0;
    const jump = clockLead() - lead;
    if (Math.abs(jump) > smallestJump) {
      lead += jump;
      running = running.then(() => followClock(parts, jump));
    }
    running = running.then(() => (isDue ? sweep(parts) : undefined)).then(() => parts.storage.look());
  }, checkInterval);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

async function followClock({ sessions, log }: SweepingParts, jump: number): Promise<void> {
  log.warn("The clock of this machine jumped; sessions and files live on as long as they would have", {
    seconds: Math.round(jump / 1000),
  });
  await sessions
    .followClock()
    .catch((error: unknown) =>
      log.error("The ends of sessions could not be stored anew; a restart may end some", { error }),
    );
}

async function sweep({ sessions, artifacts, idempotency, log }: SweepingParts): Promise<void> {
  try {
    const removed = {
      sessions: await sessions.removeExpired(),
      files: await artifacts.removeExpired(),
      keys: await idempotency.removeExpired(),
    };
    if (removed.sessions + removed.files + removed.keys > 0) log.info("Removed what expired", removed);
  } catch (error) {
    logUnlessOutage(log, "What expired could not be removed", error);
  }
}
