/** What the live plugins ask of each other, as admins see it. */

import { type LivePlugin, offeredService } from "@slipway/sdk/runtime/host";
import type { Requirement } from "./plugin-state.js";

/** The requirements of a plugin. */
export interface Requirements {
  requirements: Requirement[];
  /** Sentences for admins: unmet requirements, and whether it may end up calling itself. */
  warnings: string[];
}

/** Of a plugin, those that its requirements are met by. */
type Providers = ReadonlyMap<LivePlugin, readonly LivePlugin[]>;

/**
 * The requirements of every live plugin. None of them keeps a plugin from serving: otherwise the order in which plugins
 * come up would matter, and a plugin could not do without another one for a while.
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

/** The shortest way from a plugin back to itself, with it at both ends; undefined when there is none. */
function circleThrough(plugin: LivePlugin, providers: Providers): LivePlugin[] | undefined {
  /** Whom each one was reached from. */
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
