/** Exports, data and reports of large projects over HTTP: rows g to j. */
import { temporaryFolder } from "../measuring/clean-up.js";
import { exportOptions } from "../oex/export-over-http.js";
import { orderProject } from "../oex/order-project.js";
import { BenchmarkHost } from "../pdf/benchmark-host.js";
import { largeProject } from "../pdf/large-project.js";
import { type Row, seriesOf } from "./result.js";
import type { Surroundings } from "./surroundings.js";

type Group = "g" | "h" | "i" | "j";

const sizes = [
  { articles: 1000, title: "1,000 articles", aims: { first: 0.7, again: 0.35, data: 0.4 } },
  { articles: 10_000, title: "10,000 articles", aims: { first: 4.5, again: 3, data: 3 } },
];
const quoteAim = 2.5;
const openingAim = 0.7;

/** Seconds by row. */
type Times = Map<string, { group: Group; aim: number; values: number[] }>;

/** Each round has sessions of its own, so that nothing is left of the round before. */
export async function projectRows(
  groups: readonly Group[],
  { installation, rounds, progress }: Surroundings,
): Promise<Row[]> {
  if (groups.length === 0) return [];
  const folder = await temporaryFolder();
  const host = await BenchmarkHost.start(folder.path, { installation });
  const times: Times = new Map();
  const timed = async (group: Group, name: string, aim: number, work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    const row = times.get(name) ?? { group, aim, values: [] };
    row.values.push((performance.now() - begun) / 1000);
    times.set(name, row);
  };
  const projects = await Promise.all(
    sizes.map(async (size) => ({ ...size, json: JSON.stringify(await orderProject(size.articles)) })),
  );
  const quote = JSON.stringify(await largeProject(1000, 18));
  // Code that is loaded once is not what the first row is about.
  const small = await host.openSession(await orderProject(10));
  await host.exportOex(small, exportOptions);
  await host.templateDataText(small);
  await host.fetchedReport(small);
  for (let round = 0; round < rounds; round++) {
    for (const { articles, title, aims, json } of projects) {
      if (groups.includes("g")) {
        const session = await host.openSession(json);
        const exported = () => host.exportOex(session, exportOptions);
        await timed("g", `order export of ${title}, the session's first`, aims.first, exported);
        await timed("g", `order export of ${title}, again`, aims.again, exported);
        await host.closeSession(session);
      }
      if (groups.includes("h")) {
        const session = await host.openSession(json);
        await timed("h", `data.json of ${title}`, aims.data, () => host.templateDataText(session));
        await host.closeSession(session);
      }
      if (groups.includes("j") && articles === 10_000) {
        const opened: string[] = [];
        const megabytes = (Buffer.byteLength(json) / 1e6).toFixed(0);
        await timed("j", `opening ${title}, ${megabytes} MB of JSON`, openingAim, async () =>
          opened.push(await host.openSession(json)),
        );
        for (const session of opened) await host.closeSession(session);
      }
    }
    if (groups.includes("i")) {
      const session = await host.openSession(quote);
      await timed("i", "quote of 1,000 articles with 18 pictures, PDF", quoteAim, () =>
        host.fetchedReport(session),
      );
      await host.closeSession(session);
    }
    progress(`${groups.join(", ")}: round ${round + 1} of ${rounds}`);
  }
  await host.stop();
  await folder.remove();
  return [...times]
    .map(
      ([name, { group, aim, values }]): Row => ({
        group,
        name,
        unit: "s",
        better: "lower",
        measured: seriesOf(values),
        aim,
      }),
    )
    .sort((first, second) => first.group.localeCompare(second.group));
}
