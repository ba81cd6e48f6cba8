import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../system/errors.js";
import { isJsonObject, parsedJson } from "../system/json.js";
import type { Configuration } from "./configuration.js";

/** Path of the key file. */
export function keyFileOf({ access, var: folder }: Pick<Configuration, "access" | "var">): string {
  return access.keys ?? join(folder, "keys.json");
}

/** Whether keys are in the engine that several hosts share, unless a file is named for them. */
export function areKeysShared({ access, engine }: Pick<Configuration, "access" | "engine">): boolean {
  return engine.url !== undefined && access.keys === undefined;
}

/**
 * Whether there certainly is no key. Leaves unreadable or broken files, and keys in the engine, to the host.
 */
export function hasNoKeys(configuration: Pick<Configuration, "access" | "engine" | "var">): boolean {
  if (areKeysShared(configuration)) return false;
  const file = keyFileOf(configuration);
  try {
    if (!statSync(file).isFile()) return false;
    const content = parsedJson(readFileSync(file, "utf8"));
    const keys = isJsonObject(content) ? content["keys"] : undefined;
    return Array.isArray(keys) && keys.length === 0;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
