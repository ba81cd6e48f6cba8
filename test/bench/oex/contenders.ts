/** Who writes the benchmark's document, and processes that do it. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleProgram } from "../measuring/bundle-program.js";

/** Its documents have at most so many articles; larger ones do not fit into its memory. */
export interface Contender {
  name: "writer" | "templates" | "whole";
  title: string;
  limit: number;
}

export const contenders: Contender[] = [
  { name: "writer", title: "our writer", limit: Number.POSITIVE_INFINITY },
  { name: "templates", title: "template strings", limit: Number.POSITIVE_INFINITY },
  { name: "whole", title: "xmlbuilder2, whole", limit: 10_000 },
];

/** What writing one document took in a process of its own, after a small one for warming up. */
export interface Measurement {
  milliseconds: number;
  /** CPU of all threads, milliseconds. */
  cpu: number;
  /** MiB of the process, with Node.js itself. */
  peakMemory: number;
  bytes: number;
}

const source = fileURLToPath(new URL("./contender.js", import.meta.url));
const bundle = fileURLToPath(
  new URL("../../../node_modules/.cache/bench/oex-contender.mjs", import.meta.url),
);
const execute = promisify(execFile);

export const bundleContenders = (): Promise<void> => bundleProgram(source, bundle);

export async function measure({ name }: Contender, articles: number): Promise<Measurement> {
  return JSON.parse(await run(name, articles));
}

/** Of the bytes that the contender writes. */
export async function hash({ name }: Contender, articles: number): Promise<string> {
  return JSON.parse(await run(name, articles, "hash")).hash;
}

async function run(...parameters: (string | number)[]): Promise<string> {
  const { stdout } = await execute(process.execPath, [bundle, ...parameters.map(String)]);
  return stdout;
}
