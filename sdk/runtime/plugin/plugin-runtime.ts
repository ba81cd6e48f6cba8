import { errorMessage, RequestError } from "../../errors.js";
import type { Host } from "../../plugin/host.js";
import type { Plugin, RunningPlugin } from "../../plugin/plugin.js";
import { checked, describe, Validator } from "../../validation.js";
import type { Message, Received } from "../messages/message.js";
import type { PluginDescription } from "../messages/plugin-description.js";
import { Handle, Serve } from "../messages/request-messages.js";
import type { HostLink } from "./host-link.js";
import { describeRoute, preparedRoutes } from "./prepared-route.js";
import { describeServiceMethod, preparedServices } from "./prepared-service.js";
import { ProjectCache } from "./project-cache.js";
import { remoteHost } from "./remote-host.js";
import { RemoteMetrics } from "./remote-metrics.js";
import { RemoteServices } from "./remote-services.js";
import { remoteLog } from "./remote-session.js";
import { RequestRunner } from "./request-runner.js";
import { ServiceRunner } from "./service-runner.js";

const validator = new Validator();
const checkHandle = validator.compile(Handle, "handle");
const checkServe = validator.compile(Serve, "serve");

/** How a plugin is brought up. */
export interface PluginStart {
  load(): Plugin | Promise<Plugin>;
  name: string;
  version: string;
  /** Not checked yet. */
  config: unknown;
  /** Bytes of project JSON that are kept between requests. */
  projectCache: number;
  /** What time it is for the plugin. */
  now(): Date;
}

interface Running {
  plugin: RunningPlugin;
  requests: RequestRunner;
  services: ServiceRunner;
}

/** A plugin at work, which its host calls by messages: probe, handle, serve, stop. */
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
   * Sets a plugin up; answers with its `PluginDescription` in part 0. Rejects with 500 `plugin-error`, whose message is for
   * admins: what cannot be loaded, a configuration that does not fit, a `setup` that throws, routes or services that are none.
   */
  async start(start: PluginStart): Promise<Message> {
    const { name, version, now } = start;
    const others = new RemoteServices(this.link, this.log);
    const host = remoteHost(this.link, { plugin: { name, version }, now }, others, this.metrics);
    const plugin = await this.visible("The plugin cannot be loaded", start.load);
    const config = validConfig(plugin, start.config);
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
    const projects = new ProjectCache(start.projectCache);
    this.running = {
      plugin: running,
      requests: new RequestRunner(this.link, host.log, routes.prepared, projects, this.metrics),
      services: new ServiceRunner(this.link, host.log, services.prepared, projects, this.metrics),
    };
    const description: PluginDescription = {
      routes: routes.described,
      services: services.described,
      requirements,
    };
    return { values: {}, parts: [JSON.stringify(description)] };
  }

  /** Answers the host. Rejects with a `RequestError` for anything that a handler throws. */
  async serve(method: string, message: Received, signal: AbortSignal): Promise<Message> {
    const { plugin, requests, services } = this.present();
    switch (method) {
      case "probe":
        await this.visible("The plugin's probe failed", () => plugin.probe?.());
        return nothing;
      case "handle":
        return await requests.run(checked(checkHandle(message.values), "handle"), message.parts, signal);
      case "serve":
        return await services.run(checked(checkServe(message.values), "serve"), message.parts, signal);
      default:
        throw new Error(`There is no call "${method}".`);
    }
  }

  /** Stops the plugin, which may not even have come up. Rejects with what it threw. */
  async stop(): Promise<void> {
    try {
      await this.running?.plugin.stop?.();
    } finally {
      this.sendMetrics();
      this.stopped = true;
    }
  }

  /** Tells the host at once of what the plugin counted. */
  sendMetrics(): void {
    this.metrics.send();
  }

  /** What goes wrong while a plugin comes up concerns its admin: what it was in the state, the stack in the log. */
  private async visible<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.log.error(what, { error });
      throw startError(`${what}: ${errorMessage(error)}`, error);
    }
  }

  private present(): Running {
    if (this.running === undefined) throw new Error("The plugin is not started.");
    return this.running;
  }
}

const nothing: Message = { values: {}, parts: [] };

/** The schema of the plugin guarantees what the type of its `setup` says. */
async function setUp(plugin: Plugin, host: Host, config: unknown): Promise<RunningPlugin> {
  const setup: (host: Host, config: never) => RunningPlugin | Promise<RunningPlugin> = plugin.setup;
  return await Reflect.apply(setup, plugin, [host, config]);
}

function validConfig(plugin: Plugin, config: unknown): unknown {
  const result = new Validator().compile(plugin.config, "config")(config);
  if (result.ok) return result.value;
  throw startError(
    `The plugin's configuration is not valid: ${result.violations.map(describe).join("; ")}`,
    undefined,
  );
}

function startError(message: string, reason: unknown): RequestError {
  return new RequestError({ id: "plugin-error", code: 500, message, reason });
}
