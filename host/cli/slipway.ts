#!/usr/bin/env node
import { ConfigurationError } from "../configuration/configuration-error.js";
import { errorMessage } from "../system/errors.js";
import { printableLines } from "../system/terminal-text.js";
import { WrongUse, wrongUse } from "./command-group.js";
/** The command line. */
import { slipwayProgram } from "./program.js";
import { endProgress, forgiveGoneReaders } from "./standard-output.js";

forgiveGoneReaders();
slipwayProgram().parseAsync().catch(endWith);

/** Says what went wrong on standard error and ends: 2 for wrong use or a wrong configuration, 1 for everything else. */
function endWith(error: unknown): never {
  endProgress();
  process.stderr.write(`${printableLines(errorMessage(error))}\n`);
  if (process.env["SLIPWAY_LOG_LEVEL"] === "debug" && error instanceof Error)
    process.stderr.write(`${printableLines(error.stack ?? "")}\n`);
  process.exit(error instanceof ConfigurationError || error instanceof WrongUse ? wrongUse : 1);
}
