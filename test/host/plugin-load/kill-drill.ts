/** `kill -9` of the host in the middle of swaps. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type StartedHost, startHost } from "../../start-host.js";
import { until } from "../plugins-support.js";
import { pluginStates } from "./host-api.js";
import { dropByRename, dropFileByFile, replaceByRename } from "./plugin-dropping.js";
import { type PluginFiles, samplePlugin } from "./plugin-maker.js";
import { descendants, isAlive } from "./process-tree.js";

export interface KillResult {
  way: string;
  /** From the beginning of the drop to the kill, in milliseconds. */
  moment: number;
  /** The versions of which one has to answer. */
  between: readonly [string, string];
  /** What answered first after the restart: a version; or "1.0.1 with 1.0.2", or an error. */
  first: string;
  /** From the start to that answer, in milliseconds. */
  restart: number;
  /** Processes of the killed host that had to end with it. */
  processes: number;
}

interface Way {
  way: string;
  drop(files: PluginFiles, folder: string, version: string): Promise<void>;
}

/** Each brings a version into the drop-in folder, where others lie. */
const ways: readonly Way[] = [
  { way: "beside, by rename", drop: (files, folder, version) => dropByRename(files, join(folder, version)) },
  { way: "in place, by rename", drop: (files, folder) => replaceByRename(files, join(folder, "sample")) },
  {
    way: "in place, file by file",
    drop: (files, folder) => dropFileByFile(files, join(folder, "sample"), 250),
  },
];

/** About as long as a swap takes with all that belongs to it, in milliseconds. */
const swapTime = 1500;
/** Its multiples, without what is before the point, are spread well however many there are. */
const goldenRatio = 0.618;

/**
 * Kills a host so many times, each in the middle of a swap, at moments that are spread over it, and starts it again on
 * the same folders while the copying goes on. Rejects when the new version does not answer in the end, or a process of a
 * killed host goes on.
 */
export async function killDuringSwaps(
  rounds: number,
  done: (result: KillResult) => void = () => undefined,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-kill-"));
  const dropIn = join(folder, "plugins");
  await mkdir(dropIn);
  await dropByRename(await samplePlugin({ version: "1.0.0" }), join(dropIn, "sample"));
  const options = {
    var: join(folder, "var"),
    plugins: [dropIn],
    configuration: { plugins: { probation: 500 } },
  };
  let host = await startHost(options);
  try {
    for (let round = 0; round < rounds; round++) {
      const between = [`1.0.${round}`, `1.0.${round + 1}`] as const;
      await until(async () => (await answering(host.url)) === between[0]);
      const { way, drop } = wayOf(round);
      const moment = Math.round(swapTime * ((round * goldenRatio) % 1));
      const dropped = drop(await samplePlugin({ version: between[1] }), dropIn, between[1]);
      await pause(moment);
      const processes = await killWithAll(host);
      const begun = performance.now();
      host = await startHost(options);
      const first = await answering(host.url);
      done({ way, moment, between, first, restart: performance.now() - begun, processes });
      await dropped;
    }
    await until(async () => (await answering(host.url)) === `1.0.${rounds}`);
  } finally {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function wayOf(round: number): Way {
  const way = ways[round % ways.length];
  if (way === undefined) throw new RangeError(`There is no way ${round}`);
  return way;
}

/** The version that answers, and of what it is mixed; or what came instead. */
async function answering(url: string): Promise<string> {
  const response = await fetch(`${url}/EAIWS/plugins/Sample/version`);
  const text = await response.text();
  if (!response.ok) return `${response.status} ${text}`;
  const { version, part }: { version: string; part: string } = JSON.parse(text);
  const header = response.headers.get("slipway-plugin") ?? "nobody";
  const all = new Set([version, part, header.replace(/^Sample@/, "")]);
  return [...all].join(" with ");
}

/** Kills the host and waits until everything that it started has ended; gives how many that were. */
async function killWithAll(host: StartedHost): Promise<number> {
  const listed = (await pluginStates(host.url)).flatMap(({ processId }) => processId ?? []);
  // It starts nothing more while it is looked at.
  host.process.kill("SIGSTOP");
  const all = [...new Set([...listed, ...(await descendants(host.process.pid ?? 0))])];
  await host.kill();
  for (const id of all) await until(async () => !(await isAlive(id)));
  return all.length;
}
