/** Requirements between live plugins, as admins see them. */
import { type LivePlugin, offeredService } from "@slipway/sdk/runtime/host";
import type { Requirement } from "../plugin-state.js";

interface Requirements {
  requirements: Requirement[];
  /** Sentences for admins: unmet requirements, and calls that may lead back to the plugin itself. */
  warnings: string[];
}

/** By plugin: the plugins that meet its requirements. */
type Providers = ReadonlyMap<LivePlugin, readonly LivePlugin[]>;

/**
 * The requirements of every live plugin. An unmet requirement does not prevent a plugin from serving: otherwise the
 * start order would matter, and a plugin could not do without another one for a while.
 */
export function describeRequirements(live: readonly LivePlugin[]): ReadonlyMap<LivePlugin, Requirements> {
  const found = live.map((plugin) => ({ plugin, ...searched(plugin, live) }));
  const providers: Providers = new Map(found.map((each) => [each.plugin, each.providers]));
  return new Map(
    found.map(({ plugin, requirements, unmet }) => [
      plugin,
      { requirements, warnings: [...unmet, ...circleWarning(circleThrough(plugin, providers))] },
    ]),
  );
}

function searched(plugin: LivePlugin, live: readonly LivePlugin[]) {
  const requirements: Requirement[] = [];
  const unmet: string[] = [];
  const providers = new Set<LivePlugin>();
  for (const wanted of plugin.requirements) {
    const offered = offeredService(live, wanted);
    requirements.push({ ...wanted, met: offered.plugin !== undefined });
    if (offered.plugin !== undefined) providers.add(offered.plugin);
    else unmet.push(`It uses the service ${wanted.service} of ${wanted.plugin}, but ${offered.reason}.`);
  }
  return { requirements, unmet, providers: [...providers] };
}

/** The shortest cycle through a plugin, with the plugin at both ends. */
function circleThrough(plugin: LivePlugin, providers: Providers): LivePlugin[] | undefined {
  /** The predecessor of each plugin on the path. */
  const before = new Map<LivePlugin, LivePlugin>();
  const reached = [plugin];
  for (const each of reached) {
    for (const next of providers.get(each) ?? []) {
      if (before.has(next)) continue;
      before.set(next, each);
      reached.push(next);
    }
  }
  return before.has(plugin) ? wayBack(plugin, before) : undefined;
}

function wayBack(plugin: LivePlugin, before: ReadonlyMap<LivePlugin, LivePlugin>): LivePlugin[] {
  const way = [plugin];
  for (let each = before.get(plugin); each !== undefined; each = before.get(each)) {
    way.unshift(each);
    if (each === plugin) break;
  }
  return way;
}

function circleWarning(circle: readonly LivePlugin[] | undefined): string[] {
  if (circle === undefined) return [];
  return [`It may end up calling itself: ${circle.map(({ name }) => name).join(" -> ")}.`];
}
