/** Reads the text format of Prometheus strictly, and makes plugins whose numbers can be told beforehand. */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  kind: string;
  help: string;
  samples: Sample[];
}

/** What one scrape gave. */
export class Exposition {
  readonly families: ReadonlyMap<string, Family>;

  /** Throws for whatever Prometheus would not take. */
  constructor(readonly text: string) {
    this.families = parse(text);
  }

  /** The sum of a metric's samples that have these labels; 0 when there are none. */
  sum(name: string, labels: Record<string, string> = {}): number {
    return this.samples(name, labels).reduce((sum, { value }) => sum + value, 0);
  }

  samples(name: string, labels: Record<string, string> = {}): Sample[] {
    const wanted = Object.entries(labels);
    return [...this.families.values()]
      .flatMap(({ samples }) => samples)
      .filter(
        (sample) => sample.name === name && wanted.every(([key, value]) => sample.labels[key] === value),
      );
  }
}

/** Scrapes a host. */
export async function scrape(url: string): Promise<Exposition> {
  const response = await fetch(`${url}/metrics`);
  const type = response.headers.get("Content-Type") ?? "";
  if (response.status !== 200 || !type.startsWith("text/plain; version=0.0.4"))
    throw new Error(`${response.status} ${type}`);
  return new Exposition(await response.text());
}

const metricName = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = String.raw`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"`;
const sampleLine = new RegExp(String.raw`^(${metricName})(?:\{((?:${label},?)*)\})? (\S+)$`);

function parse(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: { name: string; family: Family } | undefined;
  let help: { name: string; text: string } | undefined;
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") help = { name, text: rest };
    else if (kind === "TYPE") {
      if (families.has(name)) throw new Error(`${name} is there twice`);
      if (help?.name !== name || help.text === "") throw new Error(`${name} has no help`);
      current = { name, family: { kind: rest, help: help.text, samples: [] } };
      families.set(name, current.family);
    } else {
      if (current === undefined) throw new Error(`No type before ${line}`);
      const sample = sampleOf(line, current.name, current.family.kind);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (seen.has(key)) throw new Error(`${key} is there twice`);
      seen.add(key);
      current.family.samples.push(sample);
    }
  }
  for (const [name, { kind, samples }] of families) if (kind === "histogram") checkHistogram(name, samples);
  return families;
}

function sampleOf(line: string, family: string, kind: string): Sample {
  const [, name = "", labels = "", , , number = ""] = sampleLine.exec(line) ?? [];
  const suffixes =
    kind === "histogram" ? ["_bucket", "_sum", "_count"] : kind === "summary" ? ["", "_sum", "_count"] : [""];
  if (!suffixes.some((suffix) => name === family + suffix)) throw new Error(`${line} is not of ${family}`);
  const value = number === "+Inf" ? Number.POSITIVE_INFINITY : Number(number);
  if (number === "" || (Number.isNaN(value) && number !== "NaN")) throw new Error(`No number in ${line}`);
  if (kind === "counter" && !(value >= 0)) throw new Error(`${line} counts below 0`);
  const pairs = [...labels.matchAll(new RegExp(label, "g"))].map(
    ([, key = "", text = ""]): [string, string] => [
      key,
      text.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped)),
    ],
  );
  return { name, labels: Object.fromEntries(pairs), value };
}

/** Buckets grow up to all of them, and count what `_count` counts. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
    const same = ({ labels }: Sample): boolean =>
      Object.entries(count.labels).every(([key, value]) => labels[key] === value);
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket` && same(sample));
    const bounds = buckets.map(({ labels }) =>
      labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]),
    );
    const grow = (numbers: number[]): boolean =>
      numbers.every((each, index) => index === 0 || each >= (numbers[index - 1] ?? 0));
    const complete = bounds.at(-1) === Number.POSITIVE_INFINITY && buckets.at(-1)?.value === count.value;
    if (!complete || !grow(bounds) || !grow(buckets.map(({ value }) => value)))
      throw new Error(`${name} ${JSON.stringify(count.labels)} is no histogram`);
  }
}

/** Puts a version of the plugin `measured` into a drop-in folder; under the name of a place that is there, it replaces it. */
export async function dropPlugin(folder: string, place: string, version: string): Promise<void> {
  const built = join(folder, `.${place}-${version}`);
  await mkdir(built, { recursive: true });
  const manifest = {
    name: "measured",
    version,
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "measured", entry: "index.js" },
  };
  await writeFile(join(built, "package.json"), JSON.stringify(manifest));
  await writeFile(join(built, "index.js"), source);
  await rename(built, join(folder, place));
}

/** Answers, waits, fails, dies, prints, calls itself and measures, each under a path of its own. */
const source = `
import { definePlugin, RequestError, route, serviceMethod, Type } from "@slipway/sdk";

const aborted = (signal) => new Promise((_, reject) => {
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
});

export default definePlugin({
  setup(host) {
    const done = host.metrics.counter("done_total", "Pieces of work", ["kind"]);
    const level = host.metrics.gauge("level", "A level with a \\\\ and a\\nsecond line");
    const sizes = host.metrics.histogram("size_bytes", "Sizes", [], [10, 100]);
    const own = host.service("measured", "own");
    return {
      routes: [
        route.get("ok", { summary: "Answers", handler: () => ({}) }),
        route.get("item/:id", { summary: "Answers for an item", handler: () => ({}) }),
        route.get("late", { summary: "Never answers", timeout: 100, handler: ({ signal }) => aborted(signal) }),
        route.get("hold", { summary: "Answers nobody", timeout: "60s", handler: ({ signal }) => aborted(signal) }),
        route.get("exit", { summary: "Dies", handler: () => process.exit(1) }),
        route.get("fail", {
          summary: "Fails with any id",
          query: Type.Object({ id: Type.String() }),
          handler: ({ query }) => { throw new RequestError({ id: query.id, code: 422, message: "No." }); },
        }),
        route.get("suppress", {
          summary: "Suppresses an error",
          handler: ({ suppress }) => { suppress({ id: "thing-missing", message: "It is missing." }); return {}; },
        }),
        route.get("call", {
          summary: "Calls a service",
          handler: async () => (await own.call("greet", undefined, Type.Object({}))).value,
        }),
        route.post("print", {
          summary: "Prints a page",
          handler: async () => await host.pdf.render({ html: "<!doctype html><title>A</title><p>A", filename: "a" }),
        }),
        route.post("measure", {
          summary: "Measures",
          body: Type.Object({ kinds: Type.Array(Type.String()), level: Type.Number(), sizes: Type.Array(Type.Number()) }),
          handler: ({ body }) => {
            for (const kind of body.kinds) done.add(2, { kind });
            level.set(body.level);
            for (const size of body.sizes) sizes.observe(size);
            return {};
          },
        }),
        route.post("metric", {
          summary: "Makes a metric",
          body: Type.Object({ kind: Type.Enum(["counter", "gauge"]), name: Type.String(), labels: Type.Array(Type.String()) }),
          handler: ({ body }) => {
            try {
              const metric = host.metrics[body.kind](body.name, "Made later", body.labels);
              if (body.kind === "counter") metric.add(1, {}); else metric.set(Number.NaN);
              return { error: null };
            } catch (error) {
              return { error: error.message };
            }
          },
        }),
      ],
      services: {
        own: { greet: serviceMethod({ summary: "Greets", handler: () => ({}) }) },
      },
    };
  },
});
`;
