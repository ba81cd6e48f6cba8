import type { Command } from "commander";
import { flags } from "../configuration/flags.js";
import { keyFileOf } from "../configuration/key-file.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";

/** Adds what says where the key file is. */
export function withKeyOptions(command: Command): Command {
  const others = flags.map(({ option }) => option).filter((option) => option !== "var");
  return withConfigurationOptions(command, others);
}

/** The key file that a command means. */
export function chosenKeyFile(options: Record<string, unknown>): string {
  // Without a key, an address beyond this machine is a mistake of the configuration, and a key is what mends it.
  return keyFileOf(configurationOf({ ...options, host: "127.0.0.1" }));
}
