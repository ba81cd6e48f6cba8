import { RequestError } from "@slipway/sdk";
import semver from "semver";
import type { LivePlugin, LiveServiceMethod } from "../live-plugin.js";
import type { ParametersOf } from "../protocol/messages.js";
import { pluginMistake } from "./plugin-mistake.js";

type Wanted = Pick<ParametersOf<"service.call">, "plugin" | "service" | "method">;

/**
 * The highest live version in the wanted range, and its method. 503 `plugin-unavailable` names what is missing. A name
 * counts more than another plugin's alias.
 */
export function findService(
  live: readonly LivePlugin[],
  wanted: Wanted,
): { plugin: LivePlugin; method: LiveServiceMethod } {
  const [, name = "", range = "*"] = /^([^@]*)(?:@(.*))?$/s.exec(wanted.plugin) ?? [];
  if (semver.validRange(range) === null)
    throw pluginMistake(`The plugin asked for "${wanted.plugin}", which has no valid range of versions.`);
  const named = live.filter((plugin) => plugin.name === name);
  const versions = named.length > 0 ? named : live.filter((plugin) => plugin.aliases.includes(name));
  if (versions.length === 0) throw missing(`There is no plugin "${name}".`, wanted);
  const version = semver.maxSatisfying(
    versions.map((plugin) => plugin.version),
    range,
  );
  const plugin = versions.find((each) => each.version === version);
  if (plugin === undefined) {
    const there = versions.map((each) => each.version).sort(semver.compare);
    throw missing(`There is no plugin "${name}" in the range ${range}, but ${there.join(", ")}.`, wanted);
  }
  const methods = plugin.services.filter(({ service }) => service === wanted.service);
  const label = `${plugin.name}@${plugin.version}`;
  if (methods.length === 0) throw missing(`The plugin ${label} has no service "${wanted.service}".`, wanted);
  const method = methods.find((each) => each.method === wanted.method);
  if (method === undefined)
    throw missing(`The service ${wanted.service} of ${label} has no method "${wanted.method}".`, wanted);
  return { plugin, method };
}

function missing(message: string, { plugin, service, method }: Wanted): RequestError {
  return new RequestError({
    id: "plugin-unavailable",
    code: 503,
    message,
    additionalInformation: { plugin, service, method },
  });
}
