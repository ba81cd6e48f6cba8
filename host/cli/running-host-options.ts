import { type Command, InvalidArgumentError } from "commander";
import { flags } from "../configuration/flags.js";
import { reachableAddress } from "../system/addresses.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { HostClient } from "./host-client.js";
import { apiKeyOf, keyFileDescription, keyFileFlag } from "./host-key.js";

const hint = '; start one with "slipway start", or name another one with --url';

/** Address and key of a running host, configuration options, and whether to print the host's answer as JSON. */
export interface RunningHostOptions extends Record<string, unknown> {
  url?: string;
  keyFile?: string;
  json?: true;
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

/** The same for a command that can print the answer of the host as it is. */
export function withAnswerOptions(command: Command): Command {
  return withRunningHostOptions(command.option("--json", "print the answer of the host as JSON"));
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

/** Parses a port option; 0 picks a free port. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}
