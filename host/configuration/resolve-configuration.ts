/** From defaults, file, environment and flags, in this order, to one configuration that is right as a whole. */
import { isIP } from "node:net";
import { type Check, parseLocale, Validator, type Violation } from "@slipway/sdk";
import semver from "semver";
import { Configuration } from "./configuration.js";
import { ConfigurationError, type Mistake } from "./configuration-error.js";
import { defaultSettings } from "./default-settings.js";
import { flags } from "./flags.js";
import { fromText, readEnvironment, schemaAt } from "./read-environment.js";
import { readFile } from "./read-file.js";
import {
  isSettings,
  mergeSettings,
  resolveFolders,
  type Settings,
  type SettingsSource,
  settingAt,
} from "./settings-source.js";

export interface ConfigurationInput {
  /** Named by `--config` or `SLIPWAY_CONFIG`. */
  file?: string | undefined;
  environment: NodeJS.ProcessEnv;
  /** Values of the flags by the names in `flags.ts`. */
  flags: Record<string, unknown>;
  workingFolder: string;
}

/** The configuration, or a `ConfigurationError` that lists every mistake of every source. */
export function resolveConfiguration(input: ConfigurationInput): Configuration {
  const mistakes: Mistake[] = [];
  const file = readFile(input.file ?? input.environment["SLIPWAY_CONFIG"], mistakes);
  const sources = [
    ...(file === undefined ? [] : [file]),
    ...readEnvironment(input.environment, input.workingFolder, mistakes),
    ...readFlags(input.flags, input.workingFolder),
  ];
  const check = new Validator().compile(Configuration, "configuration");
  const wrong = new Set<string>();
  for (const source of sources) {
    const found = mistakesOf(source, check);
    mistakes.push(...found);
    for (const { key } of found) wrong.add(key);
  }
  // Wrong settings are left out, so that they hide nothing of what is wrong elsewhere.
  const right = sources.map(({ name, settings }) => ({
    name,
    settings: [...wrong].reduce(without, settings),
  }));
  const result = check(right.reduce((all, source) => mergeSettings(all, source.settings), defaultSettings()));
  if (!result.ok) {
    const found = result.violations.map((each) => mistake(each, "all sources together"));
    mistakes.push(...found.filter(({ key }) => !wrong.has(key)));
  } else if (file !== undefined || mistakes.length === 0) {
    // Without its file, what remains could look like a contradiction that is none.
    mistakes.push(...contradictions(result.value, right, wrong));
  }
  if (!result.ok || mistakes.length > 0) throw new ConfigurationError(mistakes);
  return result.value;
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

/** Each source is checked by itself on top of the defaults, so that one cannot hide the mistakes of another. */
function mistakesOf(source: SettingsSource, check: Check<Configuration>): Mistake[] {
  const result = check(structuredClone(mergeSettings(defaultSettings(), source.settings)));
  return result.ok ? [] : result.violations.map((violation) => mistake(violation, source.name));
}

function mistake(violation: Violation, source: string): Mistake {
  const key = violation.path.replace(/^configuration\.?/, "");
  return { source, key, expected: violation.expected, value: violation.received };
}

/** What no schema can say, as far as the settings that it is about are right. Each names the last source that stated it. */
function contradictions(
  configuration: Configuration,
  sources: SettingsSource[],
  wrong: ReadonlySet<string>,
): Mistake[] {
  const { host, allowedAddresses, releases, plugins, sessions } = configuration;
  const mistakes: Mistake[] = [];
  const isWrong = (group: string): boolean => [...wrong].some((key) => key.split(/[.[]/, 1)[0] === group);
  const add = (group: string, key: string, expected: string, value: unknown): void => {
    const source = sources.findLast((each) => group in each.settings)?.name ?? "defaults";
    mistakes.push({ source, key, expected, value: JSON.stringify(value) });
  };
  // Who opens a host to a network has to say so twice: it answers everybody who reaches it.
  if (!isLoopback(host) && !allowedAddresses.includes(host) && !isWrong("allowedAddresses")) {
    add("host", "host", 'an address of this machine only, or one that "allowedAddresses" lists', host);
  }
  for (const [release, ranges] of Object.entries(releases)) {
    if (!/^[A-Za-z0-9._~-]+$/.test(release))
      add("releases", `releases.${release}`, "a name that fits into a path", release);
    for (const [plugin, range] of Object.entries(ranges)) {
      if (semver.validRange(range) !== null) continue;
      add("releases", `releases.${release}.${plugin}`, 'a range of versions such as "^1.0.0"', range);
    }
  }
  const names = Object.keys(releases);
  const wanted = plugins.defaultRelease;
  if (wanted !== undefined && names.length > 0 && !names.includes(wanted) && !isWrong("releases")) {
    add("plugins", "plugins.defaultRelease", `one of the releases ${names.join(", ")}`, wanted);
  }
  if (parseLocale(sessions.locale) === undefined) {
    add("sessions", "sessions.locale", 'a locale such as "de_DE"', sessions.locale);
  }
  return mistakes;
}

function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  return isIP(host) === 4 ? host.startsWith("127.") : host === "::1";
}
