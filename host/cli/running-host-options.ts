import { type Command, InvalidArgumentError } from "commander";
import { flags } from "../configuration/flags.js";
import { reachableAddress } from "../system/reachable-address.js";
import { apiKeyOf, keyFileDescription, keyFileFlag } from "./api-key.js";
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
