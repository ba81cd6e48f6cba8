import semver from "semver";
import { RequestError } from "../../schema/errors.js";
import { wantedPlugin } from "../calls/call-messages.js";
import type { LivePlugin, LiveRequirement, LiveServiceMethod } from "../calls/live-plugin.js";
import { pluginMistake } from "../calls/request-errors.js";
import type { ParametersOf } from "../messages/host-parameters.js";

type Wanted = Pick<ParametersOf<"service.call">, "plugin" | "service" | "method">;

/** The provider of a service with its methods, or the end of a sentence with the reason: "no such plugin is live". */
export type Offered =
  | { plugin: LivePlugin; methods: readonly LiveServiceMethod[] }
  | { plugin: undefined; reason: string };

/**
 * The plugins that may provide services to a request of a release: first those of that release, so that a
 * version deployed only to another release is not used, then all live ones.
 */
export type OfferingPlugins = (release: string | undefined) => readonly (readonly LivePlugin[])[];

/**
 * Finds the highest version in the wanted range, and its method, in the first group that has one. 503
 * `plugin-unavailable` names what is missing; 500 `plugin-error` if the reference is invalid.
 */
export function findService(
  groups: readonly (readonly LivePlugin[])[],
  wanted: Wanted,
): { plugin: LivePlugin; method: LiveServiceMethod } {
  if (wantedPlugin(wanted.plugin) === undefined)
    throw pluginMistake(`The plugin asked for "${wanted.plugin}", without a valid range of versions.`);
  const offers = groups.map((live) => offeredService(live, wanted));
  const offered =
    offers.find(({ plugin }) => plugin !== undefined) ?? offers.at(-1) ?? notOffered("there is none");
  if (offered.plugin === undefined) throw missing(wanted, offered.reason);
  const { plugin, methods } = offered;
  const method = methods.find((each) => each.method === wanted.method);
  if (method === undefined) throw missing(wanted, `${label(plugin)} has no such method`);
  return { plugin, method };
}

/**
 * The highest live version in the wanted range, if it has the service. A name takes precedence over another
 * plugin's alias.
 */
export function offeredService(live: readonly LivePlugin[], wanted: LiveRequirement): Offered {
  const { name, range } = wantedPlugin(wanted.plugin) ?? {};
  const named = live.filter((plugin) => plugin.name === name);
  const all = named.length > 0 ? named : live.filter(({ aliases }) => aliases.some((each) => each === name));
  if (all.length === 0 || range === undefined) return notOffered("no such plugin is live");
  const version = semver.maxSatisfying(
    all.map((each) => each.version),
    range,
  );
  const plugin = all.find((each) => each.version === version);
  if (plugin === undefined) {
    const versions = [...new Set(all.map((each) => each.version))].sort(semver.compare);
    return notOffered(`only ${versions.join(" and ")} ${versions.length === 1 ? "is" : "are"} live`);
  }
  const methods = plugin.services.filter(({ service }) => service === wanted.service);
  return methods.length > 0 ? { plugin, methods } : notOffered(`${label(plugin)} has no such service`);
}

function notOffered(reason: string): Offered {
  return { plugin: undefined, reason };
}

function label({ name, version }: LivePlugin): string {
  return `${name}@${version}`;
}

function missing({ plugin, service, method }: Wanted, reason: string): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message: `A plugin asked for ${service}.${method} of ${plugin}, but ${reason}.`,
    additionalInformation: { plugin, service, method },
  });
}

/** A call of a service method by another plugin. */
export interface MeasuredServiceCall {
  /** Name of the calling plugin. */
  caller: string;
  /** The plugin with the service. */
  plugin: { name: string; version: string };
  service: string;
  method: string;
  hasFailed: boolean;
  seconds: number;
}

/** Receives each call of a service; must not throw. */
export interface ServiceMeasures {
  serviceCalled(call: MeasuredServiceCall): void;
}
