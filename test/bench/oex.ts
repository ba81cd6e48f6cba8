/**
 * How fast an order becomes OEX. Writing alone: our writer, template strings by hand that give the same bytes, and
 * xmlbuilder2 with the whole document, interleaved in one run; the machine's load goes into all of them alike, so the
 * ratios count. Each writes in a process of its own, which is warmed up first. Then the whole export over HTTP, of a
 * project with pictures, while the host is asked whether it lives.
 *
 * Options: --rounds=N (of writing), --exports=N of each size (0: none), --articles=N (of the exported project).
 */
import { availableParallelism } from "node:os";
import {
  bundleContenders,
  type Contender,
  contenders,
  hash,
  type Measurement,
  measure,
} from "./oex/contenders.js";
import { type ExportResult, measureExports } from "./oex/export-over-http.js";
import { numberOption } from "./pdf/number-option.js";
import { median, short, table } from "./pdf/statistics.js";

const sizes = [1000, 10_000, 100_000];
const exportSizes = [1000, 10_000];
/** Our writer takes at most so many times the CPU of the template strings. */
const target = 1.5;

interface WritingResult {
  contender: string;
  articles: number;
  perSecond: number;
  /** Milliseconds, median. */
  cpu: number;
  /** MiB, the highest one. */
  peakMemory: number;
  /** Of the document. */
  bytes: number;
}

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const rounds = numberOption(options, "rounds", 5);
  const exports = numberOption(options, "exports", 3);
  const articles = numberOption(options, "articles", 0);
  await bundleContenders();
  const writing: WritingResult[] = [];
  if (rounds > 0) for (const size of sizes) writing.push(...(await measureWriting(size, rounds)));
  const exported = exports > 0 ? await measureExports(articles > 0 ? [articles] : exportSizes, exports) : [];
  const parts = [rounds > 0 ? writingReport(writing) : [], exported.length > 0 ? exportReport(exported) : []];
  return {
    text: parts.flat().join("\n"),
    json: { cores: availableParallelism(), target, writing, exported },
  };
}

async function measureWriting(articles: number, rounds: number): Promise<WritingResult[]> {
  const taking = contenders.filter(({ limit }) => articles <= limit);
  await assertSameBytes(taking, articles);
  const measurements = new Map(taking.map((contender) => [contender, [] as Measurement[]]));
  for (let round = 0; round < rounds; round++) {
    const first = round % taking.length;
    for (const contender of [...taking.slice(first), ...taking.slice(0, first)]) {
      measurements.get(contender)?.push(await measure(contender, articles));
    }
    process.stderr.write(`${articles} articles: round ${round + 1} of ${rounds}\n`);
  }
  return [...measurements].map(([{ title }, taken]) => ({
    contender: title,
    articles,
    perSecond: articles / (median(taken.map(({ milliseconds }) => milliseconds)) / 1000),
    cpu: median(taken.map(({ cpu }) => cpu)),
    peakMemory: Math.max(...taken.map(({ peakMemory }) => peakMemory)),
    bytes: taken[0]?.bytes ?? 0,
  }));
}

async function assertSameBytes(taking: Contender[], articles: number): Promise<void> {
  const hashes = new Map<string, string>();
  for (const contender of taking) hashes.set(await hash(contender, articles), contender.title);
  if (hashes.size !== 1) throw new Error(`different documents of ${[...hashes.values()].join(" and ")}`);
}

function writingReport(results: WritingResult[]): string[] {
  const cpuOf = (name: Contender["name"], articles: number): number => {
    const title = contenders.find((contender) => contender.name === name)?.title;
    return results.find((each) => each.contender === title && each.articles === articles)?.cpu ?? Number.NaN;
  };
  const rows = results.map(({ contender, articles, perSecond, cpu, peakMemory, bytes }) => [
    `${articles} articles, ${contender}`,
    short(perSecond),
    short(cpu),
    short(cpu / cpuOf("templates", articles)),
    short(peakMemory),
    short(bytes / 2 ** 20),
  ]);
  const heading = ["", "articles/s", "CPU ms", "CPU ratio", "peak MiB", "document MiB"];
  const ratios = sizes.map((articles) => short(cpuOf("writer", articles) / cpuOf("templates", articles)));
  return [
    table([heading, ...rows]),
    "",
    `CPU of our writer in that of the template strings: ${ratios.join(", ")} (target: at most ${target})`,
    "",
  ];
}

function exportReport(results: ExportResult[]): string[] {
  const heading = [
    "over HTTP",
    "opening ms",
    "first export ms",
    "later ms",
    "host MiB",
    "plugin MiB",
    "all MiB",
    "OEX / OBX / ZIP MiB",
    "healthz ms, median / p95 / worst",
  ];
  const rows = results.map(({ articles, opening, first, later, memory, bytes, health }) => [
    `${articles} articles`,
    short(opening),
    short(first),
    short(later),
    short(memory.root),
    short(memory.child),
    short(memory.tree),
    ["oex", "obx", "archive"].map((name) => short((bytes[name] ?? Number.NaN) / 2 ** 20)).join(" / "),
    [health.median, health.p95, health.worst].map(short).join(" / "),
  ]);
  return [table([heading, ...rows])];
}
