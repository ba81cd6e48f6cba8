/**
 * Runs benchmarks: `npm run bench -- NAME` one, `npm run bench` each of those that are about one subject. Each prints a table
 * for people, or with `--json` one JSON object; progress goes to standard error. Other options are the benchmark's own.
 * What they start and make is gone when the program ends, also after Ctrl+C.
 */
import { readdir } from "node:fs/promises";
import { cleanUp } from "./measuring/clean-up.js";

/** What a benchmark module exports. */
interface Benchmark {
  run(options: string[]): Promise<{ text: string; json: unknown }>;
}

/** All subjects in one table, and what it was before. */
const aboutAll = ["all", "compare"];
const exitCodes = { SIGINT: 130, SIGTERM: 143 };

const [first, ...rest] = process.argv.slice(2);
const named = first !== undefined && !first.startsWith("-") ? first : undefined;
const options = named === undefined ? process.argv.slice(2) : rest;
const available = (await readdir(import.meta.dirname))
  .filter((name) => name.endsWith(".ts") && name !== "bench.ts")
  .map((name) => name.slice(0, -3));

if (options.includes("--help")) {
  const names = available.sort().join("\n  ");
  process.stdout.write(`npm run bench -- [NAME] [--json] [options of the benchmark]\n\n  ${names}\n`);
  process.exit(0);
}
if (named !== undefined && !available.includes(named)) {
  process.stderr.write(`There is no benchmark "${named}"; there are: ${available.join(", ")}.\n`);
  process.exit(2);
}

let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // npm passes on what the terminal has sent already.
    if (interrupted) return;
    interrupted = true;
    process.stderr.write("stopping\n");
    cleanUp()
      .catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
      .finally(() => process.exit(exitCodes[signal]));
  });
}

try {
  const subjects = available.filter((name) => !aboutAll.includes(name));
  for (const name of named === undefined ? subjects : [named]) {
    const benchmark: Benchmark = await import(`./${name}.ts`);
    const result = await benchmark.run(options.filter((option) => option !== "--json"));
    const output = options.includes("--json")
      ? JSON.stringify({ benchmark: name, result: result.json })
      : result.text;
    process.stdout.write(`${output}\n`);
  }
} catch (error) {
  // What was stopped under its hands fails.
  if (interrupted) await new Promise(() => undefined);
  throw error;
} finally {
  if (!interrupted) await cleanUp();
}
