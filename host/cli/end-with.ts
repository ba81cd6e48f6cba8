import { ConfigurationError } from "../configuration/configuration-error.js";
import { printableLines } from "./terminal-text.js";

/** Says what went wrong on standard error and ends: 2 for a wrong configuration, 1 for everything else. */
export function endWith(error: unknown): never {
  process.stderr.write(`${printableLines(error instanceof Error ? error.message : String(error))}\n`);
  if (process.env["SLIPWAY_LOG_LEVEL"] === "debug" && error instanceof Error)
    process.stderr.write(`${printableLines(error.stack ?? "")}\n`);
  process.exit(error instanceof ConfigurationError ? 2 : 1);
}
