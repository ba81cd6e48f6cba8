/**
 * Reads environment variables: `SLIPWAY_PORT`; nested settings have two underscores, as in
 * `SLIPWAY_SESSIONS__LIFETIME`.
 */
import type { TSchema } from "@slipway/sdk";
import { Configuration } from "./configuration.js";
import type { Mistake } from "./configuration-error.js";
import { type Flag, flags } from "./flags.js";
import { similarVariable } from "./setting-keys.js";
import { isSettings, resolveFolders, type SettingsSource, settingAt } from "./settings-source.js";

const prefix = "SLIPWAY_";

/** Variables that commands read themselves: the configuration file, and the key for a running host. */
const notSettings: ReadonlySet<string> = new Set(["SLIPWAY_CONFIG", "SLIPWAY_API_KEY"]);

/** One source per variable. Names ignore case and single underscores, so `PUBLIC_URL` is `publicUrl`. */
export function readEnvironment(
  environment: NodeJS.ProcessEnv,
  workingFolder: string,
  mistakes: Mistake[],
): SettingsSource[] {
  const sources: SettingsSource[] = [];
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || notSettings.has(variable) || text === undefined) continue;
    const name = `environment variable ${variable}`;
    const setting = findSetting(variable.slice(prefix.length));
    if (setting === undefined) {
      const key = variable.slice(prefix.length);
      const meant = similarVariable(key);
      const expected = `the name of a setting${meant === undefined ? "" : `; did you mean ${prefix}${meant}?`}`;
      mistakes.push({ source: name, key, expected, value: JSON.stringify(text) });
      continue;
    }
    const settings = settingAt(setting.path, fromText(text, setting.schema));
    sources.push({ name, settings: resolveFolders(settings, workingFolder) });
  }
  return sources;
}

/** Converts a text to the type of its schema; an invalid text is left for validation to refuse. */
export function fromText(text: string, schema: TSchema | undefined): unknown {
  const type: unknown = member(schema, "type");
  if (type === "string") return text;
  if (type === "integer" || type === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "array" && !text.trimStart().startsWith("["))
    return text.split(",").map((each) => each.trim());
  if (member(schema, "enum") !== undefined) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function findSetting(name: string): { path: readonly string[]; schema: TSchema | undefined } | undefined {
  const flag: Flag | undefined = flags.find((each) => each.variable === `${prefix}${name}`);
  if (flag !== undefined) return { path: flag.path, schema: schemaAt(flag.path) };
  const path: string[] = [];
  let schema: unknown = Configuration;
  for (const part of name.split("__")) {
    const properties: unknown = member(schema, "properties");
    const key = isSettings(properties)
      ? Object.keys(properties).find((each) => plain(each) === plain(part))
      : part;
    if (key === undefined || key === "") return undefined;
    path.push(key);
    schema = isSettings(properties) ? properties[key] : undefined;
  }
  return { path, schema: isSettings(schema) ? schema : undefined };
}

/** The schema of one setting. */
export function schemaAt(path: readonly string[]): TSchema | undefined {
  const schema = path.reduce<unknown>(
    (outer, key) => member(member(outer, "properties"), key),
    Configuration,
  );
  return isSettings(schema) ? schema : undefined;
}

function member(value: unknown, key: string): unknown {
  return isSettings(value) ? value[key] : undefined;
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
