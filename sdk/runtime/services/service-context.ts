import { pluginMistake } from "../calls/request-errors.js";
import type { RunningCall } from "../calls/running-call.js";
import type { Work } from "../calls/work.js";

/** The context of a plugin's call of a host service. */
export interface ServiceContext {
  plugin: { name: string; version: string };
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
