import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "./manifest.js";
import { Rejection } from "./rejection.js";

type Settings = Record<string, unknown>;

/** The plugin's own default configuration with the host's over it: objects member by member, everything else as a whole. */
export async function pluginSettings(
  folder: string,
  manifest: Manifest,
  ofHost: Settings,
): Promise<Settings> {
  const { config } = manifest.slipway;
  return config === undefined ? ofHost : overlaid(await readDefaults(folder, config), ofHost);
}

async function readDefaults(folder: string, file: string): Promise<Settings> {
  const text = await readFile(join(folder, file), "utf8").catch(() => {
    throw new Rejection(`the default configuration ${file} cannot be read`);
  });
  const value = parse(file, text);
  if (!isSettings(value)) throw new Rejection(`the default configuration ${file} is no JSON object`);
  return value;
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Rejection(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function overlaid(below: Settings, above: Settings): Settings {
  const result: Settings = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = below[key];
    result[key] = isSettings(under) && isSettings(value) ? overlaid(under, value) : value;
  }
  return result;
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
