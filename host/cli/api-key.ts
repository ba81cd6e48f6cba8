import { readFileSync } from "node:fs";
import { idOf } from "../security/api-key.js";
import { errorCode } from "../system/error-code.js";
import { WrongUse } from "./wrong-use.js";

/** The environment variable with the key for a running host. */
const variable = "SLIPWAY_API_KEY";

/** The flag of a file with the key. There is none for the key itself: everybody on a machine can read what commands were given. */
export const keyFileFlag = "--key-file <file>";
/** What the help says of this flag. */
export const keyFileDescription = `file with the key for the host, where it asks for one (${variable}: the key itself)`;

/** What to do when a host refuses the key of a command, or asks for one. */
export function keyHint(hasKey: boolean): string {
  return hasKey
    ? `Put one that counts into ${variable}, or into the file that --key-file names.`
    : `Put the key into the environment variable ${variable}, or into a file that --key-file names.`;
}

/** The key for a running host: of the file, or else of the environment. Throws for what is no key, without a word of it. */
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
