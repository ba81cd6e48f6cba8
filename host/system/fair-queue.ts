import { type RequestError, Type } from "@slipway/sdk";
import { overloaded } from "./request-errors.js";

/** The setting for `share` below. */
export const clientShare = (what: string) =>
  Type.Number({
    minimum: 0.1,
    maximum: 1,
    default: 0.75,
    description: `${what} that one client (a key, else an address) may fill while no other waits, from 0.1 to 1; with others it may fill less, so that room is left for those that come.`,
  });

export interface QueueLimits {
  /** Jobs at once. */
  running: number;
  /** Jobs that wait. */
  waiting: number;
  /** Of all jobs that wait; none means any number. */
  bytes?: number;
  /** Part of the queue, up to 1, that one client may fill while no other waits; and of that, one session of it. */
  share: number;
}

/** A job that needs a slot. */
export interface QueuedJob {
  /** Key or address of the client; undefined for the host, which counts as a separate client. */
  client: string | undefined;
  /** Id of the session among those of the client; jobs without one take turns with the sessions as if they had one. */
  session: string | undefined;
  /** Bytes that it occupies while it waits. */
  bytes?: number;
  /** Small jobs need not wait until large ones end. */
  large?: boolean;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** The jobs of a client, or of one of its sessions. */
interface Party {
  running: number;
  waiting: number;
  bytes: number;
  /** Sequence number of its arrival, or of the end of its last job. */
  since: number;
}

interface Client extends Party {
  sessions: Map<string | undefined, Party>;
}

interface Waiting {
  job: QueuedJob;
  client: Client;
  session: Party;
  admit(): void;
}

/**
 * Bounds the running and the waiting jobs, and lets clients take turns. A free slot goes to the client with the fewest slots:
 * each has an equal share while others wait, and a single client can use all. Among equals it goes to the client whose last
 * turn was longest ago. The sessions of a client take turns in the same way; the jobs of a session keep their order.
 *
 * With several slots, one extra slot is reserved for a small job while large ones run, and for a client while another one has
 * all slots, because running jobs may take long.
 *
 * Few clients cannot fill the queue: what a client may add depends on the free space (the dynamic thresholds of Choudhury and
 * Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998). So the client with the most waiting jobs
 * is refused first, and newcomers find space.
 */
export class FairQueue {
  private readonly clients = new Map<string | undefined, Client>();
  private readonly queue: Waiting[] = [];
  private queuedBytes = 0;
  private runningSmall = 0;
  private runningLarge = 0;
  private refusals = 0;
  private events = 0;
  private averageMilliseconds = 250;

  /**
   * `limits` may change at any time; lower limits apply to later jobs. `refusal`: the message for a refused job; `whose` is "",
   * " of this client" or " of this session".
   */
  constructor(
    private readonly limits: () => QueueLimits,
    private readonly refusal: (whose: string) => string,
  ) {}

  /** Jobs that can run at the same time, including the reserved slot. */
  get slots(): number {
    const { running } = this.limits();
    return running >= 2 ? running + 1 : running;
  }

  get running(): number {
    return this.runningSmall + this.runningLarge;
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Number of refused jobs. */
  get refused(): number {
    return this.refusals;
  }

  /**
   * Waits for a slot; returns the function that frees it. Rejects with 503 `request-overloaded` when too many jobs wait, and with
   * the reason of the signal.
   */
  async enter(job: QueuedJob): Promise<() => void> {
    job.signal.throwIfAborted();
    const client = this.clients.get(job.client) ?? { ...this.newcomer(), sessions: new Map() };
    const session = client.sessions.get(job.session) ?? this.newcomer();
    const entry = { job, client, session };
    const isFree = (this.queue.length === 0 && this.hasSlot()) || this.hasSpareSlot(entry);
    if (!isFree) this.refuseExcess(entry);
    this.clients.set(job.client, client);
    client.sessions.set(job.session, session);
    return isFree ? this.occupy(entry) : await this.wait(entry);
  }

  private newcomer(): Party {
    this.events += 1;
    return { running: 0, waiting: 0, bytes: 0, since: this.events };
  }

  private wait(entry: Omit<Waiting, "admit">): Promise<() => void> {
    const { signal } = entry.job;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.remove(waiting);
        this.forgetIdle(entry);
        reject(signal.reason);
      };
      const admit = (): void => {
        signal.removeEventListener("abort", leave);
        this.remove(waiting);
        resolve(this.occupy(entry));
      };
      const waiting: Waiting = { ...entry, admit };
      signal.addEventListener("abort", leave, { once: true });
      this.queue.push(waiting);
      this.count(entry, 1);
    });
  }

  private remove(waiting: Waiting): void {
    this.queue.splice(this.queue.indexOf(waiting), 1);
    this.count(waiting, -1);
  }

  private count({ job: { bytes = 0 }, client, session }: Omit<Waiting, "admit">, jobs: 1 | -1): void {
    this.queuedBytes += jobs * bytes;
    for (const party of [client, session]) {
      party.waiting += jobs;
      party.bytes += jobs * bytes;
    }
  }

  private occupy(entry: Omit<Waiting, "admit">): () => void {
    const { job, client, session } = entry;
    const begun = performance.now();
    const change = (jobs: 1 | -1): void => {
      if (job.large) this.runningLarge += jobs;
      else this.runningSmall += jobs;
      client.running += jobs;
      session.running += jobs;
    };
    change(1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      change(-1);
      this.events += 1;
      client.since = session.since = this.events;
      this.averageMilliseconds += (performance.now() - begun - this.averageMilliseconds) / 16;
      this.forgetIdle(entry);
      this.admitNext();
    };
  }

  private forgetIdle({ job, client, session }: Omit<Waiting, "admit">): void {
    if (session.running + session.waiting === 0) client.sessions.delete(job.session);
    if (client.sessions.size === 0) this.clients.delete(job.client);
  }

  private admitNext(): void {
    for (;;) {
      const able = this.hasSlot() ? this.queue : this.queue.filter((each) => this.hasSpareSlot(each));
      if (able.length === 0) return;
      able.reduce((first, each) => (comesBefore(each, first) ? each : first)).admit();
    }
  }

  private hasSlot(): boolean {
    return this.running < this.limits().running;
  }

  private hasSpareSlot({ job, client }: Omit<Waiting, "admit">): boolean {
    if (this.running >= this.slots || this.hasSlot()) return false;
    if (this.runningLarge > 0 && !job.large) return true;
    return [...this.clients.values()].some((each) => each !== client && each.running === this.running);
  }

  /** Throws when the queue is full, or full enough for this client or session. */
  private refuseExcess({ job, client, session }: Omit<Waiting, "admit">): void {
    const { waiting, bytes = Number.POSITIVE_INFINITY, share } = this.limits();
    const freeJobs = waiting - this.queue.length;
    const freeBytes = bytes - this.queuedBytes;
    if (freeJobs <= 0 || freeBytes < (job.bytes ?? 0)) throw this.overloaded("");
    const ofClient = {
      jobs: roomOf(client.waiting, freeJobs, share),
      bytes: roomOf(client.bytes, freeBytes, share),
    };
    if (ofClient.jobs <= 0 || ofClient.bytes <= 0) throw this.overloaded(" of this client");
    if (job.session === undefined) return;
    const ofSession = [
      roomOf(session.waiting, ofClient.jobs, share),
      roomOf(session.bytes, ofClient.bytes, share),
    ];
    if (ofSession.some((room) => room <= 0)) throw this.overloaded(" of this session");
  }

  private overloaded(whose: string): RequestError {
    this.refusals += 1;
    const seconds = ((this.queue.length + 1) * this.averageMilliseconds) / this.limits().running / 1000;
    return overloaded(this.refusal(whose), Math.min(60, Math.max(1, Math.ceil(seconds))));
  }
}

/** How much more a client with `held` may add while `free` is left; a single client can fill `share` of the whole queue. */
export function roomOf(held: number, free: number, share: number): number {
  return share === 1 ? free : (free * share) / (1 - share) - held;
}

function comesBefore(one: Waiting, other: Waiting): boolean {
  const order =
    one.client.running - other.client.running ||
    one.client.since - other.client.since ||
    one.session.running - other.session.running ||
    one.session.since - other.session.since;
  return order < 0;
}
