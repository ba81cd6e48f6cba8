/**
 * Builds the tests and runs those that are named by their sources, such as `node test/run.mjs test/sdk/locale.test.ts`, with
 * further parameters for tap. With `--watch` it runs one, and once more after each change.
 */
import { spawn, spawnSync } from "node:child_process";
import { join, relative, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const build = join(import.meta.dirname, "build.mjs");
const watches = process.argv.includes("--watch");
const parameters = process.argv.slice(2).filter((each) => each !== "--watch");
const tests = parameters.filter((each) => each.endsWith(".test.ts")).map(built);
const others = parameters.filter((each) => !each.endsWith(".test.ts"));
const [first] = tests;
if (first === undefined) {
  process.stderr.write("Name a test, such as test/sdk/locale.test.ts.\n");
  process.exit(1);
}

run([build]);
if (watches) {
  spawn(process.execPath, [build, "--watch"], { cwd: root, stdio: "inherit" });
  spawn(process.execPath, ["--watch", "--enable-source-maps", first], { cwd: root, stdio: "inherit" });
} else {
  run([join(root, "node_modules", "tap", "dist", "esm", "run.mjs"), ...others, ...tests]);
}

function built(source) {
  const name = relative(import.meta.dirname, resolve(source));
  return join("test", "dist", name.replace(/\.ts$/, ".js"));
}

function run(command) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
