import { isDeepStrictEqual } from "node:util";
import { Configuration } from "./configuration.js";
import { isSettings } from "./settings-source.js";

/**
 * Keys of the settings that differ, such as "plugins.defaultRelease", in the order of the schema; never their values, which
 * may be secrets. Where names are free, as those of releases are, the setting is one as a whole.
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
