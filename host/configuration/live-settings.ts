/** Settings that can change at run time (marked `live` in their schemas), and how to apply them. */

import { isDeepStrictEqual } from "node:util";
import { Configuration } from "./configuration.js";
import { declaredSettings } from "./setting-keys.js";
import { isSettings, type Settings } from "./settings-source.js";

/** Whether a setting, such as "sessions.lifetime", can change at run time; others need a restart. */
export function isLive(key: string): boolean {
  return liveKeys.has(key);
}

/** The configuration `before` with the live settings of `after`. */
export function withLiveSettings(before: Configuration, after: Configuration): Configuration {
  const changed = structuredClone(before);
  putIntoForce(changed, after);
  return changed;
}

/** Copies the live settings of `next` into the object that the parts of the host read. */
export function putIntoForce(current: Configuration, next: Configuration): void {
  for (const key of liveKeys) replace(current, next, key.split("."));
}

const liveKeys: ReadonlySet<string> = new Set(
  declaredSettings.flatMap(({ key, isGroup, isLive }) => (isLive && !isGroup ? [key] : [])),
);

function replace(current: Settings, next: Settings, [name = "", ...rest]: string[]): void {
  const value = next[name];
  const inner = current[name];
  if (rest.length > 0) {
    if (isSettings(inner) && isSettings(value)) replace(inner, value, rest);
  } else if (value === undefined) delete current[name];
  else current[name] = structuredClone(value);
}

/**
 * Keys of the settings that differ, such as "plugins.defaultRelease", in the order of the schema; never their values,
 * which may be secrets. A setting with free names, such as releases, counts as one.
 */
export function changedSettings(before: Configuration, after: Configuration): string[] {
  return changedBelow("", Configuration, before, after);
}

function changedBelow(key: string, schema: unknown, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const members = isSettings(schema) ? schema["properties"] : undefined;
  if (!isSettings(members) || !isSettings(before) || !isSettings(after)) return [key];
  return Object.entries(members).flatMap(([name, member]) =>
    changedBelow(key === "" ? name : `${key}.${name}`, member, before[name], after[name]),
  );
}
