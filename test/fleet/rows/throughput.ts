/**
 * Three hosts against one. With two processors, three hosts that render cannot be three times as fast; so a stand-in waits for as
 * long as recorded reports took, and what is measured is the coordination: whether hosts keep each other from working.
 */
import { setTimeout as pause } from "node:timers/promises";
import { treeProcessorTime } from "../../bench/measuring/process-tree.js";
import { short } from "../../bench/pdf/statistics.js";
import { session } from "../../host/sessions-support.js";
import { Client, isGood, shown } from "../client.js";
import { projectName } from "../ledger.js";
import { Projects } from "../projects.js";
import type { Random } from "../random.js";
import { RunningFleet, reportPath } from "../running-fleet.js";
import { none, type RowOptions, type RowResult } from "./row.js";

/** Reports at the same time on one host, as `pdf.pages` of one with two processors. */
const slots = 2;
/** Clients for each of these, so that none is ever without work. */
const clientsOfSlot = 3;
const least = 2.9;

/** Milliseconds of 20 quotes with 60 articles, one after the other, on two processors that did other work, too. */
const recorded = [
  192, 201, 164, 134, 160, 129, 113, 116, 128, 165, 141, 158, 104, 180, 151, 144, 115, 132, 186, 145,
];

interface Measured {
  /** Reports per second. */
  rate: number;
  /** Milliseconds of processor time for a report. */
  engine: number;
  hosts: number;
  failures: string[];
}

export async function run({ sizes, random, progress }: RowOptions): Promise<RowResult> {
  const one = await measure(1, sizes.reports, random.branch());
  progress(`one host: ${short(one.rate)} reports per second`);
  const three = await measure(3, sizes.reports * 3, random.branch());
  progress(`three hosts: ${short(three.rate)} reports per second`);
  const ratio = three.rate / one.rate;
  const failures = [...one.failures, ...three.failures];
  return {
    done: `${sizes.reports * 4} reports of a stand-in that waits and does not compute`,
    findings: [
      { what: "one host, three hosts", seen: `${short(one.rate)}, ${short(three.rate)} reports/s` },
      { what: `three hosts against one, at least ${least}`, seen: ratio.toFixed(2), isKept: ratio >= least },
      none("failures", failures.length),
      {
        what: "processor time of the database for a report, one host and three",
        seen: `${one.engine.toFixed(1)} and ${three.engine.toFixed(1)} ms`,
      },
      {
        what: "that of hosts, the stand-in included",
        seen: `${one.hosts.toFixed(1)} and ${three.hosts.toFixed(1)} ms`,
      },
    ],
    problems: failures.slice(0, 5),
  };
}

async function measure(hosts: number, reports: number, random: Random): Promise<Measured> {
  const fleet = await RunningFleet.start({ hosts, settings: { requests: { concurrency: slots } } });
  try {
    const { url } = fleet.balancer;
    const projects = await Projects.learn(url);
    const body = projects.body("small", projectName("throughput", 0));
    const headers = { "Content-Type": "application/json" };
    const { sessionId } = await session(
      await fetch(`${url}/api/sessions`, { method: "POST", headers, body }),
    );
    const clients = hosts * slots * clientsOfSlot;
    const client = new Client(url, clients);
    const failures: string[] = [];
    const send = async (): Promise<void> => {
      const wait = random.of(recorded) ?? 0;
      const body = { sessionId, text: "report ", bytes: random.integer(20_000, 120_000), wait };
      const reply = await client.send({ method: "POST", path: reportPath, body });
      if (!isGood(reply)) failures.push(shown(reply));
    };
    const sendAll = async (count: number): Promise<void> => {
      let left = count;
      const work = async (): Promise<void> => {
        while (left-- > 0) await send();
      };
      await Promise.all(Array.from({ length: clients }, work));
    };
    await sendAll(clients * 2);
    await pause(500);
    const before = { at: performance.now(), ...(await processorTimes(fleet)) };
    await sendAll(reports);
    const seconds = (performance.now() - before.at) / 1000;
    const after = await processorTimes(fleet);
    await client.stop();
    return {
      rate: reports / seconds,
      engine: ((after.engine - before.engine) * 1000) / reports,
      hosts: ((after.hosts - before.hosts) * 1000) / reports,
      failures,
    };
  } finally {
    await fleet.stop();
  }
}

/** Seconds so far. */
async function processorTimes(fleet: RunningFleet): Promise<{ engine: number; hosts: number }> {
  const engine = await treeProcessorTime(await fleet.database.processId());
  const times = await Promise.all(
    fleet.living.map(({ process }) => treeProcessorTime(process?.process.pid ?? 0)),
  );
  return { engine, hosts: times.reduce((sum, time) => sum + time, 0) };
}
