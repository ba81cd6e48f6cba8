#!/usr/bin/env node
import { createPlugin } from "@slipway/sdk/scaffold";

process.exitCode = await createPlugin(process.argv.slice(2));
