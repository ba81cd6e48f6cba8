/** The database is away for a while, under load: what hosts answer, how long they take, and that they come back by themselves. */
import { setTimeout as pause } from "node:timers/promises";
import { percentile, short } from "../../bench/pdf/statistics.js";
import { residentBytes } from "../../host/plugin-load/host-memory.js";
import { session } from "../../host/sessions-support.js";
import { Client, type FleetRequest, isGood, permittedFailure, type Reply, shown } from "../client.js";
import { projectName } from "../ledger.js";
import { Projects } from "../projects.js";
import { type FleetHost, RunningFleet, reportPath } from "../running-fleet.js";
import { atMost, none, type RowOptions, type RowResult } from "./row.js";

const clientsOfHost = 8;
/** Milliseconds between two requests of a client. */
const between = 20;
/** Milliseconds. */
const answerLimit = 2500;
const recoveryLimit = 3000;
/** Milliseconds after which what was begun before is over. */
const settled = 3000;
/** Bytes by which the memory of a host may differ between the beginning of the outage and its end. */
const memoryLimit = 32 * 1024 ** 2;

interface Seen {
  host: FleetHost;
  /** Of `performance.now()`. */
  began: number;
  reply: Reply;
}

export async function run({ sizes, progress }: RowOptions): Promise<RowResult> {
  const fleet = await RunningFleet.start({ hosts: 3 });
  try {
    const projects = await Projects.learn(fleet.balancer.url);
    const load = new Load(fleet, await requestsOf(fleet, projects));
    await pause(3000);
    progress(`the database stops for ${sizes.outage} s`);
    await fleet.database.stop();
    const left = performance.now();
    await pause(settled);
    const memory = await memoryOf(fleet);
    await pause(sizes.outage * 1000 - settled);
    const growth = (await memoryOf(fleet)).map((bytes, index) => bytes - (memory[index] ?? 0));
    const health = await Promise.all(fleet.hosts.map(({ url }) => fetch(`${url}/healthz`)));
    const away = performance.now();
    await fleet.database.start();
    const back = performance.now();
    progress("it is back");
    await fleet.areReady();
    await pause(2000);
    await load.stop();

    const during = load.seen.filter(({ began }) => began > left && began < away);
    const wrong = during.filter(({ reply }) => reply.status !== 503 || permittedFailure(reply) === undefined);
    const later = load.seen.filter(({ began, reply }) => began >= away && !isGood(reply));
    const other = later.filter(({ reply }) => permittedFailure(reply) === undefined);
    const times = during.map(({ reply }) => reply.milliseconds);
    const firsts = fleet.hosts.map((host) => firstSuccess(load.seen, host, away) - back);
    return {
      done: `the database away for ${sizes.outage} s, ${during.length} requests meanwhile`,
      findings: [
        none("answers other than 503 with Retry-After", wrong.length),
        none("other failures afterwards", other.length),
        atMost("slowest of them", Math.max(...times), answerLimit, " ms"),
        {
          what: "p50 and p95 of them",
          seen: `${short(percentile(times, 50))} and ${short(percentile(times, 95))} ms`,
        },
        atMost("growth of a host's memory", Math.max(...growth) / 1024 ** 2, memoryLimit / 1024 ** 2, " MiB"),
        none("hosts that were not healthy", health.filter(({ ok }) => !ok).length),
        atMost(
          "first success of the last host after it was back",
          Math.max(0, ...firsts),
          recoveryLimit,
          " ms",
        ),
        none(
          "hosts that ended",
          fleet.hosts.filter((host) => host.process?.process.exitCode !== null).length,
        ),
      ],
      problems: [...wrong, ...other]
        .slice(0, 5)
        .map(({ host, reply }) => `host ${host.number}: ${shown(reply)}`),
    };
  } finally {
    await fleet.stop();
  }
}

/** One of each kind, which all need the database. */
async function requestsOf({ balancer: { url } }: RunningFleet, projects: Projects): Promise<FleetRequest[]> {
  const body = projects.body("small", projectName("outage", 0));
  const headers = { "Content-Type": "application/json" };
  const opened = await session(await fetch(`${url}/api/sessions`, { method: "POST", headers, body }));
  const path = `/api/sessions/${opened.sessionId}`;
  return [
    { path },
    { method: "POST", path: `${path}/keepalive` },
    { method: "POST", path: "/api/sessions", body },
    {
      method: "POST",
      path: reportPath,
      body: { sessionId: opened.sessionId, text: "x", bytes: 5000, wait: 10 },
    },
  ];
}

/** Clients of each host itself: the balancer would hide what hosts answer. */
class Load {
  readonly seen: Seen[] = [];
  private readonly working: Promise<void>[];
  private isOver = false;

  constructor(fleet: RunningFleet, requests: readonly FleetRequest[]) {
    this.working = fleet.hosts.map((host) => this.work(host, requests));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.working);
  }

  private async work(host: FleetHost, requests: readonly FleetRequest[]): Promise<void> {
    const client = new Client(host.url, clientsOfHost);
    const one = async (_: unknown, index: number): Promise<void> => {
      for (let turn = index; !this.isOver; turn++) {
        const began = performance.now();
        const reply = await client.send(requests[turn % requests.length] ?? { path: "/" });
        this.seen.push({ host, began, reply });
        await pause(between);
      }
    };
    await Promise.all(Array.from({ length: clientsOfHost }, one));
    await client.stop();
  }
}

/** When a host had first answered well since then. */
function firstSuccess(seen: readonly Seen[], host: FleetHost, since: number): number {
  const good = seen.filter((each) => each.host === host && each.began >= since && isGood(each.reply));
  return Math.min(...good.map(({ began, reply }) => began + reply.milliseconds));
}

async function memoryOf(fleet: RunningFleet): Promise<number[]> {
  return await Promise.all(
    fleet.hosts.map(async ({ process }) => (await residentBytes(process?.process.pid ?? 0)) ?? 0),
  );
}
