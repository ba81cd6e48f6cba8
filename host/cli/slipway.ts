#!/usr/bin/env node
import { ConfigurationError } from "../configuration/configuration-error.js";
import { errorMessage } from "../system/errors.js";
import { printableLines } from "../system/terminal-text.js";
import { WrongUse, wrongUse } from "./command-group.js";
/** The command line. */
import { slipwayProgram } from "./program.js";
import { endProgress, forgiveGoneReaders } from "./standard-output.js";

forgiveGoneReaders();
slipwayProgram(process.argv.slice(2))
  .then((program) => program.parseAsync())
  .catch(endWith);

/** Prints an error to standard error and exits: 2 for wrong usage or configuration, else 1. */
function endWith(error: unknown): never {
  endProgress();
  process.stderr.write(`${printableLines(errorMessage(error))}\n`);
  if (process.env["SLIPWAY_LOG_LEVEL"] === "debug" && error instanceof Error)
    process.stderr.write(`${printableLines(error.stack ?? "")}\n`);
  process.exit(error instanceof ConfigurationError || error instanceof WrongUse ? wrongUse : 1);
}
