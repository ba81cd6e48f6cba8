import type { Log } from "@slipway/sdk";
import { Client, type ClientConfig } from "pg";
import { wait } from "../../system/time.js";
import { limited } from "./connection.js";

/** Milliseconds between checks of the connection: after a lost route it would stay silent for ever. */
const heartbeat = 10_000;
/** Milliseconds until another connection. */
const pauseAfterLoss = 1000;

/** The subject of a notice. */
export type NoticeTopic = "switch" | "job" | "webhook";

/** Notices of the database: immediate hints of changes, which may be lost. Followers must also poll. */
export class Notices {
  private readonly listeners = new Map<() => void, NoticeTopic>();
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: ClientConfig,
    /** Milliseconds for the database to answer. */
    private readonly timeout: number,
    private readonly log: Log,
  ) {}

  follow(topic: NoticeTopic, listener: () => void): () => void {
    this.listeners.set(listener, topic);
    return () => void this.listeners.delete(listener);
  }

  open(): void {
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      const client = new Client(this.settings);
      const ended = new Promise<void>((resolve) => {
        // Without a listener, an error would end the host. `Availability` logs outages.
        client.on("error", () => resolve());
        client.on("end", () => resolve());
      });
      client.on("notification", ({ payload }) => this.tell(payload));
      try {
        await client.connect();
        await limited(client.query("LISTEN slipway"), this.timeout);
        // There may have been changes while no connection was listening.
        this.tell();
        await this.watch(client, ended);
      } catch (error) {
        this.log.debug("Notices of the engine are not heard", { error });
      }
      // Not awaited: the server may never answer.
      client.end().catch(() => undefined);
      if (!signal.aborted) await wait(pauseAfterLoss, signal);
    }
  }

  /** Resolves when the connection is lost or unwanted. */
  private async watch(client: Client, ended: Promise<void>): Promise<void> {
    const { signal } = this.ending;
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!signal.aborted && !isOver) {
      await Promise.race([wait(heartbeat, signal), ended]);
      if (!signal.aborted && !isOver) await limited(client.query("SELECT 1"), this.timeout);
    }
  }

  /** Notifies followers of a topic, or of all. */
  private tell(topic?: string): void {
    for (const [listener, own] of this.listeners) if (topic === undefined || topic === own) listener();
  }
}

/** An SQL expression that notifies all hosts at the commit of the transaction. */
export function notice(topic: NoticeTopic): string {
  return `pg_notify('slipway', '${topic}')`;
}
