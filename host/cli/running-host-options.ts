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

/** Address and key of a running host, and configuration options. */
export interface RunningHostOptions extends Record<string, unknown> {
  url?: string;
  keyFile?: string;
}

/** Adds the options that locate a running host. */
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

/** The client for the selected host. Throws when the configuration is not sufficient. */
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

/** Parses a port option; 0 picks a free port. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}
