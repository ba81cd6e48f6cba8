/** Memory of hosts and contenders, each alone on the machine as far as the benchmark goes: rows c. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { temporaryFolder } from "../measuring/clean-up.js";
import { exportOptions } from "../oex/export-over-http.js";
import { orderProject } from "../oex/order-project.js";
import { BenchmarkHost } from "../pdf/benchmark-host.js";
import { closedLoop } from "../pdf/closed-loop.js";
import { largeProject } from "../pdf/large-project.js";
import { type MemoryByRole, memoryByRole, totalMemory } from "../pdf/process-memory.js";
import { median } from "../pdf/statistics.js";
import type { Contender } from "./contenders.js";
import { servePrintDocuments } from "./print-documents.js";
import { type Row, seriesOf } from "./result.js";
import type { Surroundings } from "./surroundings.js";

/** Milliseconds: plugins begin after the host listens. */
const settling = 15_000;
const afterExport = 60_000;
const betweenSamples = 250;
const idleSamples = 8;
const clients = 2;
const loadReports = 100;
const reportsOfTenth = 100;

const idle = "memory, idle after the start";
const underLoad = `memory, ${clients} clients ask for one-page reports`;

interface Measured {
  idle: MemoryByRole[];
  underLoad: MemoryByRole[];
}

export async function memoryRows(surroundings: Surroundings): Promise<Row[]> {
  const folder = await temporaryFolder();
  const rows = await hostRows(folder.path, surroundings);
  const [ours, ourLoad] = rows;
  for (const contender of surroundings.contenders) {
    const own = join(folder.path, `contender-${rows.length}`);
    await mkdir(own);
    surroundings.progress(`c: memory of ${contender.name}`);
    const theirs = await contenderMemory(contender, own);
    rows.push(
      compared(ours, contender.name, theirs.idle),
      compared(ourLoad, contender.name, theirs.underLoad),
    );
  }
  await folder.remove();
  return rows;
}

async function hostRows(folder: string, { installation, progress }: Surroundings): Promise<Row[]> {
  progress("c: memory of the host");
  const host = await BenchmarkHost.start(folder, { installation });
  const idleHost = await settledSamples(host.pid);
  const page = await host.openSession(await largeProject(1));
  const loaded = await withLoad(host.pid, () => host.fetchedReport(page));
  const tenths: MemoryByRole[][] = [];
  for (let tenth = 1; tenth <= 10; tenth++) {
    await closedLoop(reportsOfTenth, () => host.fetchedReport(page), clients);
    tenths.push(await samples(host.pid));
    progress(`c: ${tenth * reportsOfTenth} one-page reports`);
  }
  await host.stop();
  const totals = tenths.map((samples) => median(samples.map(totalMemory)));
  const [fifth = Number.NaN] = totals.slice(4);
  return [
    { ...row(idle, idleHost), aim: 260 },
    { ...row(underLoad, loaded), aim: 330 },
    ...(await exportRows(folder, installation, progress)),
    {
      group: "c",
      name: "memory, each tenth of 1,000 one-page reports from the fifth on",
      unit: "of the fifth",
      better: "lower",
      measured: seriesOf(totals.slice(4).map((total) => total / fifth)),
      parts: Object.fromEntries(totals.map((total, index) => [`tenth ${index + 1}, MiB`, total])),
    },
  ];
}

/** Of a host that has done nothing before. */
async function exportRows(
  folder: string,
  installation: string,
  progress: (text: string) => void,
): Promise<Row[]> {
  const host = await BenchmarkHost.start(folder, { installation });
  const order = await host.openSession(await orderProject(10_000));
  await host.exportOex(order, exportOptions);
  await host.workbook(order);
  progress("c: a minute after the large export");
  await pause(afterExport);
  const open = await samples(host.pid);
  await host.closeSession(order);
  const closed = await settledSamples(host.pid);
  await host.stop();
  const name = "memory, a minute after an export and a workbook of 10,000 articles";
  return [{ ...row(name, open), aim: 450 }, row(`${name}, its session closed`, closed)];
}

async function contenderMemory(contender: Contender, folder: string): Promise<Measured> {
  const { onePage } = await servePrintDocuments();
  const service = await contender.start(folder);
  const idle = await settledSamples(service.pid);
  const underLoad = await withLoad(service.pid, () => service.print(onePage));
  await service.stop();
  return { idle, underLoad };
}

async function withLoad(pid: number, report: () => Promise<unknown>): Promise<MemoryByRole[]> {
  await closedLoop(10, report, clients);
  const underLoad: MemoryByRole[] = [];
  let working = true;
  const load = closedLoop(loadReports, report, clients).finally(() => {
    working = false;
  });
  do {
    underLoad.push(await memoryByRole(pid));
    await pause(betweenSamples);
  } while (working);
  await load;
  return underLoad;
}

async function settledSamples(pid: number): Promise<MemoryByRole[]> {
  await pause(settling);
  return samples(pid);
}

async function samples(pid: number): Promise<MemoryByRole[]> {
  const taken: MemoryByRole[] = [];
  for (let number = 0; number < idleSamples; number++) {
    taken.push(await memoryByRole(pid));
    await pause(betweenSamples);
  }
  return taken;
}

function row(name: string, samples: readonly MemoryByRole[]): Row {
  const parts = Object.keys(samples[0] ?? {}).flatMap((role) => {
    const size = median(samples.map((sample) => Number(Reflect.get(sample, role))));
    return size > 0 ? [[`${role}, MiB`, size]] : [];
  });
  return {
    group: "c",
    name,
    unit: "MiB",
    better: "lower",
    measured: seriesOf(samples.map(totalMemory)),
    parts: Object.fromEntries(parts),
  };
}

/** Both are medians of moments, not of rounds: there is one ratio. */
function compared(ours: Row | undefined, name: string, theirs: readonly MemoryByRole[]): Row {
  if (ours?.measured === undefined) throw new Error("the host was not measured");
  const { aim: _aim, parts: _parts, ...rest } = ours;
  const measured = seriesOf(theirs.map(totalMemory));
  return {
    ...rest,
    contender: { name, measured },
    ratio: seriesOf([ours.measured.median / measured.median]),
  };
}
