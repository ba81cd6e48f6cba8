import type { Log } from "@slipway/sdk";
import type { RequestProgress } from "@slipway/sdk/runtime";
import { shownId } from "../observability/requests/request-names.js";
import { Turns } from "../system/concurrency.js";
import { storageError } from "../system/request-errors.js";
import { monotonicTime, toMonotonic } from "../system/time.js";
import { hasEnded, type Job, type JobEnd, type JobState } from "./job.js";
import { JobFiles, type JobRecord } from "./job-files.js";
import {
  type ClaimedJob,
  type JobClaim,
  type JobStore,
  type JobTerms,
  type JobUsage,
  type NewJob,
  type RequeueTerms,
  refuseExcess,
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
}

/**
 * The embedded store: all records in memory, each change on disk before it is acknowledged. One host owns the folder, so what runs
 * in it ends with the process; leases and progress are in memory only.
 */
export class FileJobStore implements JobStore {
  private readonly files: JobFiles;
  private readonly now: () => number;
  private readonly entries = new Map<string, Entry>();
  /** Ids in the order in which they came or came back. */
  private readonly queued = new Set<string>();
  private running = 0;
  private bytes = 0;
  private readonly turns = new Turns();

  constructor(private readonly options: FileJobStoreOptions) {
    this.files = new JobFiles(options.folder);
    this.now = options.now ?? monotonicTime;
  }

  async open(): Promise<void> {
    const { records, removed } = await this.files.open();
    for (const record of records)
      this.keep({ ...record, due: this.now(), end: toMonotonic(record.expiresAt) });
    if (removed > 0)
      this.options.log.info("Removed what an earlier run left incomplete of jobs", { files: removed });
  }

  create({ id, request, body }: NewJob, terms: JobTerms): Promise<Job> {
    return this.turns.take(id, async () => {
      const known = this.entries.get(id);
      if (known !== undefined) return known.job;
      const bytes = Buffer.byteLength(body);
      refuseExcess(this.used(), bytes, terms);
      const created = Date.now();
      const job: Job = { id, state: "queued", request, attempt: 0, failures: 0, created };
      const record = { job, bytes, expiresAt: created + terms.lifetime };
      const end = this.now() + terms.lifetime;
      // In memory first, so that others do not take the same room; due once it is on disk.
      this.keep({ ...record, due: Number.POSITIVE_INFINITY, end });
      try {
        await this.files.create(record, body);
      } catch (error) {
        this.forget(id);
        throw storageError(error);
      }
      this.keep({ ...record, due: this.now(), end });
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

  async claim(host: string, lease: number): Promise<ClaimedJob | undefined> {
    for (const id of this.queued) {
      if ((this.entries.get(id)?.due ?? Number.POSITIVE_INFINITY) > this.now()) continue;
      // Taken before anything is awaited, so that nobody else begins it.
      this.queued.delete(id);
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

  async answer(id: string): Promise<StoredAnswer | undefined> {
    const status = this.entries.get(id)?.job.status;
    return status === undefined ? undefined : await this.files.answer(id);
  }

  async removeExpired(): Promise<number> {
    const expired = [...this.entries.values()].filter(({ job, end }) => hasEnded(job) && end <= this.now());
    for (const { job } of expired)
      await this.turns.take(job.id, async () => {
        await this.files.remove(job.id);
        this.forget(job.id);
      });
    return expired.length;
  }

  async usage(): Promise<JobUsage> {
    return this.used();
  }

  close(): Promise<void> {
    return this.turns.settled();
  }

  /** Writes what `next` makes of a job, unless it is undefined; resolves with the job then. */
  private change(
    id: string,
    next: (entry: Entry) => Pick<Entry, "job" | "due"> | undefined,
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

  /** Ends a job to which it applies, with an answer or, without one, as cancelled. */
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
    const { due: _due, end: _end, ...record } = entry;
    await stored(this.files.write(record));
    this.keep(entry);
  }

  private keep(entry: Entry): void {
    const { id, state } = entry.job;
    this.count(this.entries.get(id), -1);
    this.count(entry, 1);
    this.entries.set(id, entry);
    if (state === "queued") this.queued.add(id);
    else this.queued.delete(id);
  }

  private forget(id: string): void {
    this.count(this.entries.get(id), -1);
    this.entries.delete(id);
    this.queued.delete(id);
  }

  private count(entry: Entry | undefined, sign: 1 | -1): void {
    if (entry === undefined) return;
    this.bytes += sign * entry.bytes;
    if (entry.job.state === "running") this.running += sign;
  }

  private used(): JobUsage {
    return { jobs: this.entries.size, bytes: this.bytes, queued: this.queued.size, running: this.running };
  }
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

function stored(writing: Promise<void>): Promise<void> {
  return writing.catch((error: unknown) => {
    throw storageError(error);
  });
}
