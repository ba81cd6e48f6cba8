/** Jobs whose workers are killed: each has one result, after few attempts, and each is told of. Uses the part itself to do so at once. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { checked, Type, Validator } from "@slipway/sdk";
import { mapConcurrent } from "../../../host/system/concurrency.js";
import { atEnd } from "../../bench/measuring/clean-up.js";
import { short } from "../../bench/pdf/statistics.js";
import { freePort } from "../../free-port.js";
import { session } from "../../host/sessions-support.js";
import { rowsOf } from "../../postgresql-server.js";
import { Client, type FleetRequest, isGood, permittedFailure, type Reply, shown } from "../client.js";
import { projectName, sha256 } from "../ledger.js";
import { Projects } from "../projects.js";
import type { Random } from "../random.js";
import { RunningFleet, reportPath } from "../running-fleet.js";
import { none, type RowOptions, type RowResult } from "./row.js";

/** Milliseconds of one job. */
const work = { least: 100, most: 250 };
/** A host is killed whenever so many jobs more have ended: however slow the machine is, jobs are lost at the same rate. */
const endedBetweenKills = 40;
/** Milliseconds after which the work of a killed host is begun by another one. */
const lease = 4000;
const attempts = 3;
const clients = 16;
/** Milliseconds; hosts tell of an end at once, or when they look for what was left. */
const webhookPatience = 90_000;

const validator = new Validator();
const checkJob = validator.compile(
  Type.Object({ id: Type.String(), state: Type.String(), attempt: Type.Integer() }),
  "answer",
);
const checkReport = validator.compile(Type.Object({ url: Type.String() }), "answer");

interface SentJob {
  key: string;
  bytes: number;
  /** Undefined before it was acknowledged. */
  id?: string;
}

export async function run({ sizes, random, progress }: RowOptions): Promise<RowResult> {
  const receiver = await Receiver.start();
  const fleet = await RunningFleet.start({
    hosts: 3,
    settings: {
      jobs: { lease, queue: 100_000, maximumJobs: 100_000, attempts, concurrency: 8 },
      fetch: { allowedInternalHosts: [receiver.name] },
    },
  });
  const drill = new Drill(fleet, receiver, random.branch());
  try {
    const began = performance.now();
    await drill.send(sizes.jobs, random.branch());
    progress(`${sizes.jobs} jobs are acknowledged`);
    await drill.wait(progress);
    const seconds = (performance.now() - began) / 1000;
    await fleet.areReady();
    await drill.check();
    await drill.areTold(progress);
    return drill.result(`${sizes.jobs} jobs in ${short(seconds)} s`);
  } finally {
    await fleet.stop();
    await receiver.stop();
  }
}

class Drill {
  private readonly problems: string[] = [];
  private readonly jobs: SentJob[] = [];
  private readonly client: Client;
  private ended = 0;
  private kills = 0;
  private killing: Promise<void> | undefined;
  private mostAttempts = 0;
  private again = 0;
  private results = 0;
  private readonly urls = new Set<string>();
  private rows = 0;
  private givenUp = 0;
  private untold = 0;

  constructor(
    private readonly fleet: RunningFleet,
    private readonly receiver: Receiver,
    private readonly random: Random,
  ) {
    this.client = new Client(fleet.balancer.url, clients);
  }

  /** Each with a key, until it is acknowledged. */
  async send(count: number, random: Random): Promise<void> {
    const { url } = this.fleet.balancer;
    const projects = await Projects.learn(url);
    const body = projects.body("small", projectName("jobs", 0));
    const headers = { "Content-Type": "application/json" };
    const { sessionId } = await session(
      await fetch(`${url}/api/sessions`, { method: "POST", headers, body }),
    );
    const mark = randomBytes(3).toString("hex");
    for (let number = 1; number <= count; number++)
      this.jobs.push({ key: `job-${mark}-${number}`, bytes: random.integer(200, 5000) });
    await mapConcurrent(this.jobs, clients, async (job) => {
      const { key, bytes } = job;
      const reply = await this.answer({
        method: "POST",
        path: reportPath,
        headers: {
          "Idempotency-Key": key,
          Prefer: "respond-async",
          "Slipway-Webhook": `${this.receiver.url}/${key}`,
        },
        body: { sessionId, text: key, bytes, wait: random.integer(work.least, work.most) },
      });
      job.id = checked(checkJob(parsed(reply)), shown(reply)).id;
    });
  }

  async wait(progress: (text: string) => void): Promise<void> {
    await mapConcurrent(this.jobs, clients, async ({ key, id }) => {
      for (;;) {
        const reply = await this.answer({ path: `/api/jobs/${id}?wait=10` });
        const { state, attempt } = checked(checkJob(parsed(reply)), shown(reply));
        if (state === "queued" || state === "running") continue;
        this.mostAttempts = Math.max(this.mostAttempts, attempt);
        if (attempt > 1) this.again += 1;
        if (state !== "done") this.problems.push(`${key} is ${state}: ${shown(reply)}`);
        this.ended += 1;
        if (this.ended % 500 === 0) progress(`${this.ended} have ended`);
        if (this.ended % endedBetweenKills === 0) this.killing ??= this.killWorker();
        return;
      }
    });
    await this.killing;
  }

  /** It comes back before another one is killed. */
  private async killWorker(): Promise<void> {
    const host = this.random.of(this.fleet.living);
    if (host === undefined) return;
    this.kills += 1;
    await this.fleet.kill(host);
    await this.fleet.revive(host);
    this.killing = undefined;
  }

  /** Results, their files, and that a job is there once. */
  async check(): Promise<void> {
    await mapConcurrent(this.jobs, clients, async ({ key, id, bytes }) => {
      const reply = await this.client.send({ path: `/api/jobs/${id}/result` });
      if (!isGood(reply)) return void this.problems.push(`${key} has no result: ${shown(reply)}`);
      const { url } = checked(checkReport(parsed(reply)), shown(reply));
      const file = await this.client.send({ path: new URL(url).pathname });
      if (sha256(file.body) !== sha256(Buffer.alloc(bytes, key)))
        return void this.problems.push(`${key} has another file: ${shown(file)}`);
      this.results += 1;
      this.urls.add(url);
    });
    const { directUrl } = this.fleet.database;
    this.rows = await rowsOf(directUrl, "SELECT FROM slipway.job");
    this.givenUp = await rowsOf(directUrl, `SELECT FROM slipway.job WHERE failures >= ${attempts}`);
  }

  async areTold(progress: (text: string) => void): Promise<void> {
    const deadline = performance.now() + webhookPatience;
    const missing = (): number => this.jobs.filter(({ key }) => !this.receiver.told.has(key)).length;
    while (missing() > 0 && performance.now() < deadline) await pause(200);
    this.untold = missing();
    progress(`${this.receiver.told.size} webhooks came`);
    await this.client.stop();
  }

  result(done: string): RowResult {
    const count = this.jobs.length;
    const twice = [...this.receiver.told.values()].filter((times) => times > 1).length;
    return {
      done: `${done}; ${this.kills} kills of their workers`,
      findings: [
        { what: `results, ${count}`, seen: String(this.results), isKept: this.results === count },
        none("jobs and results that are there twice", this.rows - count + (this.results - this.urls.size)),
        none(`jobs that ${attempts} lost hosts or more had begun`, this.givenUp),
        { what: "most attempts, those included that were put off", seen: String(this.mostAttempts) },
        { what: "jobs that were begun again", seen: String(this.again) },
        none("webhooks that did not come", this.untold),
        { what: "webhooks that came more than once", seen: String(twice) },
        none("other problems", this.problems.length),
      ],
      problems: this.problems.slice(0, 5),
    };
  }

  /** A good answer; what a dying host gave is asked again. */
  private async answer(request: FleetRequest): Promise<Reply> {
    for (;;) {
      const reply = await this.client.send(request);
      if (isGood(reply)) return reply;
      const isRepetition = reply.status === 409 && request.headers?.["Idempotency-Key"] !== undefined;
      if (permittedFailure(reply) === undefined && !isRepetition)
        throw new Error(`${request.path}: ${shown(reply)}`);
      await pause(200);
    }
  }
}

const parsed = (reply: Reply): unknown => JSON.parse(reply.body.toString("utf8"));

/** Counts what it is told by path; one in ten is refused the first time, so that it has to come again. */
class Receiver {
  readonly told = new Map<string, number>();
  readonly stop: () => Promise<void>;
  private readonly refused = new Set<string>();
  private calls = 0;
  private readonly server = createServer((request, answer) => {
    this.calls += 1;
    const key = (request.url ?? "").slice(1);
    const isRefused = this.calls % 10 === 0 && !this.refused.has(key);
    if (isRefused) this.refused.add(key);
    request.resume().once("end", () => {
      if (!isRefused) this.told.set(key, (this.told.get(key) ?? 0) + 1);
      answer.writeHead(isRefused ? 500 : 204).end();
    });
  });

  private constructor(readonly port: number) {
    this.stop = atEnd(async () => {
      this.server.close();
      this.server.closeAllConnections();
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver(await freePort());
    receiver.server.listen(receiver.port, "127.0.0.1");
    await once(receiver.server, "listening");
    return receiver;
  }

  /** As hosts are told that they may call it. */
  get name(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.name}`;
  }
}
