import type { Log } from "@slipway/sdk";
import type { RequestProgress } from "@slipway/sdk/runtime";
import { shownId } from "../observability/requests/request-names.js";
import { Turns } from "../system/concurrency.js";
import { storageError, stored } from "../system/request-errors.js";
import { monotonicTime, toMonotonic } from "../system/time.js";
import {
  hasEnded,
  isWebhookOwed,
  type Job,
  type JobEnd,
  type JobState,
  type Webhook,
  webhookServer,
} from "./job.js";
import { JobFiles, type JobRecord } from "./job-files.js";
import {
  type ClaimedJob,
  type JobClaim,
  type JobKinds,
  type JobStore,
  type JobTerms,
  type JobUsage,
  type NewJob,
  type RequeueTerms,
  refuseExcess,
  type WebhookClaim,
  type WebhookOutcome,
} from "./job-store.js";
import type { StoredAnswer } from "./stored-answer.js";

export interface FileJobStoreOptions {
  folder: string;
  log: Log;
  /** Milliseconds by which leases and lifetimes are measured; default: the monotonic clock. */
  now?: () => number;
}

/** A record with the times by `now`, which a change of the system clock does not move. */
interface Entry extends JobRecord {
  /** Of a queued job: when it may begin. Of a running one: the end of its lease. */
  due: number;
  end: number;
  /** When the webhook is due. */
  webhookDue: number;
}

/** The jobs of one client. */
interface Client {
  jobs: number;
  queued: number;
  running: number;
  /** When a job of the client was last claimed, as a number of claims. */
  since: number;
}

/**
 * The embedded store: all records in memory, each change on disk before it is acknowledged. One host owns the folder, so running
 * jobs end with the process; leases and progress are in memory only.
 */
export class FileJobStore implements JobStore {
  private readonly files: JobFiles;
  private readonly now: () => number;
  private readonly entries = new Map<string, Entry>();
  /** Ids in the order in which the jobs were queued or requeued. */
  private readonly queued = new Set<string>();
  /** Ids of jobs whose webhook is still to be delivered. */
  private readonly owed = new Set<string>();
  private readonly clients = new Map<string | undefined, Client>();
  private begun = 0;
  private running = 0;
  private bytes = 0;
  private readonly turns = new Turns();

  constructor(private readonly options: FileJobStoreOptions) {
    this.files = new JobFiles(options.folder);
    this.now = options.now ?? monotonicTime;
  }

  async open(): Promise<void> {
    const { records, removed } = await this.files.open();
    for (const record of records) {
      const { webhook } = record.job;
      // Its sender is lost.
      const webhookDue = webhook?.state === "waiting" ? toMonotonic(webhook.due) : this.now();
      this.keep({ ...record, due: this.now(), end: toMonotonic(record.expiresAt), webhookDue });
    }
    if (removed > 0)
      this.options.log.info("Removed what an earlier run left incomplete of jobs", { files: removed });
  }

  create({ id, request, body, webhook }: NewJob, terms: JobTerms): Promise<Job> {
    return this.turns.take(id, async () => {
      const known = this.entries.get(id);
      if (known !== undefined) return known.job;
      const bytes = Buffer.byteLength(body);
      const queuedOfClient = this.clients.get(request.client)?.queued ?? 0;
      refuseExcess({ ...this.used(), queuedOfClient }, bytes, terms);
      const created = Date.now();
      const job: Job = {
        id,
        state: "queued",
        request,
        attempt: 0,
        failures: 0,
        created,
        ...(webhook !== undefined && {
          webhook: { ...webhook, state: "waiting" as const, attempts: 0, failures: 0, due: created },
        }),
      };
      const record = { job, bytes, expiresAt: created + terms.lifetime };
      const end = this.now() + terms.lifetime;
      const webhookDue = this.now();
      // In memory first, so that concurrent jobs do not exceed the limits; due once it is on disk.
      this.keep({ ...record, due: Number.POSITIVE_INFINITY, end, webhookDue });
      try {
        await this.files.create(record, body);
      } catch (error) {
        this.forget(id);
        throw storageError(error);
      }
      this.keep({ ...record, due: this.now(), end, webhookDue });
      return job;
    });
  }

  async find(id: string): Promise<Job | undefined> {
    return this.entries.get(id)?.job;
  }

  async list({ state, limit }: { state?: JobState | undefined; limit: number }): Promise<Job[]> {
    return [...this.entries.values()]
      .map(({ job }) => job)
      .filter((job) => state === undefined || job.state === state)
      .reverse()
      .slice(0, limit);
  }

  async claim(host: string, lease: number, kinds: JobKinds = "all"): Promise<ClaimedJob | undefined> {
    for (let next = this.next(kinds); next !== undefined; next = this.next(kinds)) {
      const { id } = next.job;
      // Taken before the first `await`, so that no concurrent claim gets it.
      this.queued.delete(id);
      this.begun += 1;
      this.clientOf(next).since = this.begun;
      const begun = await this.change(id, ({ job: { progress: _, ...job } }) => {
        if (job.state !== "queued") return undefined;
        const started = Date.now();
        return {
          job: { ...job, state: "running", attempt: job.attempt + 1, host, started },
          due: this.now() + lease,
        };
      }).catch((error: unknown) => {
        this.queued.add(id);
        throw error;
      });
      if (begun !== undefined)
        return { job: begun.job, body: begun.bytes === 0 ? "" : await this.files.body(id) };
    }
    return undefined;
  }

  async renew(claim: JobClaim, lease: number, progress?: RequestProgress): Promise<boolean> {
    const entry = this.entries.get(claim.id);
    if (entry === undefined || !isHeld(entry, claim)) return false;
    const job = progress === undefined ? entry.job : { ...entry.job, progress };
    this.keep({ ...entry, job, due: this.now() + lease });
    return true;
  }

  async finish(claim: JobClaim, end: JobEnd, lifetime: number): Promise<boolean> {
    return await this.end(claim.id, (entry) => isHeld(entry, claim), lifetime, end);
  }

  async giveBack(claim: JobClaim, how: { isFailure: boolean; delay: number }): Promise<boolean> {
    const changed = await this.change(claim.id, (entry) =>
      isHeld(entry, claim)
        ? { job: waitingAgain(entry.job, how.isFailure), due: this.now() + how.delay }
        : undefined,
    );
    return changed !== undefined;
  }

  async cancel(id: string, lifetime: number): Promise<Job | undefined> {
    await this.end(id, ({ job }) => !hasEnded(job), lifetime);
    return this.entries.get(id)?.job;
  }

  async requeue({ attempts, lifetime, end }: RequeueTerms): Promise<void> {
    const isLost = ({ job, due }: Entry): boolean => job.state === "running" && due <= this.now();
    const hasFailed = (entry: Entry): boolean => isLost(entry) && entry.job.failures + 1 >= attempts;
    const isLate = (entry: Entry): boolean => entry.job.state === "queued" && entry.end <= this.now();
    for (const entry of [...this.entries.values()]) {
      const { id, request } = entry.job;
      if (hasFailed(entry)) await this.end(id, hasFailed, lifetime, end("attempts", request));
      else if (isLate(entry)) await this.end(id, isLate, lifetime, end("wait", request));
      else if (isLost(entry))
        await this.change(id, (current) =>
          isLost(current) ? { job: waitingAgain(current.job, true), due: this.now() } : undefined,
        );
    }
  }

  async claimWebhook(lease: number, except: readonly string[]): Promise<Job | undefined> {
    for (const id of this.owed) {
      const { job, webhookDue = Number.POSITIVE_INFINITY } = this.entries.get(id) ?? {};
      if (job?.webhook === undefined || webhookDue > this.now()) continue;
      if (except.includes(webhookServer(job.webhook))) continue;
      // Taken before anything is awaited; `keep` puts it back.
      this.owed.delete(id);
      const claimed = await this.changeWebhook(id, ({ attempts, ...webhook }) => ({
        ...webhook,
        state: "sending",
        attempts: attempts + 1,
        delay: lease,
      })).catch((error: unknown) => {
        this.owed.add(id);
        throw error;
      });
      if (claimed !== undefined) return claimed.job;
    }
    return undefined;
  }

  async settleWebhook({ id, attempts }: WebhookClaim, outcome: WebhookOutcome): Promise<boolean> {
    const settled = await this.changeWebhook(id, ({ error: _, ...webhook }) => {
      if (webhook.state !== "sending" || webhook.attempts !== attempts) return undefined;
      if (outcome.state !== "waiting") return { delay: 0, ...webhook, ...outcome };
      const { isFailure, ...next } = outcome;
      return { ...webhook, ...next, failures: webhook.failures + (isFailure ? 1 : 0) };
    });
    return settled !== undefined;
  }

  /** Revisions of a session that open jobs need. */
  heldRevisions(session: string): ReadonlySet<number> {
    const held = new Set<number>();
    for (const { job } of this.entries.values())
      if (!hasEnded(job) && job.request.session?.id === session) held.add(job.request.session.revision);
    return held;
  }

  async answer(id: string): Promise<StoredAnswer | undefined> {
    const status = this.entries.get(id)?.job.status;
    return status === undefined ? undefined : await this.files.answer(id);
  }

  remove(id: string): Promise<void> {
    return this.turns.take(id, async () => {
      const entry = this.entries.get(id);
      if (entry === undefined || !hasEnded(entry.job)) return;
      await this.files.remove(id);
      this.forget(id);
    });
  }

  async removeExpired(): Promise<number> {
    const expired = [...this.entries.values()].filter(
      ({ job, end }) => hasEnded(job) && !isWebhookOwed(job) && end <= this.now(),
    );
    for (const { job } of expired) await this.remove(job.id);
    return expired.length;
  }

  async usage(): Promise<JobUsage> {
    return this.used();
  }

  /** There is no other host. */
  follow(): () => void {
    return () => undefined;
  }

  close(): Promise<void> {
    return this.turns.settled();
  }

  /** Stores a job as `next` changes it; resolves with undefined if `next` returns that. */
  private change(
    id: string,
    next: (entry: Entry) => (Pick<Entry, "job"> & Partial<Entry>) | undefined,
  ): Promise<Entry | undefined> {
    return this.turns.take(id, async () => {
      const entry = this.entries.get(id);
      const changes = entry && next(entry);
      if (entry === undefined || changes === undefined) return undefined;
      const changed = { ...entry, ...changes };
      await this.write(changed);
      return changed;
    });
  }

  /** The same for a webhook; `delay`: milliseconds until it is due. */
  private changeWebhook(
    id: string,
    next: (webhook: Webhook) => (Omit<Webhook, "due"> & { delay: number }) | undefined,
  ): Promise<Entry | undefined> {
    return this.change(id, ({ job }) => {
      const changed = job.webhook && next(job.webhook);
      if (changed === undefined) return undefined;
      const { delay, ...webhook } = changed;
      return {
        job: { ...job, webhook: { ...webhook, due: Date.now() + delay } },
        webhookDue: this.now() + delay,
      };
    });
  }

  /** The queued job that is begun next. */
  private next(kinds: JobKinds): Entry | undefined {
    let first: Entry | undefined;
    for (const id of this.queued) {
      const entry = this.entries.get(id);
      if (entry === undefined || entry.due > this.now()) continue;
      const isUrgent = isUrgentJob(entry);
      if (kinds !== "all" && isUrgent !== (kinds === "urgent")) continue;
      const order = first === undefined ? -1 : Number(isUrgentJob(first)) - Number(isUrgent);
      const isBefore =
        first === undefined ||
        order < 0 ||
        (order === 0 && comesBefore(this.clientOf(entry), this.clientOf(first)));
      if (isBefore) first = entry;
    }
    return first;
  }

  private clientOf({ job }: Entry): Client {
    const { client } = job.request;
    const known = this.clients.get(client) ?? { jobs: 0, queued: 0, running: 0, since: 0 };
    this.clients.set(client, known);
    return known;
  }

  /** Ends a job if `applies`: with an answer, or without one as cancelled. */
  private end(
    id: string,
    applies: (entry: Entry) => boolean,
    lifetime: number,
    end?: JobEnd,
  ): Promise<boolean> {
    return this.turns.take(id, async () => {
      const entry = this.entries.get(id);
      if (entry === undefined || !applies(entry)) return false;
      const text = end === undefined ? "" : JSON.stringify(end.answer);
      const finished = Date.now();
      const ended = {
        job: {
          ...entry.job,
          ...(end === undefined ? { state: "cancelled" as const } : outcomeOf(end)),
          finished,
        },
        bytes: Buffer.byteLength(text),
        expiresAt: finished + lifetime,
        due: Number.POSITIVE_INFINITY,
        end: this.now() + lifetime,
        webhookDue: entry.webhookDue,
      };
      if (end !== undefined) await stored(this.files.writeAnswer(id, text));
      await this.write(ended);
      await this.files.removeBody(id).catch((error: unknown) =>
        this.options.log.warn("The request of an ended job could not be removed", {
          job: shownId(id),
          error,
        }),
      );
      return true;
    });
  }

  private async write(entry: Entry): Promise<void> {
    const { job, bytes, expiresAt } = entry;
    await stored(this.files.write({ job, bytes, expiresAt }));
    this.keep(entry);
  }

  private keep(entry: Entry): void {
    const { id, state } = entry.job;
    const before = this.entries.get(id);
    // The new entry first: a client without jobs is forgotten together with its turn.
    this.count(entry, 1);
    this.count(before, -1);
    this.entries.set(id, entry);
    if (state === "queued") this.queued.add(id);
    else this.queued.delete(id);
    if (isWebhookOwed(entry.job)) this.owed.add(id);
    else this.owed.delete(id);
  }

  private forget(id: string): void {
    this.count(this.entries.get(id), -1);
    this.entries.delete(id);
    this.queued.delete(id);
    this.owed.delete(id);
  }

  private count(entry: Entry | undefined, sign: 1 | -1): void {
    if (entry === undefined) return;
    this.bytes += sign * entry.bytes;
    const { state } = entry.job;
    const client = this.clientOf(entry);
    client.jobs += sign;
    if (state === "queued") client.queued += sign;
    if (state === "running") {
      client.running += sign;
      this.running += sign;
    }
    if (client.jobs === 0) this.clients.delete(entry.job.request.client);
  }

  private used(): JobUsage {
    const { bytes, running } = this;
    return { jobs: this.entries.size, bytes, queued: this.queued.size, running, webhooks: this.owed.size };
  }
}

function isUrgentJob({ job }: Entry): boolean {
  return job.request.isUrgent === true;
}

function comesBefore(one: Client, other: Client): boolean {
  return (one.running - other.running || one.since - other.since) < 0;
}

function isHeld({ job }: Entry, { attempt }: JobClaim): boolean {
  return job.state === "running" && job.attempt === attempt;
}

function waitingAgain({ progress: _, ...job }: Job, isFailure: boolean): Job {
  return { ...job, state: "queued", failures: job.failures + (isFailure ? 1 : 0) };
}

function outcomeOf({ state, answer: { status }, error }: JobEnd): Pick<Job, "state" | "status" | "error"> {
  return { state, status, ...(error !== undefined && { error }) };
}
