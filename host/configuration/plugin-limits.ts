import type { Configuration } from "./configuration.js";
import type { PluginGrants } from "./plugin-grants.js";
import type { PluginsConfiguration } from "./plugins-configuration.js";

/** The plugin of limits; the configuration may use its name or an alias. */
export interface LimitedPlugin {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Megabytes, as in `plugins.memory`. */
export type MemoryLimits = Readonly<PluginsConfiguration["memory"]>;

/** Limits of running and queued requests of one plugin, and of one client's share of the queue. */
export interface RequestLimits {
  readonly concurrency: number;
  readonly queue: number;
  readonly clientShare: number;
}

/** The memory limits of a plugin: `plugins.limits`, with `plugins.memory` as default. */
export function memoryLimits(plugins: PluginsConfiguration, plugin: LimitedPlugin): MemoryLimits {
  const { heap, soft, hard } = { ...plugins.memory, ...limitsOf(plugins, plugin) };
  return { heap, soft, hard };
}

/** A plugin, and the name of the trusted key that signed it. */
export interface GrantedPlugin extends LimitedPlugin {
  readonly signedBy: string | undefined;
}

/** What a plugin is granted by its name or an alias: `plugins.grants`. */
export function grantsOfName(
  { grants }: Pick<PluginsConfiguration, "grants">,
  plugin: LimitedPlugin,
): PluginGrants {
  return configuredFor(grants, plugin) ?? {};
}

/** What a plugin is granted by the trusted key that signed it: `plugins.trust.grants`. */
export function grantsOfKey(
  { trust }: Pick<PluginsConfiguration, "trust">,
  { signedBy }: Pick<GrantedPlugin, "signedBy">,
): PluginGrants {
  if (signedBy === undefined) return {};
  return new Map(Object.entries(trust.grants)).get(signedBy) ?? {};
}

/** The request limits of a plugin: `plugins.limits`, with `requests` as default. */
export function requestLimits(
  { plugins, requests }: Pick<Configuration, "plugins" | "requests">,
  plugin: LimitedPlugin,
): RequestLimits {
  const { concurrency, queue, clientShare } = { ...requests, ...limitsOf(plugins, plugin) };
  return { concurrency, queue, clientShare };
}

function limitsOf(
  { limits }: PluginsConfiguration,
  plugin: LimitedPlugin,
): PluginsConfiguration["limits"][string] {
  return configuredFor(limits, plugin) ?? {};
}

/** The public name takes precedence over aliases. */
function configuredFor<T>(
  settings: Readonly<Record<string, T>>,
  { name, aliases }: LimitedPlugin,
): T | undefined {
  const configured = new Map(Object.entries(settings));
  return [name, ...aliases].map((each) => configured.get(each)).find((each) => each !== undefined);
}
