/**
 * Prepares a fresh clone: installs the locked dependencies if needed, and builds what has changed. Plain JavaScript,
 * because it runs before anything is installed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const installed = join(root, "node_modules", ".slipway-installed");

requireNode(20, 19);
installWhatIsMissing();
run(process.execPath, [join(root, "host", "build", "build.mjs")], "The build failed.");

function requireNode(major, minor) {
  const [nodeMajor, nodeMinor] = process.versions.node.split(".").map(Number);
  if (nodeMajor > major || (nodeMajor === major && nodeMinor >= minor)) return;
  stop(`Slipway needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}.`);
}

function installWhatIsMissing() {
  // Every version of Node.js takes the same files: native parts use Node-API alone.
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  process.stderr.write("Installing dependencies …\n");
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  run(
    command,
    // No dependency needs its install script, so none is run.
    [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    "Installing the dependencies failed.",
  );
  writeFileSync(installed, wanted);
}

/** Output goes to standard error; standard output belongs to the following command. */
function run(command, parameters, failure) {
  const result = spawnSync(command, parameters, { cwd: root, stdio: ["ignore", 2, 2], shell: false });
  if (result.status !== 0) stop(result.error ? `${failure} ${result.error.message}` : failure);
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
