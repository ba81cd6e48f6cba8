import type { PluginCall } from "../live-plugin.js";

/** On whose behalf a plugin asks the host for something. */
export interface ServiceContext {
  plugin: { name: string; version: string };
  /** Undefined: the plugin asks for itself, in its `setup`, `probe` or `stop`. */
  call: PluginCall | undefined;
  /** Aborts when the call or the instance ends. */
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  deadline: number;
}
