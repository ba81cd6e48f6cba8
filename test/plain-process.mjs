/**
 * Loaded before everything else into each test file (see .taprc). Coverage is off, but tap would still watch each file that a
 * test loads, and each process that it starts: a fifth of the processor time of a test file.
 */
import module from "node:module";

process.env["__TAPJS_PROCESSINFO_TESTING_NO_REGISTER__"] = String(process.pid);
for (const name of ["register", "registerHooks"]) {
  const original = module[name];
  if (original === undefined) continue;
  module[name] = () => {
    module[name] = original;
  };
}

if (process.env["SLIPWAY_RECORD_MESSAGES"] !== undefined) await import("./record-messages.mjs");
