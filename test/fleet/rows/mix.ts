/** Clients use sessions, files and reports while hosts and the database are killed; everything acknowledged is then read again. */
import { setTimeout as pause } from "node:timers/promises";
import { percentile, short } from "../../bench/pdf/statistics.js";
import { checkAcknowledged } from "../check-acknowledged.js";
import { Client, isGood } from "../client.js";
import { MixedLoad } from "../mixed-load.js";
import { Projects } from "../projects.js";
import type { Random } from "../random.js";
import { RunningFleet } from "../running-fleet.js";
import { atMost, none, type RowOptions, type RowResult } from "./row.js";

/** Milliseconds for which a killed host is away. */
const absence = 1000;
/** Milliseconds within which hosts answer again after the order to promote. */
const promotionLimit = 5000;

interface Faults {
  hosts: number;
  primaries: number;
  /** Milliseconds from the order to promote until a request that stores something was answered. */
  promotions: number[];
}

export async function run({ sizes, random, progress }: RowOptions): Promise<RowResult> {
  const fleet = await RunningFleet.start({ hosts: 3, isReplicated: true });
  try {
    const { url } = fleet.balancer;
    const projects = await Projects.learn(url);
    const { requests, clients } = sizes;
    const load = new MixedLoad({ url, projects, requests, clients, random: random.branch(), progress });
    const faults: Faults = { hosts: 0, primaries: 0, promotions: [] };
    await Promise.all([
      load.run(),
      killHosts(fleet, load, sizes.killEvery, faults, random.branch()),
      killPrimaries(fleet, load, sizes.primaryKills, faults, projects, progress),
    ]).finally(() => load.stop());
    await fleet.areReady();
    progress("reading everything again");
    await checkAcknowledged(
      fleet.hosts.map((host) => host.url),
      load.ledger,
      projects,
    );
    return resultOf(load, faults);
  } finally {
    await fleet.stop();
  }
}

/** One after the other, drawn; each comes back. */
async function killHosts(
  fleet: RunningFleet,
  load: MixedLoad,
  every: number,
  faults: Faults,
  random: Random,
): Promise<void> {
  let due = performance.now() + every / 2;
  while (!load.isOver) {
    await pause(100);
    if (performance.now() < due) continue;
    due += every;
    const host = random.of(fleet.living);
    if (host === undefined) continue;
    await fleet.kill(host);
    faults.hosts += 1;
    await pause(absence);
    await fleet.revive(host);
  }
}

/** Spread evenly over the run; in the middle the primary is gone for good, and the standby takes its place. */
async function killPrimaries(
  fleet: RunningFleet,
  load: MixedLoad,
  kills: number,
  faults: Faults,
  projects: Projects,
  progress: (text: string) => void,
): Promise<void> {
  const all = kills + 1;
  for (let fault = 1; fault <= all; fault++) {
    await load.reached(fault / (all + 1));
    if (fault === Math.ceil(all / 2)) {
      progress("the primary is killed for good");
      faults.promotions.push(await promoted(fleet, projects));
    } else {
      progress("the primary is killed");
      await fleet.database.killPrimary();
      faults.primaries += 1;
    }
  }
}

async function promoted(fleet: RunningFleet, projects: Projects): Promise<number> {
  const began = performance.now();
  await fleet.database.failOver();
  const client = new Client(fleet.balancer.url, 1);
  const request = {
    method: "POST",
    path: "/api/sessions",
    body: projects.body("small", "another client"),
  } as const;
  while (!isGood(await client.send(request))) await pause(20);
  const time = performance.now() - began;
  await client.stop();
  return time;
}

function resultOf(load: MixedLoad, { hosts, primaries, promotions }: Faults): RowResult {
  const { ledger, outcomes, times, duration, longestGap } = load;
  const requests = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const { sessions, files, acknowledged } = ledger;
  return {
    done:
      `${requests} requests in ${short(duration / 1000)} s; ${hosts} kills of hosts, ${primaries} of the primary, ` +
      `${promotions.length} promotion of the standby`,
    findings: [
      { what: "acknowledged", seen: `${acknowledged} (${sessions.length} sessions, ${files.length} files)` },
      none("lost", ledger.count("lost")),
      none("torn", ledger.count("torn")),
      none("doubled", ledger.count("doubled")),
      none("other failures, and answers that were wrong", ledger.count("wrong answer")),
      ...[...outcomes].sort().map(([what, count]) => ({ what, seen: String(count) })),
      {
        what: "good answers, p50 and p95",
        seen: `${short(percentile(times, 50))} and ${short(percentile(times, 95))} ms`,
      },
      { what: "longest time without a good answer", seen: `${short(longestGap)} ms` },
      ...promotions.map((time) => atMost("answers again after the promotion", time, promotionLimit, " ms")),
    ],
    problems: ledger.problems,
  };
}
