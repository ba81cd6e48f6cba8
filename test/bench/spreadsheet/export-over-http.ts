/** The whole export over HTTP: the real plugin in a real host, of a project with pictures. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { checked, Type, Validator } from "@slipway/sdk";
import { repository, type StartedHost, startHost } from "../../start-host.js";
import { atEnd, temporaryFolder } from "../measuring/clean-up.js";
import { median } from "../pdf/statistics.js";
import { measureWriting } from "./measure-writing.js";
import { pictureProject } from "./picture-project.js";

const megabyte = 1024 ** 2;
/** Milliseconds; how long a project takes to open is not asked here. */
const patience = 10 * 60_000;

export interface ExportMeasurement {
  articles: number;
  /** Milliseconds of the first workbook, and the median of the later ones. */
  first: number;
  later: number;
  /** Processor time of the plugin's process for a later one, the median, milliseconds. */
  cpu: number;
  /** That of the library alone for the same cells, without pictures and without calculating what stands in them. */
  library: number;
  /** Resident memory of the plugin's process, MiB. */
  memory: {
    /** Before it had work. */
    idle: number;
    /** With the project and its calculation, after an export as CSV. */
    project: number;
    /** The highest one while it wrote workbooks. */
    peak: number;
    /** When the last one was written. */
    after: number;
  };
  /** Of the workbook. */
  bytes: number;
}

const File = Type.Object({ url: Type.String() });
const Session = Type.Object({ sessionId: Type.String() });
const Plugins = Type.Object({
  plugins: Type.Array(
    Type.Object({ name: Type.String(), stage: Type.String(), processId: Type.Optional(Type.Integer()) }),
  ),
});

/** A project with so many articles is exported so many times, by a host of its own. */
export async function measureExport(articles: number, rounds: number): Promise<ExportMeasurement> {
  const host = await startHost({
    plugins: [join(repository, "plugins")],
    configuration: {
      limits: { project: 1024 * megabyte },
      sessions: { opening: { timeout: patience }, maximumBytes: 4096 * megabyte },
    },
  });
  const stop = atEnd(() => host.stop());
  const { path: folder, remove } = await temporaryFolder();
  try {
    const process = await pluginProcess(host);
    const content = await pictureProject(articles);
    const { sessionId } = await posted(host, "/api/sessions", Session, content, "application/zip");
    const idle = await memory(process);
    const exported = (path: string) =>
      posted(host, `/EAIWS/plugins/excel/${path}`, File, JSON.stringify({ sessionId }), "application/json");
    await exported("v1/exportCSV/articlelist");
    const project = await memory(process);
    const times: number[] = [];
    const processorTimes: number[] = [];
    let url = "";
    const peak = await highest(process, async () => {
      for (let round = 0; round < rounds; round++) {
        const begun = performance.now();
        const processorTime = await cpuTime(process);
        ({ url } = await exported("v1/export"));
        times.push(performance.now() - begun);
        processorTimes.push((await cpuTime(process)) - processorTime);
      }
    });
    const after = await memory(process);
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const file = join(folder, "workbook.xlsx");
    await writeFile(file, bytes);
    const library = await measureWriting({ contender: "library", rows: 0, pictures: false, file });
    const [first = Number.NaN, ...others] = times;
    return {
      articles,
      first,
      later: median(others),
      cpu: median(processorTimes.slice(1)),
      library: library.cpu,
      memory: { idle, project, peak, after },
      bytes: bytes.length,
    };
  } finally {
    await stop();
    await remove();
  }
}

async function posted<Schema extends typeof File | typeof Session>(
  host: StartedHost,
  path: string,
  schema: Schema,
  body: Uint8Array | string,
  type: string,
) {
  const response = await fetch(new URL(path, host.url), {
    method: "POST",
    headers: { "content-type": type },
    body: typeof body === "string" ? body : Buffer.from(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return checked(new Validator().compile(schema, "the answer")(JSON.parse(text)), "the answer");
}

/** Resolves when the plugin is up. */
async function pluginProcess(host: StartedHost): Promise<number> {
  for (;;) {
    const answer: unknown = await (await fetch(new URL("/api/plugins", host.url))).json();
    const { plugins } = checked(new Validator().compile(Plugins, "the answer")(answer), "the answer");
    const process = plugins.find(({ name, stage }) => name === "excel" && stage === "live")?.processId;
    if (process !== undefined) return process;
    await pause(200);
  }
}

/** Resident memory of a process in MiB; Linux only. */
async function memory(process: number): Promise<number> {
  const status = await readFile(`/proc/${process}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Milliseconds that a process has had of all cores; Linux only. */
async function cpuTime(process: number): Promise<number> {
  const [, fields = ""] = /\) (.*)/s.exec(await readFile(`/proc/${process}/stat`, "utf8")) ?? [];
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  // A hundredth of a second each.
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10;
}

async function highest(process: number, work: () => Promise<void>): Promise<number> {
  let peak = await memory(process);
  const watch = setInterval(() => {
    memory(process).then(
      (now) => {
        peak = Math.max(peak, now);
      },
      () => undefined,
    );
  }, 50);
  await work().finally(() => clearInterval(watch));
  return peak;
}
