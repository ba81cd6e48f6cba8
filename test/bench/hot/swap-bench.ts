/** Both first-party plugins are swapped, rolled back and updated while clients use them without a pause. */
import { setTimeout as pause } from "node:timers/promises";
import { openSession, rollback } from "../../host/plugin-load/host-api.js";
import { residentBytes } from "../../host/plugin-load/host-memory.js";
import { type HotHost, startHotHost } from "../../host/plugin-load/hot-host.js";
import { type Answer, Load, type LoadRequest } from "../../host/plugin-load/load.js";
import { exportDefaults, orderExport, report, templates } from "../../host/plugin-load/load-requests.js";
import {
  dropByRename,
  dropFileByFile,
  remove,
  replaceByRename,
} from "../../host/plugin-load/plugin-dropping.js";
import { firstPartyPlugin } from "../../host/plugin-load/plugin-maker.js";
import type { Switch } from "../../host/plugin-load/switches.js";
import { atEnd } from "../measuring/clean-up.js";
import { orderProject } from "../oex/order-project.js";

export interface SwapCounts {
  swaps: number;
  rollbacks: number;
  updates: number;
  clients: number;
}

/** Milliseconds, of `performance.now()`. */
export interface Phase {
  name: string;
  begin: number;
  end: number;
}

export interface MemorySample {
  after: string;
  /** Resident bytes of the host process. */
  bytes: number | undefined;
}

export interface SwapResult {
  answers: readonly Answer[];
  switches: readonly Switch[];
  phases: readonly Phase[];
  memory: readonly MemorySample[];
  /** Milliseconds: from the end of copying to the first answer of the version; of a rollback until it is in force. */
  times: { swaps: number[]; rollbacks: number[]; updates: number[] };
}

const plugins = [
  { name: "Reporter", folder: "reporter" },
  { name: "oex", folder: "oex" },
] as const;
type PluginName = (typeof plugins)[number];

/** Milliseconds; answers of a host that is not warm yet say nothing. */
const warmUp = 5000;
const quiet = 10_000;
/** Between two files of an update in place, in milliseconds. */
const betweenFiles = 5;
const articles = 5;

/** The version that replaced another one stands on trial so long in the benchmark, in milliseconds. */
export const probation = 1000;

export class SwapBench {
  private readonly switches: Switch[] = [];
  private readonly phases: Phase[] = [];
  private readonly memory: MemorySample[] = [];
  private readonly times = { swaps: [] as number[], rollbacks: [] as number[], updates: [] as number[] };
  /** Of each plugin: the last number of a version, and the place of the folder with the highest version. */
  private readonly last = new Map<string, { number: number; place: string }>();

  private constructor(
    private readonly host: HotHost,
    private readonly load: Load,
  ) {
    for (const { name, folder } of plugins)
      this.last.set(name, { number: 0, place: host.place(`${folder}-0`) });
  }

  static async run(counts: SwapCounts, progress: (text: string) => void): Promise<SwapResult> {
    const host = await startHotHost({
      plugins: {
        "reporter-0": await firstPartyPlugin("reporter", "1.0.0"),
        "oex-0": await firstPartyPlugin("oex", "1.0.0"),
      },
      configuration: { plugins: { probation }, log: { level: "warn" } },
    });
    const session = await openSession(host.url, await orderProject(articles));
    const bench = new SwapBench(host, new Load(host.url, requests(session, counts.clients)));
    const stop = atEnd(async () => {
      await bench.load.stop();
      await host.stop();
    });
    try {
      await bench.runPhases(counts, progress);
    } finally {
      await stop();
    }
    const { switches, phases, memory, times } = bench;
    return { answers: bench.load.answers, switches, phases, memory, times };
  }

  private async runPhases(counts: SwapCounts, progress: (text: string) => void): Promise<void> {
    await pause(warmUp);
    progress("quiet");
    await this.phase("quiet", () => pause(quiet));
    await this.phase("swaps", async () => {
      for (let swap = 0; swap < counts.swaps; swap++) {
        this.times.swaps.push(await this.swap(alternating(swap)));
        if (swap + 1 === 10 || (swap + 1) % 20 === 0) {
          await this.sampleMemory(`${swap + 1} swaps`);
          progress(`${swap + 1} of ${counts.swaps} swaps`);
        }
      }
    });
    await this.phase("rollbacks", async () => {
      for (let back = 0; back < counts.rollbacks; back++) {
        this.times.rollbacks.push(await this.rollback(alternating(back), back % 4 < 2));
      }
    });
    progress(`${counts.rollbacks} rollbacks`);
    await this.phase("updates in place", async () => {
      for (let update = 0; update < counts.updates; update++) {
        this.times.updates.push(await this.update(alternating(update), update % 4 < 2));
      }
    });
    progress(`${counts.updates} updates in place`);
    await this.sampleMemory("everything");
  }

  private async phase(name: string, work: () => Promise<unknown>): Promise<void> {
    const begin = performance.now();
    await work();
    this.phases.push({ name, begin, end: performance.now() });
  }

  private async sampleMemory(after: string): Promise<void> {
    this.memory.push({ after, bytes: await residentBytes(this.host.process.pid ?? 0) });
  }

  /** A version comes in beside the one before, whose folder goes when the new one answers. */
  private async swap(plugin: PluginName): Promise<number> {
    const before = this.lastOf(plugin);
    const number = before.number + 1;
    const place = this.host.place(`${plugin.folder}-${number}`);
    await dropByRename(await firstPartyPlugin(plugin.folder, `1.0.${number}`), place);
    const time = await this.answers(plugin, `1.0.${number}`);
    await remove(before.place);
    this.last.set(plugin.name, { number, place });
    return time;
  }

  private async update(plugin: PluginName, byRename: boolean): Promise<number> {
    const { number: before, place } = this.lastOf(plugin);
    const number = before + 1;
    const files = await firstPartyPlugin(plugin.folder, `1.0.${number}`);
    if (byRename) await replaceByRename(files, place);
    else await dropFileByFile(files, place, betweenFiles);
    this.last.set(plugin.name, { number, place });
    return await this.answers(plugin, `1.0.${number}`);
  }

  /** To the version before the last one, and from there forward to the last one again. */
  private async rollback(plugin: PluginName, back: boolean): Promise<number> {
    const version = `1.0.${this.lastOf(plugin).number - (back ? 1 : 0)}`;
    const ordered = performance.now();
    await rollback(this.host.url, plugin.name, { version });
    const at = performance.now();
    const label = `${plugin.name}@${version}`;
    this.switches.push({ plugin: plugin.name, label, at });
    await this.load.nextFrom(label);
    return at - ordered;
  }

  private async answers({ name }: PluginName, version: string): Promise<number> {
    const copied = performance.now();
    const label = `${name}@${version}`;
    const first = await this.load.nextFrom(label);
    this.switches.push({ plugin: name, label, at: first.ended });
    return first.ended - copied;
  }

  private lastOf({ name }: PluginName): { number: number; place: string } {
    const last = this.last.get(name);
    if (last === undefined) throw new Error(`There is no ${name}`);
    return last;
  }
}

function alternating(index: number): PluginName {
  return plugins[index % 2 === 0 ? 0 : 1];
}

/** Most clients ask for little; some make reports and exports. */
function requests(sessionId: string, clients: number): LoadRequest[] {
  const reports = Math.max(1, Math.round(clients * 0.06));
  const exports = Math.max(1, Math.round(clients * 0.12));
  const rest = Math.max(2, clients - reports - exports);
  return [
    templates({ clients: Math.ceil(rest / 2), pause: 60 }),
    exportDefaults({ clients: Math.floor(rest / 2), pause: 60 }),
    orderExport(sessionId, { clients: exports, pause: 400 }),
    report(sessionId, { clients: reports, pause: 800 }),
  ];
}
