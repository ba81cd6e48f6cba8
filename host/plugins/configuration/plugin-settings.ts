import { isJsonObject } from "../../system/json.js";
import type { Snapshot } from "../snapshots/snapshots.js";

/** A configuration of a plugin, or the changes that one layer makes to it. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * Merges what is saved for a plugin, then the host's configuration for it, into the plugin's default configuration:
 * objects by member, other values as a whole. Members that a layer removes are null; only the plugin's schema says which
 * of them may be null, so `checkedConfig` removes them.
 */
export function settingsOf(
  snapshot: Pick<Snapshot, "name" | "aliases" | "defaults">,
  config: Readonly<Record<string, Settings>>,
  saved: Settings = {},
): Record<string, unknown> {
  return overlaid(overlaid(snapshot.defaults, saved), hostSettings(snapshot, config));
}

/** The host's configuration for a plugin, by its name or an alias. */
export function hostSettings(
  { name, aliases }: Pick<Snapshot, "name" | "aliases">,
  config: Readonly<Record<string, Settings>>,
): Settings {
  const key = [name, ...aliases].find((each) => Object.hasOwn(config, each));
  return key === undefined ? {} : (config[key] ?? {});
}

function overlaid(below: Settings, above: Settings): Record<string, unknown> {
  const members = Object.entries(above).map(([key, value]): [string, unknown] => {
    const under = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isJsonObject(under) && isJsonObject(value) ? overlaid(under, value) : value];
  });
  return Object.fromEntries([...Object.entries(below), ...members]);
}
