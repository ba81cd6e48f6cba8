/** Hosts as processes of their own on one database, behind a balancer. Each can be killed and comes back at its address. */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { atEnd, temporaryFolder } from "../bench/measuring/clean-up.js";
import { freePort } from "../free-port.js";
import { type StartedHost, startHost } from "../start-host.js";
import { Balancer } from "./balancer.js";
import { Forwarder } from "./forwarder.js";
import { ReplicatedDatabase } from "./replicated-database.js";

export const standIn = join(import.meta.dirname, "plugins");
/** The operation of the plugin there. */
export const reportPath = "/EAIWS/plugins/StandIn/report";

export interface FleetOptions {
  hosts: number;
  /** Whether a synchronous standby has everything, too. */
  isReplicated?: boolean;
  /** Whether each host reaches the database over a connection of its own that can be cut. */
  isSeparable?: boolean;
  /** Settings of hosts beside those of a fleet. */
  settings?: Record<string, unknown>;
  /** Settings of their section `engine`. */
  engine?: Record<string, unknown>;
}

export interface FleetHost {
  readonly number: number;
  readonly url: string;
  /** Between this host and the database. */
  readonly line: Forwarder | undefined;
  /** Undefined while it is dead. */
  process: StartedHost | undefined;
}

/** Room for everything that a long run stores. */
const room = {
  sessions: { maximumSessions: 1_000_000, maximumBytes: 50 * 1024 ** 3 },
  files: { maximumBytes: 50 * 1024 ** 3, minimumFree: 0 },
  idempotency: { maximumKeys: 1_000_000 },
  log: { level: "warn" },
};

export class RunningFleet {
  readonly hosts: FleetHost[] = [];
  readonly stop: () => Promise<void>;
  /** Hosts that are about to live. */
  private readonly starting = new Set<Promise<StartedHost>>();
  private isOver = false;

  private constructor(
    readonly database: ReplicatedDatabase,
    readonly balancer: Balancer,
    private readonly folder: { path: string },
    private readonly options: FleetOptions,
  ) {
    this.stop = atEnd(() => this.end());
  }

  /** It is gone at the end of the program at the latest. */
  static async start(options: FleetOptions): Promise<RunningFleet> {
    const database = await ReplicatedDatabase.start({ isReplicated: options.isReplicated ?? false });
    const balancer = await Balancer.start(await freePort());
    const fleet = new RunningFleet(database, balancer, await temporaryFolder(), options);
    for (let number = 1; number <= options.hosts; number++) await fleet.add(number);
    await balancer.use(fleet.hosts.map(({ url }) => url));
    await fleet.areReady();
    return fleet;
  }

  /** Those that live. */
  get living(): FleetHost[] {
    return this.hosts.filter((host) => host.process !== undefined);
  }

  /** As `kill -9`. */
  async kill(host: FleetHost): Promise<void> {
    const { process } = host;
    host.process = undefined;
    await process?.kill();
  }

  /** Starts a host that was killed, with what it has on its disk. */
  async revive(host: FleetHost): Promise<void> {
    if (this.isOver) throw new Error("The fleet has ended");
    const starting = this.started(host);
    this.starting.add(starting);
    host.process = await starting.finally(() => this.starting.delete(starting));
  }

  /** Resolves when all hosts are ready. */
  async areReady(): Promise<void> {
    for (const { url } of this.hosts) while (!(await isReady(url))) await pause(50);
  }

  private async add(number: number): Promise<void> {
    const line =
      this.options.isSeparable === true
        ? await Forwarder.start(await freePort(), Number(new URL(this.database.url).port))
        : undefined;
    const host: FleetHost = {
      number,
      url: `http://127.0.0.1:${await freePort()}`,
      line,
      process: undefined,
    };
    this.hosts.push(host);
    await this.revive(host);
  }

  private async started({ number, url, line }: FleetHost): Promise<StartedHost> {
    const { settings, engine } = this.options;
    // For what is uploaded.
    const own = join(this.folder.path, `plugins-${number}`);
    await mkdir(own, { recursive: true });
    const address = line === undefined ? this.database.url : line.addressOf(this.database.url);
    return await startHost({
      var: join(this.folder.path, `host-${number}`),
      plugins: [own, standIn],
      flags: ["--port", new URL(url).port],
      configuration: {
        ...room,
        ...settings,
        engine: { url: address, ...engine },
        publicUrl: this.balancer.url,
      },
    });
  }

  private async end(): Promise<void> {
    this.isOver = true;
    await this.balancer.stop();
    await Promise.allSettled(this.starting);
    await Promise.all(
      this.hosts.map(async ({ process, line }) => {
        // A host that stands still cannot end.
        process?.process.kill("SIGCONT");
        line?.heal();
        await process?.stop();
        await line?.stop();
      }),
    );
    await this.database.remove();
    // Browsers of hosts that were killed end a moment later, and write until then.
    do {
      await rm(this.folder.path, { recursive: true, force: true, maxRetries: 5 });
      await pause(500);
    } while (existsSync(this.folder.path));
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
