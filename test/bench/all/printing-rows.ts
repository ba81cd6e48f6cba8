/** Reports per second over HTTP, of the host and of all contenders in turns: rows a and b. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pagesOf, readPdf } from "@slipway/sdk/runtime/pdf";
import { temporaryFolder } from "../measuring/clean-up.js";
import { BenchmarkHost } from "../pdf/benchmark-host.js";
import { closedLoop } from "../pdf/closed-loop.js";
import type { Contender, MissingContender, PrintService } from "./contenders.js";
import { type PrintDocument, servePrintDocuments } from "./print-documents.js";
import { type Row, seriesOf } from "./result.js";
import type { Surroundings } from "./surroundings.js";

const clientCounts = [1, 2, 8];
/** Reports of the host in one measurement, by clients. */
const reports = {
  a: new Map([
    [1, 15],
    [2, 24],
    [8, 40],
  ]),
  b: new Map([
    [1, 4],
    [2, 8],
    [8, 16],
  ]),
};
type Group = keyof typeof reports;

const plugins = fileURLToPath(new URL("..", import.meta.url));

interface Entrant {
  /** undefined: the host. */
  contender: Contender | undefined;
  service: PrintService;
  /** Reports per second by clients, one for each round. */
  rates: Map<number, number[]>;
}

export async function printingRows(groups: readonly Group[], surroundings: Surroundings): Promise<Row[]> {
  if (groups.length === 0) return [];
  const documents = await servePrintDocuments();
  const folder = await temporaryFolder();
  const host = await BenchmarkHost.start(folder.path, {
    plugins: [join(plugins, "all")],
    configuration: { fetch: { allowedInternalHosts: [documents.pictureServer] }, log: { level: "warn" } },
  });
  const services: { contender: Contender | undefined; service: PrintService }[] = [
    {
      contender: undefined,
      service: { pid: host.pid, print: (html) => host.fetchedPrint(html), stop: () => host.stop() },
    },
  ];
  const missing = [...surroundings.missing];
  for (const contender of surroundings.contenders) {
    const own = join(folder.path, `contender-${services.length}`);
    await mkdir(own);
    try {
      services.push({ contender, service: await contender.start(own) });
    } catch (error) {
      missing.push({ name: contender.name, reason: String(error) });
    }
  }
  const rows: Row[] = [];
  for (const group of groups) {
    const document = group === "a" ? documents.onePage : documents.manyPages;
    rows.push(...(await measured(group, document, services, missing, surroundings)));
  }
  for (const { service } of services) await service.stop();
  await folder.remove();
  return rows;
}

async function measured(
  group: Group,
  document: PrintDocument,
  services: readonly Pick<Entrant, "contender" | "service">[],
  missing: readonly MissingContender[],
  { rounds, progress }: Surroundings,
): Promise<Row[]> {
  const entrants = services.map((each): Entrant => ({ ...each, rates: new Map() }));
  for (const entrant of entrants) await warmedUp(entrant, document);
  for (let round = 0; round < rounds; round++) {
    for (const clients of clientCounts) {
      const turn = round % entrants.length;
      for (const { contender, service, rates } of [...entrants.slice(turn), ...entrants.slice(0, turn)]) {
        const share = contender?.share ?? 1;
        const count = Math.max(clients, Math.ceil((reports[group].get(clients) ?? clients) * share));
        const begun = performance.now();
        await closedLoop(count, () => service.print(document.html), clients);
        const rate = count / ((performance.now() - begun) / 1000);
        rates.set(clients, [...(rates.get(clients) ?? []), rate]);
      }
    }
    progress(`${group}: round ${round + 1} of ${rounds}`);
  }
  return clientCounts.flatMap((clients) => rowsOf(group, document, clients, entrants, missing));
}

/** Rejects where one prints another number of pages than wanted: it would have other work. */
async function warmedUp(
  { contender, service }: Entrant,
  { name, html, pages }: PrintDocument,
): Promise<void> {
  for (let time = 0; time < 3; time++) {
    const file = readPdf(await service.print(html));
    const count = pagesOf(file, file.catalog).length;
    if (count !== pages)
      throw new Error(`${name}: ${contender?.name ?? "the host"} prints ${count} pages, not ${pages}`);
  }
}

function rowsOf(
  group: Group,
  document: PrintDocument,
  clients: number,
  entrants: readonly Entrant[],
  missing: readonly MissingContender[],
): Row[] {
  const base = {
    group,
    name: `${document.name}, ${clients} ${clients === 1 ? "client" : "clients"}`,
    unit: "reports/s",
    better: "higher" as const,
  };
  const [host, ...others] = entrants;
  const ours = host?.rates.get(clients) ?? [];
  const rows = others.map(({ contender, rates }): Row => {
    const theirs = rates.get(clients) ?? [];
    const aim = group === "a" ? contender?.aims.onePage : contender?.aims.manyPages;
    return {
      ...base,
      measured: seriesOf(ours),
      contender: { name: contender?.name ?? "", measured: seriesOf(theirs) },
      ratio: seriesOf(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN))),
      ...(aim !== undefined && { aim }),
    };
  });
  const left = missing.map(({ name, reason }): Row => ({ ...base, contender: { name }, missing: reason }));
  return rows.length > 0 || left.length > 0 ? [...rows, ...left] : [{ ...base, measured: seriesOf(ours) }];
}
