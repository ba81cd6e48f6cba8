import { isAbsolute, resolve } from "node:path";
import { isJsonObject } from "../system/json.js";

/** A tree of settings from one source, not validated. */
export type Settings = Record<string, unknown>;

/** Replacement of secret values. */
export const hidden = "(hidden)";

/** Settings with their source, for error messages. */
export interface SettingsSource {
  /** Such as "file /etc/slipway.json", "environment variable SLIPWAY_PORT", "flag --port". */
  name: string;
  settings: Settings;
  /** Its values are never shown. */
  isSecret?: boolean;
}

export function isSettings(value: unknown): value is Settings {
  return isJsonObject(value);
}

/** One setting as a tree: `settingAt(["sessions", "lifetime"], 5)` is `{ sessions: { lifetime: 5 } }`. */
export function settingAt(path: readonly string[], value: unknown): Settings {
  const [key, ...rest] = path;
  if (key === undefined) throw new Error("A setting needs a key");
  return { [key]: rest.length === 0 ? value : settingAt(rest, value) };
}

/** The top-level setting of a key such as "pdf.pages". */
export function groupOf(key: string): string {
  return key.split(/[.[]/, 1)[0] ?? key;
}

/** Later settings win; objects are merged by member, other values are replaced. */
export function mergeSettings(earlier: Settings, later: Settings): Settings {
  const merged: Settings = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const before = merged[key];
    merged[key] = isSettings(before) && isSettings(value) ? mergeSettings(before, value) : value;
  }
  return merged;
}

/**
 * Makes paths absolute: those in a file are relative to that file, those in flags and variables to the working
 * directory.
 */
export function resolveFolders(settings: Settings, base: string): Settings {
  const absolute = (value: unknown): unknown => {
    if (typeof value === "string" && value !== "" && !isAbsolute(value)) return resolve(base, value);
    return Array.isArray(value) ? value.map(absolute) : value;
  };
  const resolved: Settings = { ...settings };
  if ("var" in settings) resolved["var"] = absolute(settings["var"]);
  const access = settings["access"];
  if (isSettings(access) && "keys" in access)
    resolved["access"] = { ...access, keys: absolute(access["keys"]) };
  const folders = settings["folders"];
  if (isSettings(folders)) {
    resolved["folders"] = Object.fromEntries(
      Object.entries(folders).map(([key, value]) => [key, absolute(value)]),
    );
  }
  return resolved;
}
