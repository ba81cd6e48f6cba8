/** Reports per second over HTTP, of the host and of all contenders in turns: rows a and b. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contentsOf } from "../finish/pdf-contents.js";
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
    [1, 60],
    [2, 100],
    [8, 200],
  ]),
  b: new Map([
    [1, 12],
    [2, 24],
    [8, 40],
  ]),
};
type Group = keyof typeof reports;
/** Reports before the first measurement, until code is compiled and caches are full. */
const warmUps = { a: 60, b: 8 };

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
    installation: surroundings.installation,
    plugins: [join(plugins, "all")],
    configuration: { log: { level: "warn" } },
  });
  const session = await host.openSession(documents.project);
  const services: { contender: Contender | undefined; service: PrintService }[] = [
    {
      contender: undefined,
      service: {
        pid: host.pid,
        print: ({ html }) => host.fetchedPrint(session, html),
        stop: () => host.stop(),
      },
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
  for (const entrant of entrants) await warmedUp(entrant, document, warmUps[group]);
  for (let round = 0; round < rounds; round++) {
    for (const clients of clientCounts) {
      const turn = round % entrants.length;
      for (const { contender, service, rates } of [...entrants.slice(turn), ...entrants.slice(0, turn)]) {
        const share = contender?.share ?? 1;
        const count = Math.max(2 * clients, Math.ceil((reports[group].get(clients) ?? clients) * share));
        const begun = performance.now();
        await closedLoop(count, () => service.print(document), clients);
        const rate = count / ((performance.now() - begun) / 1000);
        rates.set(clients, [...(rates.get(clients) ?? []), rate]);
      }
    }
    progress(`${group}: round ${round + 1} of ${rounds}`);
  }
  return clientCounts.flatMap((clients) => rowsOf(group, document, clients, entrants, missing));
}

/** Rejects where one prints other pages than wanted, or without tags or pictures: it would have other work. */
async function warmedUp(
  { contender, service }: Entrant,
  document: PrintDocument,
  count: number,
): Promise<void> {
  const { pages, figures } = await contentsOf(await service.print(document));
  if (pages !== document.pages || figures !== document.pictures) {
    const wanted = `${document.pages} and ${document.pictures}`;
    throw new Error(
      `${document.name}: ${contender?.name ?? "the host"} prints ${pages} pages and ${figures} tagged pictures, not ${wanted}`,
    );
  }
  await closedLoop(Math.ceil(count * (contender?.share ?? 1)), () => service.print(document), 2);
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
