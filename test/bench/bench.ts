/**
 * Runs benchmarks: `npm run bench` all of them, `npm run bench -- NAME` one. Each prints a table for people, or with
 * `--json` one JSON object; progress goes to standard error. Other options are the benchmark's own.
 */
import { readdir } from "node:fs/promises";

/** What a benchmark module exports. */
interface Benchmark {
  run(options: string[]): Promise<{ text: string; json: unknown }>;
}

const [first, ...rest] = process.argv.slice(2);
const named = first !== undefined && !first.startsWith("-") ? first : undefined;
const options = named === undefined ? process.argv.slice(2) : rest;
const available = (await readdir(import.meta.dirname))
  .filter((name) => name.endsWith(".ts") && name !== "bench.ts")
  .map((name) => name.slice(0, -3));

if (named !== undefined && !available.includes(named)) {
  process.stderr.write(`There is no benchmark "${named}"; there are: ${available.join(", ")}.\n`);
  process.exit(2);
}
for (const name of named === undefined ? available : [named]) {
  const benchmark: Benchmark = await import(`./${name}.ts`);
  const result = await benchmark.run(options.filter((option) => option !== "--json"));
  const output = options.includes("--json")
    ? JSON.stringify({ benchmark: name, result: result.json })
    : result.text;
  process.stdout.write(`${output}\n`);
}
