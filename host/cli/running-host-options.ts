import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { flags } from "../configuration/flags.js";
import { idOf } from "../security/api-key.js";
import { reachableAddress } from "../system/addresses.js";
import { errorCode } from "../system/errors.js";
import { WrongUse } from "./command-group.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { HostClient } from "./host-client.js";

const hint = '; start one with "slipway start", or name another one with --url';

/** Where a running host is and what opens it; settings of the configuration besides. */
export interface RunningHostOptions extends Record<string, unknown> {
  url?: string;
  keyFile?: string;
}

/** Adds what says where the running host is to a command. */
export function withRunningHostOptions(command: Command): Command {
  command.option(
    "--url <url>",
    "address of the running host; default: the configured host and port",
    address,
  );
  command.option(keyFileFlag, keyFileDescription);
  const taken = ["host", "port"];
  return withConfigurationOptions(
    command,
    flags.map(({ option }) => option).filter((option) => !taken.includes(option)),
  );
}

/** The host that is meant. Throws when the configuration alone does not say it. */
export function runningHostOf(options: RunningHostOptions): HostClient {
  const key = apiKeyOf(options.keyFile);
  if (options.url !== undefined) return new HostClient(options.url, hint, key);
  const { host, port } = configurationOf(options);
  if (port === 0)
    throw new Error("The configured port is 0, any free one; name the running host with --url.");
  return new HostClient(`http://${reachableAddress(host)}:${port}`, hint, key);
}

function address(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('Expected an address such as "http://127.0.0.1:8080".');
}

/** The environment variable with the key for a running host. */
const variable = "SLIPWAY_API_KEY";

/** The flag of a file with the key. There is none for the key itself: all users of a machine can read the arguments of commands. */
export const keyFileFlag = "--key-file <file>";
/** What the help says of this flag. */
export const keyFileDescription = `file with the key for the host, where it asks for one (${variable}: the key itself)`;

/** What to do when a host refuses the key of a command, or asks for one. */
export function keyHint(hasKey: boolean): string {
  return hasKey
    ? `Put one that counts into ${variable}, or into the file that --key-file names.`
    : `Put the key into the environment variable ${variable}, or into a file that --key-file names.`;
}

/** The key for a running host, from the file or else from the environment. Throws for an invalid key, without quoting it. */
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

/** The value of an option for a port; 0 picks a free one. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}
