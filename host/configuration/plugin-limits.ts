import type { Configuration } from "./configuration.js";
import type { PluginsConfiguration } from "./plugins-configuration.js";

/** Whom limits are for; their configuration may use the name or an alias. */
export interface LimitedPlugin {
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Megabytes, as in `plugins.memory`. */
export type MemoryLimits = Readonly<PluginsConfiguration["memory"]>;

/** Requests of one plugin that work, and that wait, at a time; and the part of the queue that one client may fill. */
export interface RequestLimits {
  readonly concurrency: number;
  readonly queue: number;
  readonly clientShare: number;
}

/** What `plugins.limits` says of the plugin's memory, and where it says nothing `plugins.memory`. */
export function memoryLimits(plugins: PluginsConfiguration, plugin: LimitedPlugin): MemoryLimits {
  const { heap, soft, hard } = { ...plugins.memory, ...limitsOf(plugins, plugin) };
  return { heap, soft, hard };
}

/** What `plugins.limits` says of the plugin's requests, and where it says nothing `requests`. */
export function requestLimits(
  { plugins, requests }: Pick<Configuration, "plugins" | "requests">,
  plugin: LimitedPlugin,
): RequestLimits {
  const { concurrency, queue, clientShare } = { ...requests, ...limitsOf(plugins, plugin) };
  return { concurrency, queue, clientShare };
}

/** Of several names that are configured, the public one counts. */
function limitsOf(
  { limits }: PluginsConfiguration,
  { name, aliases }: LimitedPlugin,
): PluginsConfiguration["limits"][string] {
  const configured = new Map(Object.entries(limits));
  return [name, ...aliases].map((each) => configured.get(each)).find((each) => each !== undefined) ?? {};
}
