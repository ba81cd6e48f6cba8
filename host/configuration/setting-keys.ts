import { similarName } from "@slipway/sdk";
import { Configuration } from "./configuration.js";
import { isSettings } from "./settings-source.js";

/** A setting or group in the schema. */
export interface DeclaredSetting {
  /** Such as "sessions.lifetime". */
  key: string;
  schema: Readonly<Record<string, unknown>>;
  /** Has further settings; a setting with free names, such as releases, is not a group. */
  isGroup: boolean;
  /** Whether it can change at run time. */
  isLive: boolean;
}

/** All settings and groups, in the order of the schema, groups before their members. */
export const declaredSettings: readonly DeclaredSetting[] = below("", Configuration, false);

function below(key: string, schema: unknown, isLiveAbove: boolean): DeclaredSetting[] {
  if (!isSettings(schema)) return [];
  const members = schema["properties"];
  const isLive = isLiveAbove || schema["live"] === true;
  const own = key === "" ? [] : [{ key, schema, isGroup: isSettings(members), isLive }];
  if (!isSettings(members)) return own;
  const inner = Object.entries(members).flatMap(([name, member]) =>
    below(key === "" ? name : `${key}.${name}`, member, isLive),
  );
  return [...own, ...inner];
}

/** The setting most similar to an unknown key: "sessions.lifetime" for "sesions.lifetime" or "lifetimes". */
export function similarSetting(key: string): string | undefined {
  const keys = declaredSettings.map((each) => each.key);
  const last = key.split(".").at(-1) ?? key;
  const byLast = new Map(keys.toReversed().map((each) => [each.split(".").at(-1) ?? each, each]));
  return similarName(key, keys) ?? byLast.get(similarName(last, byLast.keys()) ?? "");
}

/**
 * The environment variable, without prefix, most similar to an unknown one: "SESSIONS__LIFETIME" for
 * "SESSIONS__LIVETIME".
 */
export function similarVariable(name: string): string | undefined {
  return similarName(
    name.toUpperCase(),
    declaredSettings.map(({ key }) => variableOf(key)),
  );
}

/** Such as "SESSIONS__LIFETIME". */
function variableOf(key: string): string {
  return key
    .split(".")
    .map((part) => part.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase())
    .join("__");
}
