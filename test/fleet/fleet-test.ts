/**
 * `npm run fleet-test`: hosts on one database while everything dies that can, and what has to stay true. Prints a table; the
 * exit code is 1 when a promise is broken. Everything that it starts is gone at its end, also after Ctrl+C.
 */
import { randomInt } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { cleanUp } from "../bench/measuring/clean-up.js";
import { table } from "../bench/pdf/statistics.js";
import { Random } from "./random.js";
import type { Row, RowResult, Sizes } from "./rows/row.js";

const rows = ["mix", "switches", "jobs", "fences", "outage", "throughput"] as const;
type RowName = (typeof rows)[number];

/** For somebody who tries it: some minutes on two cores. */
const quick: Sizes = {
  requests: 6000,
  clients: 16,
  killEvery: 8000,
  primaryKills: 1,
  switches: 6,
  quarantines: 2,
  jobs: 120,
  outage: 10,
  standstill: 5,
  reports: 60,
};

/** What the page of promises rests on. */
const full: Sizes = {
  requests: 300_000,
  clients: 24,
  killEvery: 20_000,
  primaryKills: 5,
  switches: 100,
  quarantines: 20,
  jobs: 2000,
  outage: 60,
  standstill: 15,
  reports: 400,
};

const usage = `npm run fleet-test -- [--rows ${rows.join(",")}] [--seed N] [--full] [--out FILE]
  ${Object.keys(quick)
    .map((name) => `[--${name} N]`)
    .join(" ")}`;

const sizeOptions = Object.fromEntries(Object.keys(quick).map((name) => [name, { type: "string" as const }]));

/** What was asked for; undefined where that is no such thing. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      rows: { type: "string" },
      seed: { type: "string" },
      full: { type: "boolean", default: false },
      out: { type: "string" },
      ...sizeOptions,
    },
  });
  const given = new Map(Object.entries(values));
  const number = (name: string, fallback: number): number => {
    const text = given.get(name);
    const value = text === undefined ? fallback : Number(text);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new Error(`--${name}: expected a number, received ${text}`);
    return value;
  };
  const base = values.full === true ? full : quick;
  const sizes: Sizes = { ...base };
  for (const [name, fallback] of Object.entries(base))
    Object.assign(sizes, { [name]: number(name, fallback) });
  const wanted = String(values.rows ?? rows.join(",")).split(",");
  const chosen = rows.filter((row) => wanted.includes(row));
  if (chosen.length !== wanted.length) throw new Error(`--rows: expected some of ${rows.join(", ")}`);
  return { sizes, chosen, seed: number("seed", randomInt(2 ** 31)), out: values.out };
}

interface Told extends RowResult {
  row: RowName;
}

async function runRow(row: RowName, sizes: Sizes, random: Random): Promise<Told> {
  const progress = (text: string): void => void process.stderr.write(`${row}: ${text}\n`);
  try {
    const module: Row = await import(`./rows/${row}.ts`);
    return { row, ...(await module.run({ sizes, random, progress })) };
  } catch (error) {
    // The other rows are run nevertheless.
    const problem = `it broke off: ${error instanceof Error ? error.stack : String(error)}`;
    return { row, done: "nothing in whole", findings: [], problems: [problem] };
  }
}

function textOf({ row, done, findings, problems }: Told): string {
  const word = (isKept: boolean | undefined): string =>
    isKept === undefined ? "" : isKept ? "kept" : "BROKEN";
  const lines = findings.map(({ what, seen, isKept }) => [what, seen, word(isKept)]);
  const shown = findings.length === 0 ? [] : [table([[row, "seen", "promise"], ...lines])];
  return [`${row}: ${done}`, ...shown, ...problems].join("\n");
}

// Whoever reads it may be gone first after Ctrl+C; what was started has to end nevertheless.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

let isInterrupted = false;
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(signal, () => {
    // npm passes on what the terminal has sent already.
    if (isInterrupted) return;
    isInterrupted = true;
    process.stderr.write("stopping\n");
    cleanUp()
      .catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
      .finally(() => process.exit(code));
  });
}

async function main(): Promise<void> {
  const { sizes, chosen, seed, out } = readOptions();
  process.stdout.write(`Seed ${seed}: --seed ${seed} draws the same faults again.\n`);
  const results: Told[] = [];
  for (const row of chosen) {
    // By itself: a row has the same faults with and without the others.
    results.push(await runRow(row, sizes, new Random(seed + rows.indexOf(row))));
    if (isInterrupted) return;
  }
  process.stdout.write(`\n${results.map(textOf).join("\n\n")}\n`);
  if (out !== undefined)
    await writeFile(String(out), `${JSON.stringify({ seed, sizes, results }, undefined, 2)}\n`);
  const isBroken = ({ findings, problems }: Told): boolean =>
    problems.length > 0 || findings.some(({ isKept }) => isKept === false);
  if (results.some(isBroken)) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 2;
} finally {
  if (!isInterrupted) await cleanUp();
}
