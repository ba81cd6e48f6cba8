/**
 * `npm run fleet`: PostgreSQL, three hosts and a balancer on one machine. Each host makes a report; one is killed in the
 * middle of a job; every file is there afterwards. The fleet then runs until Ctrl+C; with `--end` it ends at once.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { checked, type Static, type TSchema, Type, Validator } from "@slipway/sdk";
import { largeProject } from "../bench/pdf/large-project.js";
import { freePort } from "../free-port.js";
import { createDatabase, findPrograms, startServer } from "../postgresql-server.js";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { Balancer } from "./balancer.js";

/** Articles of the project whose report is made while a host is killed: some seconds of work. */
const articlesOfJob = 1500;
const template = "/EAIWS/plugins/Reporter/template/quote/v1/generate";

const validator = new Validator();
const Session = checkOf(Type.Object({ sessionId: Type.String() }));
const Report = checkOf(Type.Object({ url: Type.String() }));
const Job = checkOf(
  Type.Object({
    id: Type.String(),
    state: Type.String(),
    attempt: Type.Integer(),
    host: Type.Optional(Type.String()),
    result: Type.Optional(Type.Object({ url: Type.String() })),
  }),
);
const Jobs = checkOf(
  Type.Object({ jobs: Type.Array(Type.Object({ id: Type.String(), host: Type.Optional(Type.String()) })) }),
);

function checkOf<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> {
  const check = validator.compile(schema, "answer");
  return (text) => checked(check(JSON.parse(text)), `An answer of another form: ${text.slice(0, 300)}`);
}

/** What was stored, and what it has to be. */
interface KnownFile {
  path: string;
  sha256: string;
}

class Fleet {
  readonly hosts: StartedHost[] = [];
  private readonly files: KnownFile[] = [];

  private constructor(
    readonly balancer: Balancer,
    private readonly database: string,
    private readonly remove: () => Promise<void>,
  ) {}

  /** Uses the server at SLIPWAY_TEST_POSTGRES, or starts one of its own. */
  static async start(): Promise<Fleet> {
    const programs = await findPrograms();
    const given = process.env["SLIPWAY_TEST_POSTGRES"];
    const own = given === undefined && programs !== undefined ? await startServer(programs) : undefined;
    const server = given ?? own?.url;
    if (server === undefined)
      throw new Error("There is no PostgreSQL: install one, or name a server in SLIPWAY_TEST_POSTGRES.");
    const { url: database, drop } = await createDatabase(server);
    tell(`PostgreSQL: ${database.replace(/:[^:@/]*@/, ":…@")}`);
    return new Fleet(await Balancer.start(await freePort()), database, own?.remove ?? drop);
  }

  async addHost(): Promise<void> {
    const configuration = { engine: { url: this.database }, publicUrl: this.balancer.url };
    this.hosts.push(await startHost({ configuration }));
    await this.balancer.use(this.hosts.map(({ url }) => url));
  }

  /** Makes a report on one host, and remembers its file. */
  async report(host: StartedHost, sessionId: string): Promise<void> {
    await this.remember(Report(await post(`${host.url}${template}`, { sessionId })).url);
  }

  async remember(url: string): Promise<void> {
    const { pathname } = new URL(url);
    this.files.push({ path: pathname, sha256: await digestOf(this.balancer.url + pathname) });
  }

  /** Fetches every file from every host. Returns how many were read; throws at the first that differs. */
  async checkFiles(): Promise<number> {
    let read = 0;
    for (const { path, sha256 } of this.files)
      for (const { url } of this.hosts) {
        if ((await digestOf(url + path)) !== sha256) throw new Error(`${url}${path} differs`);
        read += 1;
      }
    return read;
  }

  /** Kills one host as `kill -9` does. */
  async kill(host: StartedHost): Promise<void> {
    this.hosts.splice(this.hosts.indexOf(host), 1);
    await host.kill();
  }

  async stop(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.stop()));
    await this.balancer.stop();
    await this.remove();
  }
}

async function show(fleet: Fleet): Promise<void> {
  for (let number = 1; number <= 3; number++) {
    await fleet.addHost();
    tell(`Host ${number}: ${fleet.hosts[number - 1]?.url}`);
  }
  tell(`Balancer: ${fleet.balancer.url}`);
  const demo = await readFile(join(repository, "config", "demo", "demo-project.json"), "utf8");
  const { sessionId } = Session(await post(`${fleet.balancer.url}/api/sessions`, JSON.parse(demo)));
  for (const host of fleet.hosts) await fleet.report(host, sessionId);
  tell(`Each host made a report of one session; ${await fleet.checkFiles()} downloads, each host each file.`);

  const large = Session(await post(`${fleet.balancer.url}/api/sessions`, await largeProject(articlesOfJob)));
  const job = Job(
    await post(fleet.balancer.url + template, { sessionId: large.sessionId }, { Prefer: "respond-async" }),
  );
  const worker = await workerOf(fleet, job.id);
  await fleet.kill(worker);
  tell(`Job ${job.id}: ${worker.url} worked for it and was killed.`);
  const done = await ended(fleet, job.id);
  if (done.result === undefined) throw new Error(`The job is ${done.state}`);
  await fleet.remember(Report(await get(new URL(done.result.url, fleet.balancer.url).href)).url);
  tell(`It is ${done.state} after attempt ${done.attempt}.`);
  tell(`Nothing was lost: ${await fleet.checkFiles()} downloads from the hosts that are left.`);
}

/** The host that works for a job. */
async function workerOf(fleet: Fleet, id: string): Promise<StartedHost> {
  for (;;) {
    const { jobs } = Jobs(await get(`${fleet.balancer.url}/api/jobs`));
    const name = jobs.find((job) => job.id === id)?.host;
    const worker = fleet.hosts.find(({ url }) => name?.endsWith(`:${new URL(url).port}`));
    if (worker !== undefined) return worker;
    await pause(20);
  }
}

async function ended(fleet: Fleet, id: string): Promise<ReturnType<typeof Job>> {
  for (;;) {
    const job = Job(await get(`${fleet.balancer.url}/api/jobs/${id}`));
    if (job.state !== "queued" && job.state !== "running") return job;
    await pause(100);
  }
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  return textOf(
    await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
}

async function get(url: string): Promise<string> {
  return textOf(await fetch(url));
}

async function textOf(answer: Response): Promise<string> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text.slice(0, 500)}`);
  return text;
}

async function digestOf(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return createHash("sha256")
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest("hex");
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}

const fleet = await Fleet.start();
try {
  await show(fleet);
  if (!process.argv.includes("--end")) {
    tell("Ctrl+C ends the fleet.");
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  }
} finally {
  await fleet.stop();
}
