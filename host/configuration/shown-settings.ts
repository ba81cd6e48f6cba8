import { valueAt } from "../system/json.js";
import type { ResolvedConfiguration } from "./resolve-configuration.js";
import { declaredSettings } from "./setting-keys.js";
import { hidden, isSettings, type SettingsSource } from "./settings-source.js";

/** A setting for display, without secrets. */
export interface ShownSetting {
  key: string;
  /** Undefined if not set. */
  value?: unknown;
  /** Such as "flag --port"; several for merged objects; "default" without a source. */
  source: string;
  /** Whether a change is in force without a restart. */
  live: boolean;
}

/** Every setting with a value, in the order of the schema, with its source. */
export function shownSettings({ configuration, sources }: ResolvedConfiguration): ShownSetting[] {
  return declaredSettings
    .filter(({ isGroup }) => !isGroup)
    .flatMap(({ key, schema, isLive }) => {
      const path = key.split(".");
      const value = valueAt(configuration, path);
      if (value === undefined) return [];
      const source = sourcesOf(path, sources) || "default";
      const secrets = sources
        .filter(({ isSecret }) => isSecret)
        .map(({ settings }) => valueAt(settings, path));
      const open = secrets.reduce(withoutValuesOf, value);
      const shown = schema["secret"] === true ? hidden : withoutSecrets(open, path.at(-1) ?? key);
      return [{ key, value: shown, source, live: isLive }];
    });
}

function sourcesOf(path: readonly string[], sources: readonly SettingsSource[]): string {
  const stating = sources.filter(({ settings }) => valueAt(settings, path) !== undefined);
  const last = stating.at(-1);
  if (last === undefined) return "";
  // Objects of several sources are merged; other values come from the last one.
  const isMerged = stating.every(({ settings }) => isSettings(valueAt(settings, path)));
  return (isMerged ? stating : [last]).map(({ name }) => name).join(", ");
}

/** A setting without the values of a source. */
function withoutValuesOf(value: unknown, stated: unknown): unknown {
  if (stated === undefined) return value;
  if (!isSettings(value) || !isSettings(stated)) return hidden;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutValuesOf(inner, stated[key])]),
  );
}

/** Names of settings with secret values. */
const secretName = /pass(word|phrase|code)|secret|token|credential|authorization|api_?-?key|private/i;

function withoutSecrets(value: unknown, name: string): unknown {
  if (secretName.test(name)) return isSettings(value) && Object.keys(value).length === 0 ? value : hidden;
  if (Array.isArray(value)) return value.map((each: unknown) => withoutSecrets(each, ""));
  if (isSettings(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, key)]));
  return typeof value === "string" ? value.replace(/(:\/\/)[^/@\s]*@/, `$1${hidden}@`) : value;
}
