import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../system/errors.js";
import { isJsonObject, parsedJson } from "../system/json.js";
import type { Configuration } from "./configuration.js";

/** Path of the key file. */
export function keyFileOf({ access, var: folder }: Pick<Configuration, "access" | "var">): string {
  return access.keys ?? join(folder, "keys.json");
}

/** Whether a key file certainly has no key; an unreadable or broken file is left to the host. */
export function hasNoKeys(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    const content = parsedJson(readFileSync(file, "utf8"));
    const keys = isJsonObject(content) ? content["keys"] : undefined;
    return Array.isArray(keys) && keys.length === 0;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
