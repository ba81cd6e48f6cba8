/** Builds SDK and host; skips most of what has not changed since the last build. Plain JavaScript: it is the build. */
import { spawnSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const commandLine = join(root, "host", "dist", "cli", "slipway.js");

run("The build failed.", "node_modules/typescript/bin/tsc", "-b", "sdk", "host");
run("Writing the validators failed.", "sdk/build/write-validators.mjs");
run("Bundling the host failed.", "host/build/bundle.mjs");
run("Writing the validators failed.", "host/build/write-validators.mjs");
run("Writing the schemas failed.", "sdk/build/write-schemas.mjs");
run("Writing the schemas failed.", "host/build/write-schemas.mjs");
run("Writing the starter in JavaScript failed.", "sdk/build/write-javascript-starter.mjs");
run("Packing the SDK failed.", "sdk/build/pack.mjs");
run("Building the pages failed.", "host/build/build-pages.mjs");
// npx executes it directly.
if ((statSync(commandLine).mode & 0o111) === 0) chmodSync(commandLine, 0o755);

/** Output goes to standard error; standard output belongs to the command that needs the build. */
function run(failure, program, ...parameters) {
  const { status, error } = spawnSync(process.execPath, [join(root, program), ...parameters], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  process.stderr.write(`${failure}${error === undefined ? "" : ` ${error.message}`}\n`);
  process.exit(1);
}
