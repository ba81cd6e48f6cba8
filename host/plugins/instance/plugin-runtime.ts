import {
  checked,
  describe,
  type Host,
  type Plugin,
  RequestError,
  type RunningPlugin,
  Validator,
} from "@slipway/sdk";
import { errorMessage } from "../../error-message.js";
import type { Message, Received } from "../protocol/channel.js";
import { Handle, type PluginDescription, Serve, Start } from "../protocol/messages.js";
import type { CallServer, HostConnection } from "./host-connection.js";
import { loadPlugin } from "./load-plugin.js";
import { describeRoute, preparedRoutes } from "./prepared-route.js";
import { describeServiceMethod, preparedServices } from "./prepared-service.js";
import { ProjectCache } from "./project-cache.js";
import { remoteHost } from "./remote-host.js";
import { remoteLog } from "./remote-log.js";
import { RemoteMetrics } from "./remote-metrics.js";
import { RemoteServices } from "./remote-services.js";
import { RequestRunner } from "./request-runner.js";
import { ServiceRunner } from "./service-runner.js";

const validator = new Validator();
const checkStart = validator.compile(Start, "start");
const checkHandle = validator.compile(Handle, "handle");
const checkServe = validator.compile(Serve, "serve");

interface Running {
  plugin: RunningPlugin;
  requests: RequestRunner;
  services: ServiceRunner;
}

/** Answers the host: start, probe, handle, serve, stop. */
export class PluginRuntime implements CallServer {
  /** Whether the host has asked the plugin to stop, and it has done so or failed to. */
  stopped = false;
  private running: Running | undefined;
  private readonly metrics: RemoteMetrics;

  constructor(private readonly connection: HostConnection) {
    const log = remoteLog(connection);
    this.metrics = new RemoteMetrics((report) => connection.metrics(report), log);
  }

  async serve(method: string, message: Received, signal: AbortSignal): Promise<Message> {
    switch (method) {
      case "start":
        return await this.start(message);
      case "probe":
        await this.visible("The plugin's probe failed", () => this.present().plugin.probe?.());
        return nothing;
      case "handle":
        return await this.present().requests.run(
          checked(checkHandle(message.values), "handle"),
          message.parts,
          signal,
        );
      case "serve":
        return await this.present().services.run(
          checked(checkServe(message.values), "serve"),
          message.parts,
          signal,
        );
      case "stop":
        await this.stop();
        return nothing;
      default:
        throw new Error(`There is no call "${method}".`);
    }
  }

  private async stop(): Promise<void> {
    try {
      await this.running?.plugin.stop?.();
    } finally {
      this.metrics.send();
      this.stopped = true;
    }
  }

  private async start(message: Received): Promise<Message> {
    const start = checked(checkStart(message.values), "start");
    const others = new RemoteServices(this.connection, remoteLog(this.connection));
    const { name, version } = start;
    const host = remoteHost(this.connection, { name, version }, others, this.metrics);
    const plugin = await this.visible("The plugin cannot be loaded", () => loadPlugin(start.entry));
    const config = validConfig(plugin, JSON.parse(message.parts[0]?.toString("utf8") ?? "{}"));
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
      requests: new RequestRunner(this.connection, host.log, routes.prepared, projects, this.metrics),
      services: new ServiceRunner(this.connection, host.log, services.prepared, projects, this.metrics),
    };
    const description: PluginDescription = {
      routes: routes.described,
      services: services.described,
      requirements,
    };
    return { values: {}, parts: [JSON.stringify(description)] };
  }

  /** What goes wrong while a plugin comes up concerns its admin: what it was in the state, the stack in the log. */
  private async visible<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      remoteLog(this.connection).error(what, { error });
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
