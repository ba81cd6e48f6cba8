/** Runs the commands of a page as they are printed; only the address of the host is another one. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { cleanEnvironment } from "../start-host.js";
import type { Block, Page } from "./pages.js";

const printedAddress = "http://127.0.0.1:8080";
const timeout = 480_000;

/** What npx does with a program that is there, without the second that npm takes to start. */
const npx = 'npx() { local program="$1"; shift; "./node_modules/.bin/$program" "$@"; }';

/** What a block printed, and what the page says that it answers. */
export interface Ran {
  block: Block;
  output: string;
  documented: unknown;
}

/** The blocks of shell commands of a page, one after the other in one shell. */
export async function runCommands(page: Page, host: string, folder: string): Promise<Ran[]> {
  const printed = page.blocks.flatMap((block, index) => {
    if (block.language !== "sh" || !canRun(block)) return [];
    const next = page.blocks[index + 1];
    const documented: unknown =
      next?.language === "json" && next.name === "" ? JSON.parse(next.content) : undefined;
    return [{ block, documented }];
  });
  if (printed.length === 0) return [];
  const mark = "---- end of a block ----";
  const script = [npx, ...printed.map(({ block }) => `${block.content}\necho; echo '${mark}'`)].join("\n");
  // Commands that find a running host by its configured port.
  const port = { SLIPWAY_PORT: new URL(host).port };
  const output = await run("bash", ["-euo", "pipefail", "-c", addressed(script, host)], folder, port);
  const outputs = output.split(mark);
  return printed.map((each, index) => ({ ...each, output: (outputs[index] ?? "").trim() }));
}

/** `no-test` never runs, `needs <program>` where there is that program. */
function canRun({ name }: Block): boolean {
  const [, program] = /^needs (\S+)$/.exec(name) ?? [];
  return program === undefined ? name !== "no-test" : hasProgram(program);
}

/** Whether the machine has a program. */
export function hasProgram(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

/** A page's JavaScript as a module of its own; gives what it printed. */
export async function runModule(source: string, host: string, folder: string): Promise<string> {
  const file = join(folder, "printed.mjs");
  await writeFile(file, addressed(source, host));
  return run(process.execPath, [file], folder);
}

function addressed(script: string, host: string): string {
  return script.replaceAll(printedAddress, host);
}

async function run(
  command: string,
  parameters: string[],
  folder: string,
  further: NodeJS.ProcessEnv = {},
): Promise<string> {
  const child = spawn(command, parameters, {
    cwd: folder,
    env: { ...cleanEnvironment(), SLIPWAY_VAR: `${folder}/var`, ...further },
    stdio: ["ignore", "pipe", "pipe"],
    timeout,
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}\n${errors}`);
  return output;
}

/** A JSON value with everything replaced that differs from run to run. */
export function comparable(value: unknown): unknown {
  if (typeof value === "string") return steady(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      passing.has(key) && typeof member === "number" ? "<number>" : comparable(member),
    ]),
  );
}

/** Members of what the host says of plugins. */
const passing = new Set(["since", "processId"]);

function steady(value: string): string {
  return value
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replace(/^[0-9a-f]{64}$/, "<hash>")
    .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "<time>")
    .replace(/^http:\/\/127\.0\.0\.1:\d+\/files\/[\w-]{24}\//, "<file>/")
    .replace(/^((?:<file>\/)?oex-.*)_\d{8}-\d{6}\b/, "$1_<time>")
    .replace(/^\S.* is ready\.$/, "<browser> is ready.")
    .replace(/^\d+ (plugin|template)s? serving$/, "<some> $1 serving");
}
