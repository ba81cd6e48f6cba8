import { errorMessage, Rejection } from "../../system/errors.js";
import { isJsonObject } from "../../system/json.js";
import { type Input, input, largestDescription, readPluginFile } from "../packages/plugin-files.js";
import type { Snapshot } from "./snapshot.js";

type Settings = Readonly<Record<string, unknown>>;

/**
 * Merges the host's configuration for a plugin, by its name or an alias, into the plugin's default configuration:
 * objects by member, other values as a whole.
 */
export function settingsOf(
  { name, aliases, defaults }: Pick<Snapshot, "name" | "aliases" | "defaults">,
  config: Readonly<Record<string, Settings>>,
): Record<string, unknown> {
  const key = [name, ...aliases].find((each) => Object.hasOwn(config, each));
  return overlaid(defaults, key === undefined ? {} : (config[key] ?? {}));
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
  if (!isSettings(defaults)) throw new Rejection(`the default configuration ${file} is not a JSON object`);
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
    return [key, isSettings(under) && isSettings(value) ? overlaid(under, value) : value];
  });
  return Object.fromEntries([...Object.entries(below), ...members]);
}

function isSettings(value: unknown): value is Settings {
  return isJsonObject(value);
}
