import { errorMessage, Rejection } from "../../system/errors.js";
import { isJsonObject } from "../../system/json.js";
import { type Input, input, largestDescription, readPluginFile } from "../packages/plugin-files.js";
import type { Snapshot } from "./snapshot.js";

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

/** Reads the default configuration from a file of a plugin folder. Throws a `Rejection`. */
export async function readDefaults(
  folder: string,
  file: string,
): Promise<{ defaults: Settings; input: Input }> {
  const content = await readPluginFile(folder, file, largestDescription).catch((error: unknown) => {
    const isThere = error instanceof Rejection && error.cause === undefined;
    throw isThere
      ? error
      : new Rejection(`the default configuration ${file} cannot be read`, { cause: error });
  });
  const defaults = parse(file, content.toString("utf8"));
  if (!isJsonObject(defaults)) throw new Rejection(`the default configuration ${file} is not a JSON object`);
  return { defaults, input: input(file, content) };
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Rejection(`${file} is not valid JSON: ${errorMessage(error)}`);
  }
}

function overlaid(below: Settings, above: Settings): Record<string, unknown> {
  const members = Object.entries(above).map(([key, value]): [string, unknown] => {
    const under = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isJsonObject(under) && isJsonObject(value) ? overlaid(under, value) : value];
  });
  return Object.fromEntries([...Object.entries(below), ...members]);
}
