/**
 * Requests to plugins that are answered later, and webhooks that report the end. Other folders import this file only.
 *
 * In: a valid request with its body (`Jobs.create`), a store (`JobStore`; `FileJobStore` for one host), and the function
 * that answers a request (`attempt`). `Jobs` claims jobs for this host, renews their leases, repeats failed attempts,
 * and sends webhooks, signed with secrets of `WebhookSecrets`.
 * Out: the job as stored (`Job`) and as clients see it (`JobResource`), its changes (`Jobs.watch`), and the answer
 * (`StoredAnswer`, also the form in which answers to idempotent requests are kept).
 * Owns: the running attempts of this host, and `var/jobs` and `var/webhook-secrets.json` through the file stores.
 */
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type { JobsConfiguration } from "../configuration/jobs-configuration.js";
import type { JobMeasures } from "../observability/measures.js";
import { hasEnded, type Job, type JobRequest, type JobState, type Webhook } from "./job.js";
import type { JobStore } from "./job-store.js";
import { JobWorker, type JobWorkerOptions } from "./job-worker.js";
import type { StoredAnswer } from "./stored-answer.js";
import { WebhookDeliveries, type WebhookDeliveriesOptions } from "./webhook-deliveries.js";

export { FileJobStore } from "./file-job-store.js";
export { FileWebhookSecrets } from "./file-webhook-secrets.js";
export { hasEnded, type Job, type JobEnd, JobState, type Webhook } from "./job.js";
export { errorEnd } from "./job-ends.js";
export { JobResource, jobPath, jobResource } from "./job-resource.js";
export {
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
export type { AttemptOptions, JobOutcome } from "./job-worker.js";
export { StoredAnswer, storedContent } from "./stored-answer.js";
export { hostSigner, secretOverlap, signerOf, type WebhookSecrets } from "./webhook-secrets.js";
export { newWebhookSecret } from "./webhook-signature.js";

/** Milliseconds between reads of a job that another host may end. */
const pollInterval = 500;

export type JobsOptions = Omit<JobWorkerOptions, "changed" | "ended"> & {
  store: JobStore;
  configuration: JobsConfiguration;
  webhooks: Pick<WebhookDeliveriesOptions, "configuration" | "secrets" | "fetch">;
  measures: JobMeasures;
};

/** Properties of a job besides its request. */
export interface JobExtras {
  /** Unguessable; default: a random id. */
  id?: string | undefined;
  webhook?: Pick<Webhook, "url" | "signer"> | undefined;
}

/** The jobs of a host, and of those that share its engine. */
export class Jobs {
  private readonly worker: JobWorker;
  private readonly deliveries: WebhookDeliveries;
  /** An event for each change of a job on this host. */
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private isClosing = false;

  constructor(private readonly options: JobsOptions) {
    const { store, log, webhooks, measures } = options;
    const changed = (id: string): void => void this.changes.emit(eventOf(id));
    this.deliveries = new WebhookDeliveries({
      ...webhooks,
      store,
      log,
      attempted: (id, outcome) => {
        measures.webhookSent(outcome);
        changed(id);
      },
    });
    this.worker = new JobWorker({
      ...options,
      changed,
      ended: (attempt) => {
        measures.ended(attempt);
        this.deliveries.poll();
      },
    });
  }

  /** Begins to work on jobs. `host`: the name of this host, for people. */
  start(host: string): void {
    this.worker.start(host);
    this.deliveries.start();
  }

  /** Stores a request as a job, once for each `id`. Rejects with 503 `request-overloaded` beyond the limits. */
  async create(
    request: JobRequest,
    body: string,
    { id = randomBytes(18).toString("base64url"), webhook }: JobExtras = {},
  ): Promise<Job> {
    const { store, configuration } = this.options;
    const job = await store.create({ id, request, body, webhook }, configuration);
    this.worker.poll();
    return job;
  }

  async find(id: string): Promise<Job | undefined> {
    return await this.options.store.find(id);
  }

  /** The latest first. */
  async list(page: { state?: JobState | undefined; limit: number }): Promise<Job[]> {
    return await this.options.store.list(page);
  }

  /** Undefined without an answer. */
  async answer(id: string): Promise<StoredAnswer | undefined> {
    return await this.options.store.answer(id);
  }

  /**
   * The job once it has ended, or as it is after some milliseconds; undefined for an unknown one. `interval`: milliseconds between
   * reads of a job that another host may end.
   */
  async ended(
    id: string,
    milliseconds: number,
    signal: AbortSignal,
    interval = pollInterval,
  ): Promise<Job | undefined> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const left = deadline - performance.now();
      // Before the read, so that no change in between is missed.
      const changed = this.change(id, Math.min(Math.max(left, 0), interval), signal);
      const job = await this.options.store.find(id);
      if (job === undefined || hasEnded(job) || left <= 0 || signal.aborted || this.isClosing) return job;
      await changed;
    }
  }

  /**
   * The job as it is, and after each change that is seen, to its end; until it is removed, this host stops, or the signal aborts.
   */
  async *watch(id: string, signal: AbortSignal): AsyncGenerator<Job> {
    let last = "";
    for (;;) {
      const changed = this.change(id, pollInterval, signal);
      const job = await this.options.store.find(id);
      if (job === undefined || signal.aborted) return;
      const state = JSON.stringify(job);
      if (state !== last) yield job;
      last = state;
      if (hasEnded(job) || this.isClosing) return;
      await changed;
    }
  }

  /** Cancels a job if it has not ended, and removes it. */
  async remove(id: string): Promise<void> {
    if ((await this.find(id)) === undefined) return;
    await this.cancel(id);
    await this.options.store.remove(id);
  }

  /** Ends a job without an answer, unless it has ended. Resolves with the job; undefined for an unknown one. */
  async cancel(id: string): Promise<Job | undefined> {
    const { store, configuration } = this.options;
    const job = await store.cancel(id, configuration.lifetime);
    if (job?.state === "cancelled") {
      this.worker.abandon(id);
      this.deliveries.poll();
    }
    this.changes.emit(eventOf(id));
    return job;
  }

  /** Claims no more jobs, and after some milliseconds gives back those that still run. Resolves when none runs. */
  async drain(milliseconds: number): Promise<void> {
    this.isClosing = true;
    // Answers clients that wait for a job.
    for (const event of this.changes.eventNames()) this.changes.emit(event);
    const drainedAt = performance.now() + milliseconds;
    await this.worker.drain(milliseconds);
    await this.deliveries.drain(Math.max(drainedAt - performance.now(), 0));
  }

  /**
   * Resolves when the job changes on this host, after some milliseconds, or when the signal aborts.
   */
  private change(id: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.changes.off(eventOf(id), end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.changes.on(eventOf(id), end);
      signal.addEventListener("abort", end);
    });
  }
}

/** Prefixed, because clients choose the ids that they request, and events such as "error" have a meaning. */
function eventOf(id: string): string {
  return `job ${id}`;
}
