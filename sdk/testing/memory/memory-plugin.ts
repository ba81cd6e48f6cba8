import { errorMessage } from "../../errors.js";
import type { Plugin } from "../../plugin/plugin.js";
import { unavailable } from "../../runtime/calls/call-errors.js";
import {
  describedOffer,
  handleMessage,
  plain,
  readAnswer,
  readServiceAnswer,
  serveMessage,
} from "../../runtime/calls/call-messages.js";
import type {
  LivePlugin,
  PluginAnswer,
  PluginCall,
  PluginOffer,
  ServiceAnswer,
  ServiceCall,
} from "../../runtime/calls/live-plugin.js";
import { RunningCall } from "../../runtime/calls/running-call.js";
import type { Message, Received } from "../../runtime/messages/message.js";
import { PluginRuntime } from "../../runtime/plugin/plugin-runtime.js";
import { requiredPlugin } from "../../runtime/plugin/required-plugin.js";
import { crossing } from "./crossing.js";
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
  private readonly running = new Set<RunningCall>();
  /** Those that ended before their handlers did. */
  private readonly late = new Set<RunningCall>();

  private constructor(
    given: GivenPlugin,
    offer: PluginOffer,
    private readonly parts: MemoryParts,
    private readonly link: PluginLink,
    private readonly runtime: PluginRuntime,
  ) {
    this.name = given.name;
    this.version = given.version;
    this.aliases = given.aliases;
    this.routes = offer.routes;
    this.services = offer.services;
    this.requirements = offer.requirements;
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
    const running = new RunningCall(call, this.label, call.route, undefined, this.parts.clock);
    return await this.run(running, "handle", (request) => handleMessage(call, request), readAnswer);
  }

  async serve(call: ServiceCall): Promise<ServiceAnswer> {
    const what = `${call.service}.${call.method}`;
    const running = new RunningCall(call, this.label, what, call.caller, this.parts.clock);
    return await this.run(running, "serve", (request) => serveMessage(call, request), readServiceAnswer);
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
    const open = [...this.running];
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

  private async run<A>(
    running: RunningCall,
    method: string,
    message: (request: number) => Message,
    read: (received: Received) => A | undefined,
  ): Promise<A> {
    const goesOn = (over: Promise<void>): void => {
      this.late.add(running);
      void over.then(() => this.late.delete(running));
    };
    this.running.add(running);
    try {
      return await this.link.run(running, async (request) => {
        const serve = (asked: Received, signal: AbortSignal) => this.runtime.serve(method, asked, signal);
        const answer = read(await crossing(message(request), serve, running.signal, goesOn));
        if (answer === undefined) throw new Error(`${running.what} of ${this.label} gave no answer.`);
        return answer;
      });
    } finally {
      this.running.delete(running);
    }
  }
}
