/**
 * What traces cost: a small route of a plugin, asked by a few clients at a time, of a host without traces and of one that
 * sends all of them to a collector on the same machine. Both run at once and are asked in turns, so that the machine's
 * load goes into both alike; the CPU of the host's own process counts more than the rate.
 *
 * Options: --rounds=N, --requests=N (of each host in each round).
 */
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { processorTime } from "../host/plugin-load/process-tree.js";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { atEnd } from "./measuring/clean-up.js";
import { numberOption } from "./pdf/number-option.js";
import { median, short, table } from "./pdf/statistics.js";

const clients = 8;
const plugins = join(repository, "test", "fixtures", "plugins", "good");
const path = "/EAIWS/plugins/troublemaker/fine";

interface Round {
  perSecond: number;
  /** Microseconds of the host's own process for one request. */
  cpu: number;
}

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const rounds = numberOption(options, "rounds", 6);
  const requests = numberOption(options, "requests", 3000);
  let sent = 0;
  const collector = createServer((request, response) => {
    sent += 1;
    request.resume().on("end", () => response.writeHead(200).end("{}"));
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { log: { level: "warn" } };
  const hosts = new Map<string, StartedHost>();
  const stop = atEnd(async () => {
    await Promise.all([...hosts.values()].map((host) => host.stop()));
    collector.close();
  });
  const configurations = {
    "without traces": settings,
    "all requests traced": { ...settings, tracing: { endpoint } },
  };
  for (const [name, configuration] of Object.entries(configurations))
    hosts.set(name, await startHost({ plugins: [plugins], configuration }));
  const measured = new Map([...hosts.keys()].map((name) => [name, [] as Round[]]));
  try {
    for (const host of hosts.values()) await ask(host, requests);
    for (let round = 0; round < rounds; round++) {
      for (const [name, host] of round % 2 === 0 ? hosts : [...hosts].reverse())
        measured.get(name)?.push(await measure(host, requests));
      process.stderr.write(`round ${round + 1} of ${rounds}\n`);
    }
  } finally {
    await stop();
  }
  const results = [...measured].map(([name, taken]) => ({
    host: name,
    perSecond: median(taken.map(({ perSecond }) => perSecond)),
    cpu: median(taken.map(({ cpu }) => cpu)),
  }));
  const rows = results.map(({ host, perSecond, cpu }) => [host, short(perSecond), short(cpu)]);
  return {
    text: table([["host", "requests/s", "CPU of the host, µs per request"], ...rows]),
    json: { clients, exports: sent, results },
  };
}

async function measure(host: StartedHost, requests: number): Promise<Round> {
  const before = await cpuOf(host);
  const begun = performance.now();
  await ask(host, requests);
  const seconds = (performance.now() - begun) / 1000;
  return { perSecond: requests / seconds, cpu: (((await cpuOf(host)) - before) * 1e6) / requests };
}

/** Seconds that the process of a host has worked. */
async function cpuOf({ process: { pid = 0 } }: StartedHost): Promise<number> {
  return (await processorTime(pid)) ?? Number.NaN;
}

async function ask({ url }: StartedHost, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let left = requests;
  const client = async (): Promise<void> => {
    while (left-- > 0) await answered(`${url}${path}`, agent);
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
}

function answered(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().on("end", resolve);
    }).on("error", reject);
  });
}
