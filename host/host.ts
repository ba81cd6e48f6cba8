import type { Server } from "node:http";
import type { Log } from "@slipway/sdk";
import type { Development } from "./api/development/development.js";
import { partsHealth } from "./api/parts-health.js";
import { hostApp } from "./app.js";
import type { Configuration } from "./configuration/configuration.js";
import { putIntoForce } from "./configuration/live-settings.js";
import type { ArtifactStore } from "./files/artifact-store.js";
import { closeServer, limitReceiving, listen, urlOf } from "./http/listening.js";
import type { ConfigurationNotes } from "./observability/configuration-notes.js";
import type { PartHealth, StorageHealth } from "./observability/health.js";
import type { HostLog } from "./observability/log.js";
import { createHostParts } from "./parts.js";
import { unknownNames } from "./plugins/configured-plugins.js";
import type { PluginState } from "./plugins/plugin-state.js";
import { configuredReleases } from "./plugins/releases.js";
import { connectionLimits } from "./security/connection-limits.js";
import type { Sessions } from "./sessions/sessions.js";
import { clockLead } from "./system/monotonic-time.js";

/** A running host, as the command line holds it. */
export interface Host {
  /** Ends when requests are answered. */
  start(): Promise<{ url: string }>;
  /** What the parts say of themselves. */
  parts(): Promise<Record<string, PartHealth>>;
  /** Where each plugin version stands. */
  pluginStates(): PluginState[];
  /**
   * Takes over what of a configuration can change while the host runs; `keys` are those that did. Resolves when it is in
   * force.
   */
  reconfigure(next: Configuration, keys: readonly string[]): Promise<void>;
  /** What became of the configuration that was read last. */
  readonly configurationNotes: ConfigurationNotes;
  /** Finishes what runs, then stops plugins, browser and stores; nothing is left behind. */
  stop(): Promise<void>;
}

/** They are taken over together, once what they name is up, and have an event of their own. */
const releaseSettings: ReadonlySet<string> = new Set([
  "releases",
  "releaseAliases",
  "deprecatedReleases",
  "plugins.defaultRelease",
]);

/**
 * A host: how its parts start, what they answer with, and the order in which they stop. `development`: the plugin that it is
 * there for, with a page for its author.
 */
export async function createHost(
  started: Configuration,
  log: HostLog,
  development?: Development,
): Promise<Host> {
  // What all parts read; live settings change in it.
  const configuration = structuredClone(started);
  const parts = await createHostParts(configuration, log);
  const { accessControl, metrics, tracing, store, artifacts, pdf, templates, events, plugins } = parts;
  const { sessions, storage, eventLoop, configurationNotes } = parts;
  const { app, inFlight, observers } = hostApp(parts, configuration, log, development);
  const warnOfUnknownNames = (): void => {
    const settings = unknownNames(configuration, plugins);
    if (settings.length > 0) log.warn("Settings name plugins that are not there", { settings });
  };
  let server: Server | undefined;
  let endSweeping: (() => Promise<void>) | undefined;
  let starting: Promise<{ url: string }> | undefined;
  let stopping = false;
  let pluginsStopped: Promise<void> | undefined;
  const stopPlugins = (): Promise<void> => {
    pluginsStopped ??= plugins.stop();
    return pluginsStopped;
  };
  const goOn = (): void => {
    if (stopping) throw new Error("The host was stopped while it started.");
  };

  const start = async (): Promise<{ url: string }> => {
    await allStarted([store.open(), artifacts.open()]);
    goOn();
    const services = templates.start();
    await allStarted([pdf.start(), services, plugins.start(services)]);
    goOn();
    warnOfUnknownNames();
    endSweeping = sweepRegularly({ sessions, artifacts, storage, log });
    const { host, port, requests } = configuration;
    server = await listen(app.callback(), {
      host,
      port,
      receive: requests.receive,
      connections: connectionLimits(configuration, log),
      observers,
    });
    eventLoop.start();
    return { url: urlOf(server) };
  };

  return {
    start() {
      starting = start();
      return starting;
    },
    parts: () => partsHealth(parts, configuration),
    pluginStates: () => plugins.states(),
    configurationNotes,
    reconfigure: async (next, keys) => {
      // First, because it is the one that may fail.
      if (keys.some((key) => releaseSettings.has(key))) {
        const { releases, defaultRelease } = configuredReleases(next);
        await plugins.useReleases(releases, defaultRelease, "configuration");
      }
      putIntoForce(configuration, next);
      log.setLevel(configuration.log.level);
      if (server !== undefined) limitReceiving(server, configuration.requests.receive);
      warnOfUnknownNames();
      const others = keys.filter((key) => !releaseSettings.has(key));
      if (others.length > 0) configurationNotes.inForce(others);
    },
    async stop() {
      stopping = true;
      const drained = await inFlight.drain(configuration.requests.drain);
      log.info("The host stops", drained);
      // What still starts would go on behind the end. Plugins may take long to come up, so they are told first.
      if (server === undefined)
        await Promise.all([starting?.catch(() => undefined), stopPlugins().catch(() => undefined)]);
      if (server !== undefined) await closeServer(server);
      await endSweeping?.();
      await stopAll(
        [
          stopPlugins,
          async () => metrics.stop(),
          () => events.close(),
          () => templates.stop(),
          () => pdf.stop(),
          async () => parts.opener.stop(),
          () => store.close(),
          () => tracing.stop(),
          async () => eventLoop.stop(),
          () => accessControl.close(),
        ],
        log,
      );
      await parts.place.leave();
    },
  };
}

/** Waits for all of them also when one fails, so that nothing starts any more while the others are stopped. */
async function allStarted(starts: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(starts)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** One after the other; a part that fails to stop keeps none of the others from it. */
async function stopAll(stops: (() => Promise<void>)[], log: HostLog): Promise<void> {
  for (const stop of stops)
    await stop().catch((error: unknown) => log.error("A part did not stop well", { error }));
}

interface SweepingParts {
  sessions: Pick<Sessions, "removeExpired" | "followClock">;
  artifacts: Pick<ArtifactStore, "removeExpired">;
  storage: StorageHealth;
  log: Log;
}

/** Milliseconds between looks at the disk. */
const lookInterval = 5000;
/** Milliseconds; what is corrected little by little stays below. */
const smallestJump = 60_000;
/** Looks from one removal of what expired to the next. */
const looksBetween = 6;

/** Looks at the disk, and removes what expired from time to time; the result ends it. */
function sweepRegularly(parts: SweepingParts): () => Promise<void> {
  let looks = 0;
  let lead = clockLead();
  let running: Promise<void> = parts.storage.look();
  const timer = setInterval(() => {
    looks += 1;
    const isDue = looks % looksBetween === 0;
    const jump = clockLead() - lead;
    if (Math.abs(jump) > smallestJump) {
      lead += jump;
      running = running.then(() => followClock(parts, jump));
    }
    running = running.then(() => (isDue ? sweep(parts) : undefined)).then(() => parts.storage.look());
  }, lookInterval);
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

async function sweep({ sessions, artifacts, log }: SweepingParts): Promise<void> {
  try {
    const now = Date.now();
    const removed = {
      sessions: await sessions.removeExpired(now),
      files: await artifacts.removeExpired(now),
    };
    if (removed.sessions + removed.files > 0) log.info("Removed what expired", removed);
  } catch (error) {
    log.error("What expired could not be removed", { error });
  }
}
