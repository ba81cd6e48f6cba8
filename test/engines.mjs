/**
 * Runs tests with other versions of Node.js, as a user of each would: `npm run test:engines`. Takes them from npm into
 * `node_modules/.cache/engines`. Ends with a table, and with 1 if anything failed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { Parser } from "tap-parser";

const root = join(import.meta.dirname, "..");
const cache = join(root, "node_modules", ".cache", "engines");
/** The suites that each version runs without `--suite`: scripts of package.json. */
const suitesOf = { 22: ["test"], 24: ["test"], 26: ["test", "test:release"] };
const usage = `npm run test:engines -- [--engine=26] [--suite=test] [--files=test/release/demo.test.ts,…]

  --engine  22, 24 or 26; may be repeated; default: all of them
  --suite   test or test:release; may be repeated; default: test, and with 26 test:release too
  --files   these test files instead, by their sources; separated by commas, with * and **
`;

try {
  process.exitCode = main(chosen());
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function chosen() {
  const list = { type: "string", multiple: true };
  const { values } = parseArgs({
    options: { engine: list, suite: list, files: list, help: { type: "boolean" } },
  });
  const { engine: engines = Object.keys(suitesOf), suite, help } = values;
  if (help) throw new Error(usage);
  for (const each of engines)
    if (!(each in suitesOf)) throw new Error(`There is no engine ${each} here.\n\n${usage}`);
  for (const each of suite ?? [])
    if (!["test", "test:release"].includes(each)) throw new Error(`There is no suite ${each}.\n\n${usage}`);
  if (process.env.npm_execpath === undefined) throw new Error("Start it with npm run test:engines.");
  return { engines, suite, files: values.files?.flatMap((each) => each.split(",")).map(built) };
}

/** The file of a test in `test/dist`; patterns are left to tap. */
function built(source) {
  if (
    !source.startsWith("test/") ||
    !source.endsWith(".test.ts") ||
    !(source.includes("*") || existsSync(join(root, source)))
  )
    throw new Error(`${source} is no test file, such as test/release/demo.test.ts.`);
  return source.replace(/^test\//, "test/dist/").replace(/\.ts$/, ".js");
}

function main({ engines, suite, files }) {
  const rows = engines.flatMap((major) => {
    const engine = installed(major);
    const suites = suite ?? suitesOf[major];
    return files === undefined
      ? suites.map((each) => run(engine, each, []))
      : [run(engine, "test:files", files)];
  });
  process.stdout.write(`\n${table(rows)}\n`);
  return rows.every(({ ok }) => ok) ? 0 : 1;
}

/** Folder of the executable, and version, of an engine, which is installed if it is missing. */
function installed(major) {
  const folder = join(cache, major);
  const bin = join(folder, "node_modules", "node", "bin");
  const program = join(bin, process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(program)) {
    process.stderr.write(`Installing Node.js ${major} …\n`);
    mkdirSync(folder, { recursive: true });
    // npm would look for a package in the folders above. The script of this one fetches the executable for this machine.
    writeFileSync(join(folder, "package.json"), '{ "private": true, "allowScripts": { "node": true } }\n');
    const parameters = ["install", `node@${major}`, "--ignore-scripts=false", "--no-audit", "--no-fund"];
    const { status } = npm(process.execPath, parameters, { cwd: folder });
    if (status !== 0 || !existsSync(program)) {
      rmSync(folder, { recursive: true });
      throw new Error(`Node.js ${major} could not be installed with npm install node@${major}.`);
    }
  }
  // What scripts of npm run with, and so all tests.
  const { stdout } = npm(program, ["exec", "--offline", "-c", "node --version"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const version = stdout.toString().trim();
  if (!version.startsWith(`v${major}.`))
    throw new Error(`Scripts of npm run with Node.js ${version || "unknown"} instead of ${major}.`);
  return { program, version };
}

function run({ program, version }, suite, files) {
  process.stderr.write(`\nnpm run ${suite} with Node.js ${version}\n`);
  const record = join(cache, `${version}-${suite.replace(":", "-")}.tap`);
  rmSync(record, { force: true });
  const began = performance.now();
  const { status } = npm(program, ["run", suite, "--", `--output-file=${record}`, ...files]);
  const seconds = Math.round((performance.now() - began) / 1000);
  return { version, suite, ok: status === 0, seconds, ...counts(record) };
}

/** npm and what it starts, with a version of Node.js. */
function npm(program, parameters, options) {
  const result = spawnSync(program, [process.env.npm_execpath, ...parameters], {
    cwd: root,
    env: environmentOf(program),
    stdio: ["ignore", "inherit", "inherit"],
    ...options,
  });
  if (result.error) throw result.error;
  return result;
}

/** Without what npm has set for this script: it would run scripts with the same Node.js again. */
function environmentOf(program) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name !== "NODE" && (!/^npm_/i.test(name) || /^npm_config_(?!local_prefix$)/i.test(name)),
  );
  const { PATH = "", ...others } = Object.fromEntries(inherited);
  return { ...others, PATH: `${dirname(program)}${delimiter}${PATH}` };
}

/** Results of single assertions; none if the suite ended before its tests, as when lint finds something. */
function counts(record) {
  if (!existsSync(record)) return { passed: 0, failed: 0, skipped: 0 };
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const [kind, result] of Parser.parse(readFileSync(record, "utf8"), { flat: true })) {
    if (kind !== "assert") continue;
    if (result.skip || result.todo) total.skipped++;
    else if (result.ok) total.passed++;
    else total.failed++;
  }
  return total;
}

function table(rows) {
  const head = ["Engine", "Suite", "Passed", "Failed", "Skipped", "Seconds", "Result"];
  const lines = rows.map(({ version, suite, passed, failed, skipped, seconds, ok }) =>
    [version, suite, passed, failed, skipped, seconds, ok ? "ok" : "FAILED"].map(String),
  );
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column].length)));
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
