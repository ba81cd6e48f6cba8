import { type Static, type TSchema, Type } from "../schema.js";
import type { Host } from "./host.js";
import type { Route } from "./route.js";
import type { Services } from "./service.js";

/** What `setup` gives back: the plugin's live part. */
export interface RunningPlugin {
  /** What it answers; each method and path once. */
  routes: Route[];
  /** What other plugins may call through `host.service`. */
  services?: Services;
  /** Ends without an error when the plugin is fit to serve; called before it goes live. */
  probe?(): void | Promise<void>;
  /** Frees what the plugin holds; called once, after its last request. */
  stop?(): void | Promise<void>;
}

/** What `definePlugin` takes. */
export interface PluginOptions<C extends TSchema> {
  /**
   * Schema of the plugin's configuration: its own defaults file, then that of the server, then the defaults of the
   * schema. One that does not fit keeps the plugin from starting.
   */
  config: C;
  /**
   * Makes the live part, once in each process, before it serves. Keep `host` for the handlers; its `files`, `pdf` and
   * calls of services work during requests only. An error that it throws keeps the plugin from starting.
   */
  setup(host: Host, config: Static<C>): RunningPlugin | Promise<RunningPlugin>;
}

/** A plugin as the host sees it: the default export of its entry. */
export interface Plugin {
  /** Tells it apart from other objects, whichever copy of the SDK made it. */
  readonly kind: "slipway-plugin";
  /** Schema of the configuration; one that takes any object where the plugin has none. */
  readonly config: TSchema;
  /** Makes the live part; the host gives it a configuration that fits. */
  setup(host: Host, config: never): RunningPlugin | Promise<RunningPlugin>;
}

/**
 * Defines a plugin; make it the default export of the entry that `slipway.entry` of `package.json` names. The type of
 * its configuration follows from the schema.
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
