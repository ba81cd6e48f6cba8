/** A PostgreSQL whose every acknowledged transaction a standby has, too, behind one address that leads to whichever takes writes. */
import { atEnd } from "../bench/measuring/clean-up.js";
import { freePort } from "../free-port.js";
import { command, findPrograms, type OwnServer, startServer, startStandby } from "../postgresql-server.js";
import { Forwarder } from "./forwarder.js";

/** Why there can be no test of a fleet. */
export const noPrograms =
  "There are no programs of PostgreSQL: install it, or the optional packages of this project.";

export class ReplicatedDatabase {
  private constructor(
    /** Of the address, for hosts. */
    readonly url: string,
    private readonly address: Forwarder,
    private primary: OwnServer,
    private standby: OwnServer | undefined,
    /** Ends everything, and removes its data. */
    readonly remove: () => Promise<void>,
  ) {}

  /** It is gone at the end of the program at the latest. */
  static async start({ isReplicated }: { isReplicated: boolean }): Promise<ReplicatedDatabase> {
    const programs = await findPrograms();
    if (programs === undefined) throw new Error(noPrograms);
    const ends: (() => Promise<void>)[] = [];
    const settings = { max_connections: "200" };
    const primary = await startServer(programs, settings);
    ends.push(atEnd(() => primary.remove()));
    const standby = isReplicated ? await startStandby(programs, primary, settings) : undefined;
    if (standby !== undefined) {
      ends.push(atEnd(() => standby.remove()));
      // Not before it is there: nothing could be committed.
      await command(primary.url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await command(primary.url, "SELECT pg_reload_conf()");
    }
    const address = await Forwarder.start(await freePort(), portOf(primary));
    ends.push(atEnd(() => address.stop()));
    const remove = async (): Promise<void> => {
      for (const end of ends.reverse()) await end();
    };
    return new ReplicatedDatabase(address.addressOf(primary.url), address, primary, standby, remove);
  }

  /** Of the server that takes writes, without the address in between. */
  get directUrl(): string {
    return this.primary.url;
  }

  get hasStandby(): boolean {
    return this.standby !== undefined;
  }

  processId(): Promise<number> {
    return this.primary.processId();
  }

  /** `kill -9` of all processes of the primary, which then starts again. */
  async killPrimary(): Promise<void> {
    await this.primary.kill();
    await this.primary.start();
  }

  /** `kill -9` of all processes of the primary, which does not come back: the standby takes its place. */
  async failOver(): Promise<void> {
    const { standby } = this;
    if (standby === undefined) throw new Error("There is no standby");
    await this.primary.kill();
    await standby.promote();
    this.primary = standby;
    this.standby = undefined;
    this.address.lead(portOf(standby));
  }

  stop(): Promise<void> {
    return this.primary.stop();
  }

  start(): Promise<void> {
    return this.primary.start();
  }
}

function portOf({ url }: OwnServer): number {
  return Number(new URL(url).port);
}
