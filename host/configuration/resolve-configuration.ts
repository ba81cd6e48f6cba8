/** Merges defaults, file, environment and flags, in this order, into one validated configuration. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Checked, Violation } from "@slipway/sdk";
import { errorCode, errorMessage } from "../system/errors.js";
import { hostCheck } from "../system/host-check.js";
import { homeFolder, installationFolder } from "../system/installation.js";
import { Configuration } from "./configuration.js";
import { ConfigurationError, type Mistake } from "./configuration-error.js";
import { contradictions } from "./contradictions.js";
import { flags } from "./flags.js";
import { fromText, readEnvironment, schemaAt } from "./read-environment.js";
import { similarSetting } from "./setting-keys.js";
import {
  groupOf,
  hidden,
  isSettings,
  mergeSettings,
  resolveFolders,
  type Settings,
  type SettingsSource,
  settingAt,
} from "./settings-source.js";

const check = hostCheck<typeof Configuration>("configuration", "configuration");
const installedFile = join(installationFolder, "config", "slipway.json");

export interface ConfigurationInput {
  /** From `--config` or `SLIPWAY_CONFIG`. */
  file?: string | undefined;
  environment: NodeJS.ProcessEnv;
  /** Values of the flags by the names in `flags.ts`. */
  flags: Record<string, unknown>;
  workingFolder: string;
}

/** A configuration with its sources except the defaults, in increasing precedence. */
export interface ResolvedConfiguration {
  configuration: Configuration;
  sources: readonly SettingsSource[];
}

/** The configuration; throws a `ConfigurationError` that lists the mistakes of all sources. */
export function resolveConfiguration(input: ConfigurationInput): Configuration {
  return resolveWithSources(input).configuration;
}

/** The configuration with its sources. */
export function resolveWithSources(input: ConfigurationInput): ResolvedConfiguration {
  const mistakes: Mistake[] = [];
  const file = readFile(namedFile(input), mistakes);
  const sources = [
    ...(file === undefined ? [] : [file]),
    ...readEnvironment(input.environment, input.workingFolder, mistakes),
    ...readFlags(input.flags, input.workingFolder),
  ];
  const wrong = new Set<string>();
  for (const source of sources) {
    const found = mistakesOf(source);
    mistakes.push(...found);
    for (const { key } of found) wrong.add(key);
  }
  // Omits invalid settings, so that they do not hide other mistakes.
  const leaveOut = (keys: Iterable<string>): SettingsSource[] =>
    sources.map(({ name, settings }) => ({ name, settings: [...keys].reduce(without, settings) }));
  const checkAll = (all: SettingsSource[]): Checked<Configuration> =>
    check(
      structuredClone(
        all.reduce((merged, { settings }) => mergeSettings(merged, settings), defaultSettings()),
      ),
    );
  let right = leaveOut(wrong);
  let result = checkAll(right);
  if (!result.ok && result.violations.every((violation) => wrong.has(keyOf(violation)))) {
    // One of them is required: then its whole group is omitted.
    right = leaveOut([...wrong].map(groupOf));
    result = checkAll(right);
  }
  if (!result.ok) {
    const found = result.violations.map((each) => mistake(each, "all sources together"));
    mistakes.push(...found.filter(({ key }) => !wrong.has(key)));
  } else if (file !== undefined || mistakes.length === 0) {
    // Without the file, the remaining settings could appear contradictory.
    mistakes.push(...contradictions(result.value, right, wrong));
  }
  if (!result.ok || mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { configuration: result.value, sources };
}

/** The configuration file of the input, whether it exists or not. */
export function fileOf(input: ConfigurationInput): string {
  return configurationFile(namedFile(input));
}

function namedFile(input: ConfigurationInput): string | undefined {
  return input.file ?? input.environment["SLIPWAY_CONFIG"];
}

/** Settings without the one at a path such as "pdf.pages". */
function without(settings: Settings, path: string): Settings {
  const kept = Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    if (path === key || path.startsWith(`${key}[`)) return [];
    if (!path.startsWith(`${key}.`)) return [[key, value]];
    return isSettings(value) ? [[key, without(value, path.slice(key.length + 1))]] : [];
  });
  return Object.fromEntries(kept);
}

function readFlags(values: Record<string, unknown>, workingFolder: string): SettingsSource[] {
  return flags.flatMap((flag) => {
    const value = values[flag.option];
    if (value === undefined) return [];
    const typed = typeof value === "string" ? fromText(value, schemaAt(flag.path)) : value;
    const settings = resolveFolders(settingAt(flag.path, typed), workingFolder);
    return [{ name: `flag ${flag.flags.split(" ", 1)[0] ?? flag.flags}`, settings }];
  });
}

/** Validates each source separately on top of the defaults, so that sources do not hide each other's mistakes. */
function mistakesOf(source: SettingsSource): Mistake[] {
  const result = check(structuredClone(mergeSettings(defaultSettings(), source.settings)));
  if (result.ok) return [];
  const shown = (found: Mistake): Mistake => (source.isSecret ? { ...found, value: hidden } : found);
  return result.violations.map((violation) => shown(mistake(violation, source.name)));
}

function mistake(violation: Violation, source: string): Mistake {
  const key = keyOf(violation);
  const meant = violation.expected === "no such field" ? similarSetting(key) : undefined;
  const expected =
    meant === undefined ? violation.expected : `${violation.expected}; did you mean "${meant}"?`;
  return { source, key, expected, value: violation.received };
}

function keyOf(violation: Violation): string {
  return violation.path.replace(/^configuration\.?/, "");
}

/** Absolute path of the named file, or of the installation's own. */
function configurationFile(named: string | undefined): string {
  return named === undefined ? installedFile : resolve(named);
}

/** The settings of the named file, or of the installation's own file if it exists. */
function readFile(named: string | undefined, mistakes: Mistake[]): SettingsSource | undefined {
  const file = configurationFile(named);
  const source = `file ${file}`;
  const mistake = (expected: string, value: string): undefined => {
    mistakes.push({ source, key: "(whole file)", expected, value });
  };
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (named === undefined) return;
    return mistake(
      "a file that can be read",
      errorCode(error) === "ENOENT" ? "nothing" : errorMessage(error),
    );
  }
  try {
    const settings: unknown = JSON.parse(text);
    if (!isSettings(settings)) return mistake("a JSON object", text.trim().slice(0, 40));
    // The reference to the schema, for editors.
    const { $schema: _, ...stated } = settings;
    return { name: source, settings: resolveFolders(stated, dirname(file)) };
  } catch (error) {
    return mistake(`JSON (${errorMessage(error)})`, JSON.stringify(text.trim().slice(0, 40)));
  }
}

/** The default settings; empty groups get the defaults of their schemas. */
export function defaultSettings(): Settings {
  const groups = Object.entries(Configuration.properties)
    .filter(([, schema]) => "type" in schema && schema.type === "object")
    .map(([key]): [string, Settings] => [key, {}]);
  return {
    ...Object.fromEntries(groups),
    host: "127.0.0.1",
    port: 8080,
    allowedAddresses: [],
    var: join(homeFolder, "var"),
    folders: {
      plugins: [join(installationFolder, "plugins")],
      templates: [join(installationFolder, "templates")],
      procedures: join(installationFolder, "config", "procedures"),
    },
  };
}
