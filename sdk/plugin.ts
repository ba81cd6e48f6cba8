import type { Host } from "./host.js";
import type { Route } from "./route.js";
import { type Static, type TSchema, Type } from "./schema.js";
import type { Services } from "./service.js";

/** What `setup` gives back: the plugin's live part. */
export interface RunningPlugin {
  routes: Route[];
  /** What other plugins may call through `host.service`. */
  services?: Services;
  /** Ends without an error when the plugin is fit to serve; called before it goes live. */
  probe?(): void | Promise<void>;
  /** Frees what the plugin holds; called once, after its last request. */
  stop?(): void | Promise<void>;
}

export interface PluginOptions<C extends TSchema> {
  /** Schema of the plugin's configuration. */
  config: C;
  setup(host: Host, config: Static<C>): RunningPlugin | Promise<RunningPlugin>;
}

/** A plugin as the host sees it: the default export of its entry. */
export interface Plugin {
  readonly kind: "slipway-plugin";
  readonly config: TSchema;
  setup(host: Host, config: never): RunningPlugin | Promise<RunningPlugin>;
}

/** Defines a plugin; the type of its configuration follows from the schema. */
export function definePlugin<C extends TSchema>(options: PluginOptions<C>): Plugin;
export function definePlugin(options: Omit<PluginOptions<TSchema>, "config">): Plugin;
export function definePlugin(options: Omit<PluginOptions<TSchema>, "config"> & { config?: TSchema }): Plugin {
  return { kind: "slipway-plugin", config: options.config ?? Type.Object({}), setup: options.setup };
}
