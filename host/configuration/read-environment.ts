/**
 * Reads environment variables: `SLIPWAY_PORT`; nested settings have two underscores, as in
 * `SLIPWAY_SESSIONS__LIFETIME`. A variable that ends in `_FILE` names a file with the value.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { TSchema } from "@slipway/sdk";
import { Configuration } from "./configuration.js";
import type { Mistake } from "./configuration-error.js";
import { type Flag, flags } from "./flags.js";
import { similarVariable } from "./setting-keys.js";
import {
  isSettings,
  mergeSettings,
  resolveFolders,
  type Settings,
  type SettingsSource,
  settingAt,
} from "./settings-source.js";

const prefix = "SLIPWAY_";
const fileEnding = "_FILE";
/** Bytes. */
const largestValueFile = 64 * 1024;

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
    const read = readVariable(variable.slice(prefix.length), text, workingFolder);
    const name = `environment variable ${variable}`;
    if ("settings" in read) sources.push({ name, ...read });
    else mistakes.push({ source: name, value: JSON.stringify(text), ...read });
  }
  return sources;
}

/** The settings whose values come from files; they are never shown. */
export function settingsOfFiles(environment: NodeJS.ProcessEnv, workingFolder: string): Settings {
  return readEnvironment(environment, workingFolder, [])
    .filter(({ isSecret }) => isSecret)
    .reduce<Settings>((merged, { settings }) => mergeSettings(merged, settings), {});
}

/** The settings of a variable, or its mistake. */
type ReadVariable = Omit<SettingsSource, "name"> | Pick<Mistake, "key" | "expected">;

/** Reads one variable; `name` has no prefix. */
function readVariable(key: string, text: string, workingFolder: string): ReadVariable {
  const named = findSetting(key);
  const inFile = named?.schema === undefined ? findFileSetting(key) : undefined;
  if (inFile !== undefined) return readValueFile(inFile, resolve(workingFolder, text));
  if (named !== undefined) {
    const settings = settingAt(named.path, fromText(text, named.schema));
    return { settings: resolveFolders(settings, workingFolder) };
  }
  const meant = similarVariable(key);
  return {
    key,
    expected: `no such field${meant === undefined ? "" : `; did you mean ${prefix}${meant}?`}`,
  };
}

/** The setting with the text of a file as its value, without a final line break. */
function readValueFile({ path, schema }: NamedSetting, file: string): ReadVariable {
  const text = readText(file);
  if (text === undefined) {
    const expected = `a readable text file of at most ${largestValueFile / 1024} KB`;
    return { key: path.join("."), expected };
  }
  const value = text.replace(/\r?\n$/, "");
  return {
    settings: settingAt(path, schema === undefined ? value : fromText(value, schema)),
    isSecret: true,
  };
}

/** Undefined for a file that is too large, invalid UTF-8 or unreadable. */
function readText(file: string): string | undefined {
  try {
    const content = readFileSync(file);
    if (content.length > largestValueFile) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
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

interface NamedSetting {
  path: readonly string[];
  /** Undefined for free names, such as the settings of plugins. */
  schema: TSchema | undefined;
}

/** The setting whose value is in the file that a variable such as `LOG__LEVEL_FILE` names. */
function findFileSetting(name: string): NamedSetting | undefined {
  return name.endsWith(fileEnding) ? findSetting(name.slice(0, -fileEnding.length)) : undefined;
}

function findSetting(name: string): NamedSetting | undefined {
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
