/**
 * All that Slipway promises about speed and memory, each row with its aim and, where there is one, measured in turns with a
 * contender: the machine's load goes into both, so ratios count more than times. The result is printed and stored.
 *
 * Options: --rows=a,b (the letters of the table; all), --rounds=N (3), --skip-peers (no contenders), --out FILE,
 * --installation DIR (another checkout, built, in place of this one).
 */
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { commandLineOf, repository } from "../start-host.js";
import { browserOfHosts, findContenders } from "./all/contenders.js";
import { memoryRows } from "./all/memory-rows.js";
import { printingRows } from "./all/printing-rows.js";
import { projectRows } from "./all/project-rows.js";
import { currentCommit, machine, type Row, storeResult } from "./all/result.js";
import { resultText } from "./all/result-table.js";
import { commandRows, idleRows, startRows } from "./all/start-rows.js";
import type { Surroundings } from "./all/surroundings.js";
import { temporaryFolder } from "./measuring/clean-up.js";
import { numberOption } from "./pdf/number-option.js";

const groups = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] as const;
type Group = (typeof groups)[number];

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const begun = performance.now();
  const date = new Date().toISOString();
  const [load = 0] = loadavg();
  const installation = installationOf(options);
  const commit = await currentCommit(installation);
  const wanted = wantedGroups(options);
  const rounds = numberOption(options, "rounds", 3);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds takes a whole number from 1, not ${rounds}`);
  const out = outFile(options, date);
  const folder = await temporaryFolder();
  const browser = await browserOfHosts(folder.path);
  const compares = wanted.some((group) => ["a", "b", "c"].includes(group));
  const { contenders, missing } =
    compares && !options.includes("--skip-peers")
      ? await findContenders(browser)
      : { contenders: [], missing: [] };
  const progress = (text: string): void => {
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
    process.stderr.write(`${minutes} min  ${text}\n`);
  };
  const rows = await measuredRows(wanted, { installation, rounds, contenders, missing, progress });
  const result = {
    date,
    commit,
    versions: {
      "Node.js": process.versions.node,
      browser: browser.version,
      ...Object.fromEntries(contenders.map(({ name, version }) => [name, version])),
    },
    machine: machine(load),
    rounds,
    seconds: Math.round((performance.now() - begun) / 1000),
    rows,
  };
  await storeResult(out, result);
  return { text: `${resultText(result)}\n\nstored in ${out}`, json: result };
}

/** One part after the other: what runs beside it would be in its times. */
async function measuredRows(wanted: readonly Group[], surroundings: Surroundings): Promise<Row[]> {
  const among = <Some extends Group>(...some: Some[]): Some[] => some.filter((each) => wanted.includes(each));
  const rows = await printingRows(among("a", "b"), surroundings);
  if (wanted.includes("c")) rows.push(...(await memoryRows(surroundings)));
  if (wanted.includes("d")) rows.push(...(await startRows(surroundings)));
  if (wanted.includes("e")) rows.push(...(await commandRows(surroundings)));
  if (wanted.includes("f")) rows.push(...(await idleRows(surroundings)));
  rows.push(...(await projectRows(among("g", "h", "i", "j"), surroundings)));
  return rows;
}

function wantedGroups(options: readonly string[]): Group[] {
  const named = options.find((option) => option.startsWith("--rows="))?.slice("--rows=".length);
  if (named === undefined) return [...groups];
  const letters = named.split(",");
  const unknown = letters.filter((letter) => !groups.some((group) => group === letter));
  if (unknown.length > 0)
    throw new Error(`--rows takes letters of ${groups.join(", ")} with commas, not ${unknown.join(", ")}`);
  return groups.filter((group) => letters.includes(group));
}

function outFile(options: readonly string[], date: string): string {
  const name = `${date.replaceAll(":", "-").slice(0, 19)}.json`;
  return pathOption(options, "out") ?? join(repository, "node_modules", ".cache", "slipway-bench", name);
}

function installationOf(options: readonly string[]): string {
  const given = pathOption(options, "installation");
  if (given === undefined) return repository;
  if (!existsSync(commandLineOf(given)))
    throw new Error(`--installation: there is no built host in ${given}`);
  return resolve(given);
}

/** As "--out FILE" or "--out=FILE"; undefined without it. */
function pathOption(options: readonly string[], name: string): string | undefined {
  const index = options.findIndex((option) => option === `--${name}` || option.startsWith(`--${name}=`));
  if (index === -1) return undefined;
  const path = options[index]?.slice(`--${name}=`.length) || options[index + 1];
  if (path === undefined || path.startsWith("--")) throw new Error(`--${name} needs a path`);
  return path;
}
