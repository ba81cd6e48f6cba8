import { stat } from "node:fs/promises";
import type { Configuration } from "../../configuration/configuration.js";
import { hasNoKeys, keyFileOf } from "../../configuration/key-file.js";
import { isLoopback } from "../../system/loopback.js";
import { type Check, hint, right, wrong } from "./check.js";
import { isReadable, userName } from "./folder-checks.js";

/** A key file that others can read, or that this user cannot. */
export async function keyFileCheck(file: string): Promise<Check[]> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return [];
  if (!(await isReadable(file)))
    return [wrong("keys", `${file} cannot be read; mend it with chown ${userName()} ${file}`)];
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    return [wrong("keys", `others can read ${file}; mend it with chmod 600 ${file}`)];
  return [right("keys", `${file} is readable for its owner alone`)];
}

/** That nobody asks who is there is allowed on purpose, and worth a thought. */
export function openAccessCheck(configuration: Pick<Configuration, "host" | "access" | "var">): Check[] {
  const { host } = configuration;
  if (isLoopback(host) || !hasNoKeys(keyFileOf(configuration))) return [];
  const detail = `whoever reaches ${host} may do everything, because there is no key; make one with slipway key new`;
  return [hint("keys", detail)];
}
