/** The store of jobs. One contract for the embedded store and for stores that several hosts share. */
import type { RequestProgress } from "@slipway/sdk/runtime";
import { roomOf } from "../system/fair-queue.js";
import { overloaded } from "../system/request-errors.js";
import type { Job, JobEnd, JobRequest, JobState, Webhook } from "./job.js";
import type { StoredAnswer } from "./stored-answer.js";

/** A job to be stored. */
export interface NewJob {
  /** Unguessable: its owner may read the answer. */
  id: string;
  request: JobRequest;
  /** JSON text of the request's body; empty without one. */
  body: string;
  /** Receives a request at the end of the job. */
  webhook?: Pick<Webhook, "url" | "signer"> | undefined;
}

/** Bounds of all jobs together, and the milliseconds for which one is kept. */
export interface JobTerms {
  lifetime: number;
  /** Jobs, ended ones included. */
  maximumJobs: number;
  /** Bytes of their requests and answers. */
  maximumBytes: number;
  /** Jobs that wait. */
  queue: number;
  /** Share of them, up to 1, that one client may fill while no other waits. */
  clientShare: number;
}

/** Jobs that a host may claim: urgent ones, whose clients wait, or the usual ones, or all, the urgent ones first. */
export type JobKinds = "urgent" | "usual" | "all";

/** One attempt at a job; only the worker that claimed it may renew or end it. */
export type JobClaim = Pick<Job, "id" | "attempt">;

/** A job that a worker has begun. */
export interface ClaimedJob {
  job: Job;
  body: string;
}

export interface JobUsage {
  /** All of them. */
  jobs: number;
  bytes: number;
  queued: number;
  running: number;
  /** Ended ones whose webhook is not delivered yet. */
  webhooks: number;
}

/** One attempt to deliver a webhook. */
export interface WebhookClaim {
  id: string;
  attempts: number;
}

/** The outcome of an attempt. `delay`: milliseconds until the next one. `isFailure`: counts towards the allowed failures. */
export type WebhookOutcome =
  | { state: "delivered" }
  | { state: "failed"; error: string }
  | { state: "waiting"; error: string; delay: number; isFailure: boolean };

/** How jobs without a worker continue. */
export interface RequeueTerms {
  /** Failures after which a job is not begun again. */
  attempts: number;
  /** Milliseconds for which ended jobs are kept. */
  lifetime: number;
  /** The end of jobs that failed too often, or waited longer than they are kept. */
  end(reason: "attempts" | "wait", request: JobRequest): JobEnd;
}

/**
 * Stores use their own clock. A change survives `kill -9` once its method has resolved, except for leases and progress.
 * Methods with a claim change nothing and resolve with false when the job has ended or another attempt has begun: however late
 * a worker is, only one answer is stored.
 */
export interface JobStore {
  /** Reads the store. Jobs that were running have lost their workers. */
  open(): Promise<void>;
  /**
   * Adds a job to the end of the queue, unless one with this id exists. Rejects with 503 `request-overloaded` beyond the limits.
   */
  create(job: NewJob, terms: JobTerms): Promise<Job>;
  find(id: string): Promise<Job | undefined>;
  /** The latest first. */
  list(page: { state?: JobState | undefined; limit: number }): Promise<Job[]>;
  /**
   * Claims a job for a host, for `lease` milliseconds; undefined when none is due. Clients take turns: first the client with the
   * fewest running jobs, among equals the one whose last turn was longest ago. The jobs of a client keep their order.
   */
  claim(host: string, lease: number, kinds?: JobKinds): Promise<ClaimedJob | undefined>;
  /** Extends the lease to so many milliseconds from now. */
  renew(claim: JobClaim, lease: number, progress?: RequestProgress): Promise<boolean>;
  /** Stores the answer, which is kept for `lifetime` milliseconds. */
  finish(claim: JobClaim, end: JobEnd, lifetime: number): Promise<boolean>;
  /** Puts the job back into the queue, due in `delay` milliseconds. */
  giveBack(claim: JobClaim, how: { isFailure: boolean; delay: number }): Promise<boolean>;
  /** Ends a job without an answer, unless it has ended. Resolves with the job; undefined for an unknown one. */
  cancel(id: string, lifetime: number): Promise<Job | undefined>;
  /** Puts jobs whose lease is over back into the queue, which counts as a failure, or ends them. */
  requeue(terms: RequeueTerms): Promise<void>;
  /** Undefined without an answer. */
  answer(id: string): Promise<StoredAnswer | undefined>;
  /**
   * Claims an ended job whose webhook is due, for `lease` milliseconds; undefined if none is due, apart from webhooks to the
   * servers `except`. Counts the attempt at once; a lost sender is not a failure.
   */
  claimWebhook(lease: number, except: readonly string[]): Promise<Job | undefined>;
  /** Stores the outcome of an attempt; false if another attempt has begun. */
  settleWebhook(claim: WebhookClaim, outcome: WebhookOutcome): Promise<boolean>;
  /** Removes a job that has ended, before its time. */
  remove(id: string): Promise<void>;
  /** Removes expired jobs, except those with a webhook to deliver; returns their number. */
  removeExpired(): Promise<number>;
  usage(): Promise<JobUsage>;
  /**
   * Calls the listener when another host may have left a job to claim, or a webhook to send; returns a function that ends this.
   * Only a hint: calls may be lost.
   */
  follow(what: "job" | "webhook", listener: () => void): () => void;
  /** Resolves when all running changes are stored. */
  close(): Promise<void>;
}

/** Throws 503 `request-overloaded` where another job of so many bytes would exceed the limits. */
export function refuseExcess(
  used: Pick<JobUsage, "jobs" | "bytes" | "queued"> & { queuedOfClient: number },
  bytes: number,
  terms: JobTerms,
): void {
  const free = terms.queue - used.queued;
  if (free <= 0) throw overloaded("Too many jobs are waiting. Try again.", 10);
  if (roomOf(used.queuedOfClient, free, terms.clientShare) <= 0)
    throw overloaded("Too many jobs of this client are waiting. Try again.", 10);
  if (used.jobs >= terms.maximumJobs)
    throw overloaded("The host keeps too many jobs. Delete some, or try again later.", 60);
  if (used.bytes + bytes > terms.maximumBytes)
    throw overloaded("The space for the results of jobs is full. Delete some jobs, or try again later.", 60);
}
