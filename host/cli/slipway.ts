#!/usr/bin/env node
/** The command line. */
import { endWith } from "./end-with.js";
import { slipwayProgram } from "./program.js";
import { forgiveGoneReaders } from "./standard-output.js";

forgiveGoneReaders();
slipwayProgram().parseAsync().catch(endWith);
