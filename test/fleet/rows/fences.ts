/** A host that is cut off from the database, and one that stands still: others go on, and it answers and writes nothing old. */
import { setTimeout as pause } from "node:timers/promises";
import { statusOf } from "../../host/fleet-support.js";
import { type SessionAnswer, session } from "../../host/sessions-support.js";
import { Client, isGood, permittedFailure, type Reply, shown } from "../client.js";
import { projectName } from "../ledger.js";
import { Projects } from "../projects.js";
import { type FleetHost, RunningFleet, reportPath } from "../running-fleet.js";
import { none, type RowOptions, type RowResult } from "./row.js";

/** What keeps a host from renewing its lease, and what lets it go on. */
interface Fault {
  name: string;
  begin(host: FleetHost): void;
  end(host: FleetHost): void;
}

const faults: readonly Fault[] = [
  {
    name: "cut off from the database",
    begin: ({ line }) => line?.cut(),
    end: ({ line }) => line?.heal(),
  },
  {
    name: "stopped by SIGSTOP",
    begin: ({ process }) => void process?.process.kill("SIGSTOP"),
    end: ({ process }) => void process?.process.kill("SIGCONT"),
  },
];

interface Seen {
  began: number;
  ended: number;
  /** What the others had acknowledged when it was sent. */
  acknowledged: number;
  /** The revision that the host named, if it named one. */
  revision: number | undefined;
  reply: Reply;
}

const clients = 6;

export async function run({ sizes, progress }: RowOptions): Promise<RowResult> {
  // So that the lease ends while the host is away.
  const lease = Math.min(10_000, Math.floor((sizes.standstill * 1000 * 2) / 3));
  const fleet = await RunningFleet.start({ hosts: 3, isSeparable: true, engine: { lease } });
  try {
    const projects = await Projects.learn(fleet.balancer.url);
    const result: RowResult = {
      done: `${sizes.standstill} s each, with leases of ${lease / 1000} s`,
      findings: [],
      problems: [],
    };
    for (const fault of faults) {
      progress(fault.name);
      const drill = new Drill(fleet, projects);
      await drill.run(fault, sizes.standstill * 1000);
      result.findings.push(...drill.findings(fault.name));
      result.problems.push(...drill.problems);
    }
    return result;
  } finally {
    await fleet.stop();
  }
}

class Drill {
  readonly problems: string[] = [];
  private readonly seen: Seen[] = [];
  private acknowledged = 0;
  private replacements = 0;
  private tooLate = 0;
  private old = 0;
  private other = 0;
  private foreign = 0;
  private isOver = false;

  constructor(
    private readonly fleet: RunningFleet,
    private readonly projects: Projects,
  ) {}

  async run(fault: Fault, length: number): Promise<void> {
    const [sick, sound] = this.fleet.hosts;
    if (sick === undefined || sound === undefined) throw new Error("There are no hosts");
    const opened = await session(await this.post(sound, "/api/sessions", 0));
    this.acknowledged = opened.revision;
    const path = `/api/sessions/${opened.sessionId}`;
    const client = new Client(sick.url, clients);
    const load = Array.from({ length: clients }, (_, index) => this.load(client, path, index));
    await pause(2000);

    const began = performance.now();
    fault.begin(sick);
    await this.isLost(sick, sound);
    const lost = performance.now();
    // From here on the others alone write.
    const own = new Client(sound.url, 1);
    while (performance.now() < began + length) {
      await this.replace(own, path);
      await pause(50);
    }
    const healed = performance.now();
    fault.end(sick);
    await this.fleet.areReady();
    for (const end = performance.now() + 2000; performance.now() < end; ) {
      await this.replace(own, path);
      await pause(50);
    }
    this.isOver = true;
    await Promise.all(load);
    await Promise.all([client.stop(), own.stop()]);
    this.judge(lost, healed);
  }

  findings(name: string) {
    return [
      none(`${name}: answers after its lease`, this.tooLate),
      none(`${name}: old answers when it was back`, this.old),
      none(`${name}: its writes between those of others`, this.foreign),
      none(`${name}: other failures`, this.other),
      {
        what: `${name}: its answers, replacements by others`,
        seen: `${this.seen.length}, ${this.replacements}`,
      },
    ];
  }

  /** Asks the host that will be sick, all the time; what it says of revisions is compared with what is acknowledged. */
  private async load(client: Client, path: string, index: number): Promise<void> {
    while (!this.isOver) {
      const { acknowledged } = this;
      const began = performance.now();
      const sessionId = path.split("/").at(-1);
      const reply =
        index % 3 === 2
          ? await client.send({
              method: "POST",
              path: reportPath,
              body: { sessionId, text: "x", bytes: 1000, wait: 50 },
            })
          : await client.send({ path });
      const isSession = index % 3 !== 2 && isGood(reply);
      const revision = isSession ? revisionOf(reply) : undefined;
      this.seen.push({ began, ended: performance.now(), acknowledged, revision, reply });
      await pause(20);
    }
  }

  /** The others replace the project; each revision is the next one, unless somebody wrote in between. */
  private async replace(client: Client, path: string): Promise<void> {
    this.replacements += 1;
    const body = this.projects.body("small", projectName("fences", this.replacements));
    const reply = await client.send({ method: "PUT", path, body });
    if (!isGood(reply)) {
      // A transaction of the sick host may hold the session for a moment.
      if (permittedFailure(reply) === undefined) this.note("other", shown(reply));
      return;
    }
    const revision = revisionOf(reply);
    if (revision !== this.acknowledged + 1)
      this.note("foreign", `revision ${revision} after ${this.acknowledged}`);
    this.acknowledged = revision;
  }

  private judge(lost: number, healed: number): void {
    for (const { began, ended, acknowledged, revision, reply } of this.seen) {
      if (isGood(reply)) {
        if (began < healed && ended > lost)
          this.note("tooLate", `${Math.round(ended - lost)} ms after its lease: ${shown(reply)}`);
        else if (revision !== undefined && revision < acknowledged)
          this.note("old", `revision ${revision} after ${acknowledged}`);
      } else if (permittedFailure(reply) === undefined) this.note("other", shown(reply));
    }
  }

  private note(kind: "tooLate" | "old" | "foreign" | "other", what: string): void {
    this[kind] += 1;
    if (this[kind] <= 3) this.problems.push(`${kind}: ${what}`);
  }

  private async isLost(sick: FleetHost, sound: FleetHost): Promise<void> {
    const name = `:${new URL(sick.url).port}`;
    for (;;) {
      const { members } = await statusOf(sound);
      if (members.some((member) => member.name.endsWith(name) && member.state === "lost")) return;
      await pause(20);
    }
  }

  private post({ url }: FleetHost, path: string, replacement: number): Promise<Response> {
    const body = this.projects.body("small", projectName("fences", replacement));
    return fetch(url + path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  }
}

function revisionOf(reply: Reply): number {
  const answer: Pick<SessionAnswer, "revision"> = JSON.parse(reply.body.toString("utf8"));
  return answer.revision;
}
