/** Versions of a plugin replace each other on all hosts at once, under load; some are bad, and all hosts go back. */
import { setTimeout as pause } from "node:timers/promises";
import { percentile, short } from "../../bench/pdf/statistics.js";
import { sampleArchive, upload } from "../../host/fleet-switch-support.js";
import type { SampleOptions } from "../../host/plugin-load/plugin-maker.js";
import { Client, isGood, type Reply, shown } from "../client.js";
import type { Random } from "../random.js";
import { type FleetHost, RunningFleet } from "../running-fleet.js";
import { atMost, none, type RowOptions, type RowResult } from "./row.js";

const clientsOfHost = 3;
/** Milliseconds between two requests of a client. */
const between = 15;
/** One host is killed in each third switch, so many milliseconds after the upload began at most. */
const killedOneIn = 3;
const latestKill = 400;
/** Milliseconds. */
const spreadLimit = 100;
const backLimit = 1000;
const lease = 3000;
const probation = 500;
/** Milliseconds for what has to come about. */
const patience = 60_000;

interface Seen {
  host: FleetHost;
  /** Of `performance.now()`. */
  began: number;
  ended: number;
  /** Of the sample; undefined where it did not answer well. */
  version: string | undefined;
  reply: Reply;
}

export async function run({ sizes, random, progress }: RowOptions): Promise<RowResult> {
  const settings = { plugins: { settlingTime: 200, probation } };
  const fleet = await RunningFleet.start({ hosts: 3, settings, engine: { lease } });
  const drill = new Drill(fleet, random);
  try {
    await drill.begin();
    for (let number = 1; number <= sizes.switches; number++) {
      await drill.switchTo(`1.0.${number}`, number % killedOneIn === 0);
      if (number % 10 === 0) progress(`${number} switches`);
    }
    for (let number = 1; number <= sizes.quarantines; number++) await drill.quarantine(number);
    progress(`${sizes.quarantines} quarantines`);
    return await drill.end(`${sizes.switches} switches, ${sizes.quarantines} quarantines`);
  } finally {
    await fleet.stop();
  }
}

class Drill {
  private seen: Seen[] = [];
  private readonly problems: string[] = [];
  private readonly load: Promise<void>[] = [];
  private isOver = false;
  private answered = 0;
  private kills = 0;
  private failed = 0;
  private old = 0;
  private refused = 0;
  private readonly spreads: number[] = [];
  private readonly backs: number[] = [];

  constructor(
    private readonly fleet: RunningFleet,
    private readonly random: Random,
  ) {}

  async begin(): Promise<void> {
    await this.put({ version: "1.0.0" });
    for (const host of this.fleet.hosts) this.load.push(this.ask(host));
    await this.allAnswer("1.0.0");
  }

  /** `isKilled`: a host dies meanwhile, and comes back after it. */
  async switchTo(version: string, isKilled: boolean): Promise<void> {
    this.seen = [];
    const [, ...others] = this.fleet.hosts;
    const victim = isKilled ? this.random.of(others) : undefined;
    const killing = victim && this.killSoon(victim);
    await this.put({ version });
    const answered = performance.now();
    await killing;
    await pause(500);
    this.judge(version, answered, victim);
    if (victim !== undefined) await this.fleet.revive(victim);
    await this.fleet.areReady();
    await this.allAnswer(version);
    // A version on probation may not be replaced as one that has proven itself.
    await pause(probation);
  }

  /** A good version, and then one whose every answer is a failure. */
  async quarantine(number: number): Promise<void> {
    const good = `2.${number}.0`;
    await this.put({ version: good });
    await this.allAnswer(good);
    await pause(2 * probation);
    this.seen = [];
    await this.put({ version: `2.${number}.1`, answers: "throw" });
    await this.until(() => this.seen.some(({ reply }) => reply.status === 500), "a bad answer");
    const isBack = (): boolean =>
      this.fleet.hosts.every(
        (host) => this.seen.filter((each) => each.host === host).at(-1)?.version === good,
      );
    await this.until(isBack, `all back on ${good}`);
    await pause(1000);
    const bad = this.seen.filter(({ reply }) => reply.status === 500);
    const began = Math.min(...bad.map((each) => each.ended));
    const first = Math.min(
      ...this.seen.filter((each) => each.version === good && each.began > began).map(({ ended }) => ended),
    );
    this.backs.push(Math.max(0, Math.max(...bad.map((each) => each.began)) - first));
  }

  async end(done: string): Promise<RowResult> {
    this.isOver = true;
    await Promise.all(this.load);
    return {
      done: `${done}, ${this.kills} kills of hosts, ${this.answered} requests to the plugin`,
      findings: [
        none("requests that failed", this.failed),
        none("old answers after the upload was answered", this.old),
        none("uploads that were refused", this.refused),
        atMost("first to last host, p95", percentile(this.spreads, 95), spreadLimit, " ms"),
        {
          what: "first to last host, p50 and longest",
          seen: `${short(percentile(this.spreads, 50))} and ${short(Math.max(...this.spreads))} ms`,
        },
        ...(this.backs.length === 0
          ? []
          : [
              atMost(
                "first to last host that is back after a quarantine, p95",
                percentile(this.backs, 95),
                backLimit,
                " ms",
              ),
            ]),
      ],
      problems: this.problems,
    };
  }

  private judge(version: string, answered: number, victim: FleetHost | undefined): void {
    const firsts: number[] = [];
    for (const host of this.fleet.hosts) {
      if (host === victim) continue;
      const own = this.seen.filter((each) => each.host === host);
      for (const { began, reply, version: answer } of own) {
        if (!isGood(reply)) {
          this.failed += 1;
          this.note(`host ${host.number} in the switch to ${version}: ${shown(reply)}`);
        } else if (began > answered && answer !== version) {
          this.old += 1;
          this.note(
            `host ${host.number} answered with ${answer} ${Math.round(began - answered)} ms after the upload of ${version}`,
          );
        }
      }
      const first = own.find((each) => each.version === version);
      if (first !== undefined) firsts.push(first.ended);
    }
    this.spreads.push(Math.max(...firsts) - Math.min(...firsts));
  }

  private async killSoon(victim: FleetHost): Promise<void> {
    await pause(this.random.integer(0, latestKill));
    this.kills += 1;
    await this.fleet.kill(victim);
  }

  /** Uploads to the first host; it has to be taken. */
  private async put(options: SampleOptions): Promise<void> {
    const [host] = this.fleet.hosts;
    if (host === undefined) throw new Error("There is no host");
    const answer = await upload(host, await sampleArchive(options));
    const text = await answer.text();
    if (answer.status === 201) return;
    this.refused += 1;
    this.note(`${options.version}: ${answer.status} ${text.slice(0, 300)}`);
  }

  private async ask(host: FleetHost): Promise<void> {
    const client = new Client(host.url, clientsOfHost);
    const one = async (): Promise<void> => {
      while (!this.isOver) {
        const began = performance.now();
        const reply = await client.send({ path: "/EAIWS/plugins/Sample/version?ms=0" });
        this.answered += 1;
        this.seen.push({ host, began, ended: performance.now(), version: versionIn(reply), reply });
        await pause(between);
      }
    };
    await Promise.all(Array.from({ length: clientsOfHost }, one));
    await client.stop();
  }

  private async allAnswer(version: string): Promise<void> {
    const since = performance.now();
    const answers = (host: FleetHost): boolean =>
      this.seen.some((each) => each.host === host && each.began > since && each.version === version);
    await this.until(() => this.fleet.hosts.every(answers), `all hosts on ${version}`);
  }

  private async until(condition: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + patience;
    while (!condition()) {
      if (performance.now() > deadline)
        throw new Error(`It never came to: ${what}. ${this.problems.join("; ")}`);
      await pause(20);
    }
  }

  private note(problem: string): void {
    if (this.problems.length < 8) this.problems.push(problem);
  }
}

function versionIn(reply: Reply): string | undefined {
  if (!isGood(reply)) return undefined;
  const answer: { version?: string } = JSON.parse(reply.body.toString("utf8"));
  return answer.version;
}
