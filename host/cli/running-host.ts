import type { Development } from "../api/development/development.js";
import type { Configuration } from "../configuration/configuration.js";
import { mistakesWithoutValues } from "../configuration/configuration-error.js";
import type { ConfigurationInput } from "../configuration/resolve-configuration.js";
import { type ConfigurationWatch, watchConfiguration } from "../configuration/watch-configuration.js";
import { createHost, type Host } from "../host.js";
import type { PartHealth } from "../observability/health.js";
import { createLog, type HostLog } from "../observability/log.js";
import type { PluginState } from "../plugins/plugin-state.js";
import type { TemplateState } from "../templates/templates.js";
import { forgiveAllReaders } from "./standard-output.js";

/** A host in this process. */
export interface RunningHost {
  url: string;
  log: HostLog;
  parts(): Promise<Record<string, PartHealth>>;
  pluginStates(): PluginState[];
  templateStates(): TemplateState[];
  reconfigure: Host["reconfigure"];
  configurationNotes: Host["configurationNotes"];
  stop(): Promise<void>;
}

export interface RunHostOptions {
  log?: HostLog;
  /** The plugin in development, if any. */
  development?: Development | undefined;
  /** Rejects when the start is cancelled: starting plugins may take long. */
  interrupted?: Promise<never>;
}

/** Starts a host; after a failure or interruption, stops the started parts. */
export async function runHost(
  configuration: Configuration,
  { log = createLog(configuration.log), development, interrupted }: RunHostOptions = {},
): Promise<RunningHost> {
  const host = await createHost(configuration, log, development);
  try {
    const started = host.start();
    const { url } = await (interrupted === undefined ? started : Promise.race([interrupted, started]));
    return {
      url,
      log,
      parts: () => host.parts(),
      pluginStates: () => host.pluginStates(),
      templateStates: () => host.templateStates(),
      reconfigure: (next, keys) => host.reconfigure(next, keys),
      configurationNotes: host.configurationNotes,
      stop: () => host.stop(),
    };
  } catch (error) {
    // The original error is more useful than one of stopping.
    await host
      .stop()
      .catch((reason: unknown) => log.error("The host did not stop cleanly", { error: reason }));
    log.flush();
    throw error;
  }
}

/** A configuration with its sources. */
export interface ServedConfiguration {
  input: ConfigurationInput;
  configuration: Configuration;
}

/**
 * Runs a host until asked to stop, then drains it and exits 0; a second signal ends at once. Calls `ready` when the
 * host responds; if that fails, stops the host and throws the error. Logs crashes. Applies changes of the configuration
 * file that need no restart.
 */
export async function serve(
  { input, configuration }: ServedConfiguration,
  ready: (host: RunningHost) => void | Promise<void>,
): Promise<void> {
  const asked = askedToStop();
  const log = createLog(configuration.log);
  logCrashes(log);
  // A file above the size limit of this user must fail the write, not kill the host.
  process.on("SIGXFSZ", () => undefined);
  forgiveAllReaders();
  const host = await runHost(configuration, { log });
  const watch = followConfiguration({ input, configuration }, host);
  let stopping = false;
  const stopped = asked.then(() => {
    stopping = true;
    return end(host, watch, 0);
  });
  try {
    await ready(host);
  } catch (error) {
    if (stopping) await stopped; // the stop may have caused the failure
    await Promise.all([watch.stop(), host.stop()]);
    host.log.flush();
    throw error;
  }
  await stopped;
}

/** Throws if parts are not ready, with their problems and fixes. */
export async function requireReady(host: RunningHost): Promise<void> {
  const missing = Object.entries(await host.parts()).filter(([, part]) => !part.ready);
  if (missing.length > 0)
    throw new Error(missing.map(([name, { detail }]) => `${name}: ${detail}`).join("\n"));
}

function followConfiguration(
  { input, configuration }: ServedConfiguration,
  host: RunningHost,
): ConfigurationWatch {
  const watch = watchConfiguration({
    input,
    current: configuration,
    changed: (next, keys) => host.reconfigure(next, keys),
    read: (waiting) => host.configurationNotes.read(waiting),
    refused: (error) => host.configurationNotes.refused(mistakesWithoutValues(error)),
    log: host.log,
  });
  // SIGHUP reloads, as in daemons; with a terminal it means that the terminal was closed.
  if (!process.stdin.isTTY) process.on("SIGHUP", () => void watch.reload());
  return watch;
}

function logCrashes(log: HostLog): void {
  let crashed = false;
  const crash = (error: unknown): void => {
    log.error("The host crashed", { error });
    log.flush();
    if (crashed) process.exit(1);
    crashed = true;
    process.kill(process.pid, "SIGTERM");
    process.exitCode = 1;
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
}

async function end(host: RunningHost, watch: ConfigurationWatch, code: number): Promise<never> {
  try {
    // In parallel: a reload may wait for a plugin that ends only with the host.
    await Promise.all([watch.stop(), host.stop()]);
    host.log.info("The host has stopped");
  } catch (error) {
    host.log.error("The host did not stop cleanly", { error });
    code = 1;
  }
  host.log.flush();
  process.exit(process.exitCode ?? code);
}

const parentCheck = 500;

export interface AskedToStopOptions {
  /** Whether SIGHUP, sent by a closed terminal, counts too. */
  atHangup?: boolean;
}

/**
 * Resolves on SIGTERM, on Ctrl+C, and when the npm that started this process has ended: npm signals only the shell of
 * its script, which does not pass the signal on. A second signal ends the process at once.
 */
export function askedToStop({ atHangup = false }: AskedToStopOptions = {}): Promise<void> {
  let signals = 0;
  return new Promise((resolve) => {
    // A closed terminal may send it repeatedly.
    if (atHangup) process.on("SIGHUP", resolve);
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(1);
        resolve();
      });
    }
    if (process.env["npm_lifecycle_event"] !== undefined) parentGone().then(resolve);
  });
}

function parentGone(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(look);
      resolve();
    }, parentCheck);
    look.unref();
  });
}
