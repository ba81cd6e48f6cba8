import { type Static, type TSchema, Type } from "../schema/schema.js";
import type { Host } from "./host.js";
import type { Route } from "./route.js";
import type { Schedule } from "./schedule.js";
import type { Services } from "./service.js";
import type { SessionHooks } from "./session-hooks.js";

/** The live part of a plugin, returned by `setup`. */
export interface RunningPlugin {
  /** The plugin's routes; each method and path once. */
  routes: Route[];
  /** Services that other plugins may call through `host.service`. */
  services?: Services;
  /** Work that the host runs by the clock, made with `schedule`. */
  schedules?: Schedule[];
  /** Work after sessions were opened or have ended. */
  sessionHooks?: SessionHooks;
  /** Health check before the plugin goes live; throws if the plugin cannot serve. */
  probe?(): void | Promise<void>;
  /** Releases resources; called once, after the last request. */
  stop?(): void | Promise<void>;
}

/** Options of `definePlugin`. */
export interface PluginOptions<C extends TSchema> {
  /**
   * Schema of the plugin's configuration. Values come from the plugin's defaults file, the server's configuration and
   * the schema's defaults. An invalid configuration keeps the plugin from starting.
   */
  config: C;
  /**
   * Creates the live part, once in each process, before it serves. Keep `host` for the handlers; its `files`, `pdf` and
   * service calls work during requests only. A thrown error keeps the plugin from starting.
   */
  setup(host: Host, config: Static<C>): RunningPlugin | Promise<RunningPlugin>;
}

/** A plugin for the host: the default export of its entry. */
export interface Plugin {
  /** Identifies the object, independent of the copy of the SDK that created it. */
  readonly kind: "slipway-plugin";
  /** Schema of the configuration; accepts any object if the plugin has none. */
  readonly config: TSchema;
  /** Creates the live part; the host passes a validated configuration. */
  setup(host: Host, config: never): RunningPlugin | Promise<RunningPlugin>;
}

/**
 * Defines a plugin; export it as default from the entry given by `slipway.entry` in `package.json`. The type of its
 * configuration is derived from the schema.
 *
 * @example
 * ```ts
 * export default definePlugin({
 *   config: Type.Object({ greeting: Type.String({ default: "Hello" }) }),
 *   setup: (host, config) => ({
 *     routes: [
 *       route.get("hello.json", {
 *         summary: "Says hello.",
 *         response: Type.Object({ text: Type.String() }),
 *         handler: () => ({ text: config.greeting }),
 *       }),
 *     ],
 *   }),
 * });
 * ```
 */
export function definePlugin<C extends TSchema>(options: PluginOptions<C>): Plugin;
/** Defines a plugin without a configuration. */
export function definePlugin(options: Omit<PluginOptions<TSchema>, "config">): Plugin;
export function definePlugin(options: Omit<PluginOptions<TSchema>, "config"> & { config?: TSchema }): Plugin {
  return { kind: "slipway-plugin", config: options.config ?? Type.Object({}), setup: options.setup };
}
