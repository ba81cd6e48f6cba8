/** How fast hosts and commands start, and what a host costs that does nothing: rows d, e and f. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { runCommand } from "../../run-command.js";
import { commandLineOf } from "../../start-host.js";
import { temporaryFolder } from "../measuring/clean-up.js";
import { treeProcessorTime } from "../measuring/process-tree.js";
import { BenchmarkHost } from "../pdf/benchmark-host.js";
import { largeProject } from "../pdf/large-project.js";
import { median } from "../pdf/statistics.js";
import { type Row, seriesOf } from "./result.js";
import type { Surroundings } from "./surroundings.js";

const steadyReports = 15;
/** Of each command in each round. */
const commandRuns = 5;
/** Milliseconds. */
const idleSettling = 60_000;
const idleWindow = 20_000;

export async function startRows({ installation, rounds, progress }: Surroundings): Promise<Row[]> {
  const first: number[] = [];
  const again: number[] = [];
  const firstReport: number[] = [];
  const seconds: Record<string, number> = {};
  const project = await largeProject(1);
  for (let round = 0; round < rounds; round++) {
    const folder = await temporaryFolder();
    const fresh = await BenchmarkHost.start(folder.path, { installation });
    first.push(fresh.startSeconds);
    await reported(fresh, await fresh.openSession(project));
    await fresh.stop();
    const restarted = await BenchmarkHost.start(folder.path, { installation });
    again.push(restarted.startSeconds);
    const session = await restarted.openSession(project);
    const begun = await reported(restarted, session);
    const steady: number[] = [];
    for (let report = 0; report < steadyReports; report++) steady.push(await reported(restarted, session));
    firstReport.push(begun / median(steady.slice(-10)));
    seconds[`round ${round + 1}, first, s`] = begun;
    seconds[`round ${round + 1}, steady, s`] = median(steady.slice(-10));
    await restarted.stop();
    await folder.remove();
    progress(`d: round ${round + 1} of ${rounds}`);
  }
  return [
    { ...secondsRow("d", "first start of an installation", first), aim: 3.5 },
    { ...secondsRow("d", "restart", again), aim: 1.8 },
    {
      group: "d",
      name: "first report after a restart",
      unit: "of the steady time",
      better: "lower",
      measured: seriesOf(firstReport),
      aim: 2,
      parts: seconds,
    },
  ];
}

export async function commandRows({ installation, rounds, progress }: Surroundings): Promise<Row[]> {
  const folder = await temporaryFolder();
  const host = await BenchmarkHost.start(folder.path, { installation });
  await mkdir(join(folder.path, "elsewhere"));
  const timed = async (...parameters: string[]): Promise<number> => {
    const begun = performance.now();
    const { code, errors } = await runCommand(parameters, {
      folder: join(folder.path, "elsewhere"),
      program: commandLineOf(installation),
    });
    if (code !== 0) throw new Error(`slipway ${parameters.join(" ")}: ${code}: ${errors}`);
    return (performance.now() - begun) / 1000;
  };
  await host.openSession(await largeProject(1));
  await pause(5000); // the start is over
  const help: number[] = [];
  const list: number[] = [];
  await timed("--help");
  for (let count = 0; count < rounds * commandRuns; count++) {
    help.push(await timed("--help"));
    list.push(await timed("session", "list", "--url", host.url));
  }
  await host.stop();
  await folder.remove();
  progress("e: commands");
  return [
    { ...secondsRow("e", "slipway --help", help), aim: 0.15 },
    { ...secondsRow("e", "slipway session list", list), aim: 0.3 },
  ];
}

export async function idleRows({ installation, rounds, progress }: Surroundings): Promise<Row[]> {
  const folder = await temporaryFolder();
  const host = await BenchmarkHost.start(folder.path, { installation });
  await pause(idleSettling);
  const shares: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    const before = await treeProcessorTime(host.pid);
    await pause(idleWindow);
    const used = (await treeProcessorTime(host.pid)) - before;
    shares.push((100 * used) / ((performance.now() - begun) / 1000));
    progress(`f: round ${round + 1} of ${rounds}`);
  }
  await host.stop();
  await folder.remove();
  return [
    {
      group: "f",
      name: "processor time of a host that does nothing",
      unit: "% of one processor",
      better: "lower",
      measured: seriesOf(shares),
      aim: 0.3,
    },
  ];
}

/** Seconds. */
async function reported(host: BenchmarkHost, session: string): Promise<number> {
  const begun = performance.now();
  await host.fetchedReport(session);
  return (performance.now() - begun) / 1000;
}

function secondsRow(group: string, name: string, values: readonly number[]): Row {
  return { group, name, unit: "s", better: "lower", measured: seriesOf(values) };
}
