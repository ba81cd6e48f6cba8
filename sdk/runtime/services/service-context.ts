import { pluginMistake } from "../calls/request-errors.js";
import type { RunningCall } from "../calls/running-call.js";
import type { Work } from "../calls/work.js";

/** What a plugin may use through the host. Both throw 403 `request-forbidden`. */
export interface PluginPermits {
  /** Called with the address of each server. */
  fetch(url: URL): void;
  /** Called with a plugin as `host.service` names it, such as "Reporter@^1.0.0". */
  service(plugin: string): void;
}

/** The plugin that calls a host service. */
export interface CallingPlugin {
  name: string;
  version: string;
  /** Default: everything. */
  permits?: PluginPermits | undefined;
}

/** The context of a plugin's call of a host service. */
export interface ServiceContext {
  plugin: CallingPlugin;
  /** Undefined for the plugin's own calls, in `setup`, `probe` or `stop`. */
  call: RunningCall | undefined;
  /** Aborts when the call or the instance ends. */
  signal: AbortSignal;
  /** By `monotonicTime`. */
  deadline: number;
  /** What is done for it. */
  work: Work;
}

/** What only makes sense for a request: its client's address, its session, its files. */
export function duringRequest(context: ServiceContext): RunningCall {
  if (context.call !== undefined) return context.call;
  throw pluginMistake("The plugin used a service outside of a request that is there for requests only.");
}
