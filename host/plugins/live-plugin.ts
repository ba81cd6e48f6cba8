import type { LivePlugin } from "@slipway/sdk/runtime/host";

export type {
  CallOrigin,
  LivePlugin,
  LiveRoute,
  PluginAnswer,
  PluginCall,
  PluginOffer,
  ServiceAnswer,
  ServiceCall,
} from "@slipway/sdk/runtime/host";

/** All that serves right now: release name to plugins. Frozen; a change is a new table. */
export interface RouteTable {
  readonly releases: ReadonlyMap<string, ReadonlyMap<string, LivePlugin>>;
  /** Headers of the answers under a release, by its name. */
  readonly headers: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly defaultRelease: string;
}
