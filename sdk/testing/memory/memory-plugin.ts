import { errorMessage } from "../../errors.js";
import type { Plugin } from "../../plugin/plugin.js";
import { unavailable } from "../../runtime/calls/call-errors.js";
import { describedOffer, plain } from "../../runtime/calls/call-messages.js";
import type {
  LivePlugin,
  PluginAnswer,
  PluginCall,
  PluginOffer,
  ServiceAnswer,
  ServiceCall,
} from "../../runtime/calls/live-plugin.js";
import { callPlugin, callServiceOf, type PluginPeer } from "../../runtime/calls/plugin-calls.js";
import type { RunningCall } from "../../runtime/calls/running-call.js";
import { PluginRuntime } from "../../runtime/plugin/plugin-runtime.js";
import { requiredPlugin } from "../../runtime/plugin/required-plugin.js";
import { crossing, type Serve } from "./crossing.js";
import { settled } from "./fake-clock.js";
import type { MemoryParts } from "./memory-parts.js";
import { PluginLink } from "./plugin-link.js";

/** A plugin as the test gives it, without defaults left open. */
export interface GivenPlugin {
  plugin: Plugin;
  name: string;
  version: string;
  aliases: readonly string[];
  config: unknown;
}

const never = new AbortController().signal;

/** A plugin that serves in this process. */
export class MemoryPlugin implements LivePlugin {
  readonly hash = "";
  readonly name: string;
  readonly version: string;
  readonly aliases: readonly string[];
  readonly routes: PluginOffer["routes"];
  readonly services: PluginOffer["services"];
  readonly requirements: PluginOffer["requirements"];
  private readonly peer: PluginPeer;
  /** Those that ended before their handlers did. */
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
    this.peer = {
      label: this.label,
      running: link.running,
      clock: parts.clock,
      ask: async (method, message, { running, request }) => {
        link.began(request, running);
        const serve: Serve = (asked, signal) => runtime.serve(method, asked, signal);
        return await crossing(message, serve, running.signal, (over) => this.goesOn(running, over));
      },
      shown: (error) => error,
    };
  }

  /** Sets the plugin up. Rejects with 500 `plugin-error` that says why a host would not take it. */
  static async start(given: GivenPlugin, parts: MemoryParts): Promise<MemoryPlugin> {
    const { plugin, name, version, config } = given;
    const link = new PluginLink(given, parts);
    const runtime = new PluginRuntime(link);
    const started = await crossing(
      plain,
      () =>
        runtime.start({
          load: () => requiredPlugin(plugin),
          name,
          version,
          // As it comes out of JSON files.
          config: JSON.parse(JSON.stringify(config)),
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

  /** Nothing replaces it, so that nothing has to wait. */
  hold(): () => void {
    return () => undefined;
  }

  /** Tells of what the plugin counted. */
  sendMetrics(): void {
    this.runtime.sendMetrics();
  }

  /** Stops the plugin. Gives sentences about what was not over by then, and what went wrong. */
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

  private goesOn(running: RunningCall, over: Promise<void>): void {
    this.late.add(running);
    void over.then(() => this.late.delete(running));
  }
}
