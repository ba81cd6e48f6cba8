import type { Host } from "../../plugin/host.js";
import type { Plugin, RunningPlugin } from "../../plugin/plugin.js";
import { errorMessage, RequestError } from "../../schema/errors.js";
import { isOfKind, isRecord } from "../../schema/record.js";
import type { TSchema } from "../../schema/schema.js";
import { checked, sdkCheck } from "../../schema/validation.js";
import { describe } from "../../schema/violation.js";
import { type Message, plain, type Received } from "../messages/message.js";
import type { PluginDescription } from "../messages/plugin-description.js";
import type { Handle, Run, RunHook, Serve } from "../messages/request-messages.js";
import { deniedAccess } from "./denied-access.js";
import type { HostLink } from "./host-link.js";
import { type AssetFolder, pluginAssets } from "./plugin-assets.js";
import { checkedConfig } from "./plugin-config.js";
import {
  describeRoute,
  describeServiceMethod,
  preparedRoutes,
  preparedServices,
} from "./prepared-handlers.js";
import { ProjectCache } from "./project-cache.js";
import { RemoteServices, remoteHost } from "./remote-host.js";
import { RemoteMetrics } from "./remote-metrics.js";
import { remoteLog } from "./remote-session.js";
import { RequestRunner } from "./request-runner.js";
import { describeSchedule, preparedSchedules, ScheduleRunner } from "./schedule-runner.js";
import { SchemaChecks } from "./schema-checks.js";
import { ServiceRunner } from "./service-runner.js";
import { describeSessionHooks, preparedSessionHooks, SessionHookRunner } from "./session-hook-runner.js";

const checkHandle = sdkCheck<typeof Handle>("handle", "handle");
const checkRun = sdkCheck<typeof Run>("run", "run");
const checkHook = sdkCheck<typeof RunHook>("hook", "hook");
const checkServe = sdkCheck<typeof Serve>("serve", "serve");

/** The parameters for starting a plugin. */
export interface PluginStart {
  load(): Plugin | Promise<Plugin>;
  name: string;
  version: string;
  /** Not validated yet. */
  config: unknown;
  /** The plugin's assets; undefined where its folder is not known. */
  assets: AssetFolder | undefined;
  /** Absolute paths of the granted folders, by name. */
  folders: Readonly<Record<string, string>>;
  /** Bytes of project JSON cached between requests. */
  projectCache: number;
  /** The current time for the plugin. */
  now(): Date;
  /** Called before each step that may never end. */
  begins?(step: StartStep): void;
  /** Called with the schema of the configuration, even of one that turns out to be invalid. */
  takes?(schema: TSchema): void;
}

/** `load` includes top-level awaits of the plugin's modules. */
export type StartStep = "load" | "setup";

interface Running {
  plugin: RunningPlugin;
  requests: RequestRunner;
  services: ServiceRunner;
  schedules: ScheduleRunner;
  sessionHooks: SessionHookRunner;
}

function grantedFolder(folders: PluginStart["folders"], name: string): string {
  const path = Object.hasOwn(folders, name) ? folders[name] : undefined;
  if (path !== undefined) return path;
  throw new RequestError({
    id: "plugin-error",
    code: 500,
    message: `The plugin has no folder ${JSON.stringify(name)}: its manifest has to ask for it, and the admin to grant it.`,
  });
}

/** A plugin that its host controls by messages: probe, handle, serve, run, hook, stop. */
export class PluginRuntime {
  /** Whether the host has asked the plugin to stop, and it has done so or failed to. */
  stopped = false;
  private running: Running | undefined;
  private readonly log: Host["log"];
  private readonly metrics: RemoteMetrics;

  constructor(private readonly link: HostLink) {
    this.log = remoteLog(link);
    this.metrics = new RemoteMetrics((report) => link.metrics(report), this.log);
  }

  /**
   * Starts the plugin; returns its `PluginDescription` in part 0. Rejects with 500 `plugin-error`, with a
   * message for admins, if the module cannot be loaded, the configuration is invalid, `setup` throws, or
   * routes, services, schedules or session hooks are invalid.
   */
  async start(start: PluginStart): Promise<Message> {
    const { name, version, now } = start;
    const checks = new SchemaChecks();
    const others = new RemoteServices(this.link, this.log, checks);
    const facts = {
      plugin: { name, version },
      now,
      assets: pluginAssets(start.assets),
      folder: (folder: string) => grantedFolder(start.folders, folder),
    };
    const host = remoteHost(this.link, facts, others, this.metrics, checks);
    start.begins?.("load");
    const plugin = await this.visible("The plugin cannot be loaded", start.load);
    start.takes?.(plugin.config);
    const config = validConfig(plugin, start.config);
    start.begins?.("setup");
    const running = await this.visible("The plugin's setup failed", () => setUp(plugin, host, config));
    const requirements = others.endSetup();
    const routes = await this.visible("The plugin's routes are not valid", () => {
      const prepared = preparedRoutes(running.routes);
      return { prepared, described: [...prepared.values()].map(describeRoute) };
    });
    const services = await this.visible("The plugin's services are not valid", () => {
      const prepared = preparedServices(running.services);
      return { prepared, described: [...prepared.values()].map(describeServiceMethod) };
    });
    const schedules = await this.visible("The plugin's schedules are not valid", () => {
      const prepared = preparedSchedules(running.schedules);
      return { prepared, described: [...prepared.values()].map(describeSchedule) };
    });
    const sessionHooks = await this.visible("The plugin's session hooks are not valid", () => {
      const prepared = preparedSessionHooks(running.sessionHooks);
      return { prepared, described: describeSessionHooks(prepared) };
    });
    const projects = new ProjectCache(start.projectCache);
    this.running = {
      plugin: running,
      requests: new RequestRunner(this.link, host.log, routes.prepared, projects, this.metrics),
      services: new ServiceRunner(this.link, host.log, services.prepared, projects, this.metrics),
      schedules: new ScheduleRunner(host.log, schedules.prepared),
      sessionHooks: new SessionHookRunner(this.link, host.log, sessionHooks.prepared, projects),
    };
    const description: PluginDescription = {
      routes: routes.described,
      services: services.described,
      requirements,
      ...(schedules.described.length === 0 ? {} : { schedules: schedules.described }),
      ...(sessionHooks.described.length === 0 ? {} : { sessionHooks: sessionHooks.described }),
    };
    return { values: {}, parts: [JSON.stringify(description)] };
  }

  /** Handles a call of the host. Rejects with a `RequestError` for anything that a handler throws. */
  async serve(method: string, message: Received, signal: AbortSignal): Promise<Message> {
    const { plugin, requests, services, schedules, sessionHooks } = this.present();
    switch (method) {
      case "probe":
        await this.visible("The plugin's probe failed", () => plugin.probe?.());
        return plain;
      case "handle":
        return await requests.run(checked(checkHandle(message.values), "handle"), message.parts, signal);
      case "serve":
        return await services.run(checked(checkServe(message.values), "serve"), message.parts, signal);
      case "run":
        return await schedules.run(checked(checkRun(message.values), "run"), signal);
      case "hook":
        return await sessionHooks.run(checked(checkHook(message.values), "hook"), signal);
      default:
        throw new Error(`There is no call "${method}".`);
    }
  }

  /** Stops the plugin, even one that failed to start. Rejects with the plugin's error. */
  async stop(): Promise<void> {
    try {
      await this.running?.plugin.stop?.();
    } finally {
      this.sendMetrics();
      this.stopped = true;
    }
  }

  /** Reports the collected metrics to the host immediately. */
  sendMetrics(): void {
    this.metrics.send();
  }

  /** Startup errors are for the admin: the message goes into the plugin's state, the stack into the log. */
  private async visible<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.log.error(what, { error });
      throw startError(`${what}: ${deniedAccess(error) ?? errorMessage(error)}`, error);
    }
  }

  private present(): Running {
    if (this.running === undefined) throw new Error("The plugin is not started.");
    return this.running;
  }
}

/** The plugin's schema guarantees the type of the `setup` parameter. */
async function setUp(plugin: Plugin, host: Host, config: unknown): Promise<RunningPlugin> {
  const setup: (host: Host, config: never) => RunningPlugin | Promise<RunningPlugin> = plugin.setup;
  return await Reflect.apply(setup, plugin, [host, config]);
}

function validConfig({ config: schema }: Plugin, config: unknown): unknown {
  const result = checkedConfig(schema, config);
  if (result.ok) return result.value;
  const found = result.violations.map(describe).join("; ");
  throw startError(`The plugin's configuration is not valid: ${found}`, undefined);
}

function startError(message: string, reason: unknown): RequestError {
  return new RequestError({ id: "plugin-error", code: 500, message, reason });
}

/**
 * The plugin that an entry exports by default: of ES modules the export `default`, of CommonJS `module.exports` or
 * `exports.default`. Throws with what is missing.
 */
export function requiredPlugin(value: unknown): Plugin {
  if (isPlugin(value)) return value;
  const ofCommonJs = isRecord(value) ? value["default"] : undefined;
  if (isPlugin(ofCommonJs)) return ofCommonJs;
  throw new Error(
    "the entry's default export is no plugin; it should be `export default definePlugin({ ... })`, or in CommonJS `module.exports = definePlugin({ ... })`",
  );
}

function isPlugin(value: unknown): value is Plugin {
  return isOfKind(value, "slipway-plugin", "setup");
}
