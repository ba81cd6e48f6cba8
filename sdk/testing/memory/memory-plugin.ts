import type { Plugin } from "../../plugin/plugin.js";
import {
  callPlugin,
  callServiceOf,
  describedOffer,
  type LivePlugin,
  type PluginAnswer,
  type PluginCall,
  type PluginOffer,
  type PluginPeer,
  plain,
  type RunningCall,
  runScheduleOf,
  runSessionHookOf,
  type ScheduleCall,
  type ServiceAnswer,
  type ServiceCall,
  type SessionHookCall,
  unavailable,
} from "../../runtime/host.js";
import { type AssetFolder, PluginRuntime, requiredPlugin } from "../../runtime/index.js";
import { errorMessage } from "../../schema/errors.js";
import { settled } from "./fake-clock.js";
import type { MemoryParts } from "./memory-parts.js";
import { crossing, PluginLink, type Serve } from "./plugin-link.js";

/** A plugin of a test, with all defaults filled in. */
export interface GivenPlugin {
  plugin: Plugin;
  name: string;
  version: string;
  aliases: readonly string[];
  config: unknown;
  assets: AssetFolder | undefined;
  folders: Readonly<Record<string, string>>;
}

const never = new AbortController().signal;

/** A plugin that runs in this process. */
export class MemoryPlugin implements LivePlugin {
  readonly hash = "";
  readonly name: string;
  readonly version: string;
  readonly aliases: readonly string[];
  readonly routes: PluginOffer["routes"];
  readonly services: PluginOffer["services"];
  readonly requirements: PluginOffer["requirements"];
  readonly schedules: PluginOffer["schedules"];
  readonly sessionHooks: PluginOffer["sessionHooks"];
  private readonly peer: PluginPeer;
  /** Calls that ended before their handlers did. */
  private readonly late = new Set<RunningCall>();

  private constructor(
    given: GivenPlugin,
    offer: PluginOffer,
    parts: MemoryParts,
    private readonly link: PluginLink,
    private readonly runtime: PluginRuntime,
  ) {
    this.name = given.name;
    this.version = given.version;
    this.aliases = given.aliases;
    this.routes = offer.routes;
    this.services = offer.services;
    this.requirements = offer.requirements;
    this.schedules = offer.schedules;
    this.sessionHooks = offer.sessionHooks;
    this.peer = {
      label: this.label,
      running: link.running,
      clock: parts.clock,
      ask: async (method, message, { running, request }) => {
        link.began(request, running);
        const serve: Serve = (asked, signal) => runtime.serve(method, asked, signal);
        return await crossing(message, serve, running.signal, (over) => this.endsLate(running, over));
      },
      shown: (error) => error,
    };
  }

  /** Starts the plugin. Rejects with 500 `plugin-error` and the reason if a host would reject it. */
  static async start(given: GivenPlugin, parts: MemoryParts): Promise<MemoryPlugin> {
    const { plugin, name, version, config, assets, folders } = given;
    const link = new PluginLink(given, parts);
    const runtime = new PluginRuntime(link);
    const started = await crossing(
      plain,
      () =>
        runtime.start({
          load: () => requiredPlugin(plugin),
          name,
          version,
          // As if read from JSON files.
          config: JSON.parse(JSON.stringify(config)),
          assets,
          folders,
          projectCache: Number.POSITIVE_INFINITY,
          now: () => new Date(parts.clock.now()),
        }),
      never,
    );
    return new MemoryPlugin(given, describedOffer(started), parts, link, runtime);
  }

  async probe(): Promise<void> {
    await crossing(plain, (message, signal) => this.runtime.serve("probe", message, signal), never);
  }

  async call(call: PluginCall): Promise<PluginAnswer> {
    return await callPlugin(this.peer, call);
  }

  async serve(call: ServiceCall): Promise<ServiceAnswer> {
    return await callServiceOf(this.peer, call);
  }

  async run(call: ScheduleCall): Promise<void> {
    await runScheduleOf(this.peer, call);
  }

  async runHook(call: SessionHookCall): Promise<void> {
    await runSessionHookOf(this.peer, call);
  }

  /** Nothing to do: no version is ever replaced. */
  hold(): () => void {
    return () => undefined;
  }

  /** Reports the plugin's metrics. */
  sendMetrics(): void {
    this.runtime.sendMetrics();
  }

  /** Stops the plugin. Returns sentences about work still running and errors. */
  async stop(): Promise<string[]> {
    const open = this.link.running.all;
    this.link.running.end(unavailable(this.label));
    await settled();
    const found = [...new Set([...open, ...this.late])].map(
      ({ what }) => `${what} of ${this.label} still runs`,
    );
    try {
      await this.runtime.stop();
    } catch (error) {
      found.push(`stop of ${this.label} threw ${errorMessage(error)}`);
    }
    this.link.end();
    return found;
  }

  private get label(): string {
    return `${this.name}@${this.version}`;
  }

  private endsLate(running: RunningCall, over: Promise<void>): void {
    this.late.add(running);
    void over.then(() => this.late.delete(running));
  }
}
