/** The key with which a command calls a running host. */
import { readFileSync } from "node:fs";
import { idOf } from "../security/api-key.js";
import { errorCode } from "../system/errors.js";
import { WrongUse } from "./command-group.js";

/** The environment variable with the key for a running host. */
const variable = "SLIPWAY_API_KEY";

/** The flag for a key file. There is no flag for the key itself: all users of a machine can read command arguments. */
export const keyFileFlag = "--key-file <file>";
/** Help text of the flag. */
export const keyFileDescription = `file with the key for the host, where it asks for one (${variable}: the key itself)`;

/** The remedy for a missing or invalid key. */
export function keyHint(hasKey: boolean): string {
  return hasKey
    ? `Put one that counts into ${variable}, or into the file that --key-file names.`
    : `Put the key into the environment variable ${variable}, or into a file that --key-file names.`;
}

/** The key for a running host, from the file or the environment. Throws for an invalid key, without quoting it. */
export function apiKeyOf(file: string | undefined): string | undefined {
  const text = file === undefined ? process.env[variable] : readKey(file);
  const key = text?.trim() ?? "";
  if (key === "" && file === undefined) return undefined;
  if (idOf(key) === undefined) {
    const place = file === undefined ? `The environment variable ${variable}` : `The file ${file}`;
    throw new WrongUse(`${place} holds no key; expected one as "slipway key new" prints it.`);
  }
  return key;
}

function readKey(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new WrongUse(`The key file ${file} cannot be read (${errorCode(error) ?? String(error)}).`);
  }
}
