import { setTimeout as pause } from "node:timers/promises";
import { type Log, RequestError } from "@slipway/sdk";
import type { RequestProgress } from "@slipway/sdk/runtime";
import type { JobsConfiguration } from "../configuration/jobs-configuration.js";
import { logWith } from "../observability/log.js";
import type { JobMeasures } from "../observability/measures.js";
import { shownId } from "../observability/requests/request-names.js";
import { logUnlessOutage } from "../system/request-errors.js";
import { monotonicTime, settlesWithin } from "../system/time.js";
import type { JobEnd } from "./job.js";
import { abandonedEnd } from "./job-ends.js";
import type { ClaimedJob, JobClaim, JobKinds, JobStore } from "./job-store.js";
import { Poller } from "./poller.js";

/** The outcome of an attempt. */
export interface JobOutcome {
  end: JobEnd;
  /**
   * Another attempt may succeed: `failure` counts towards the allowed failures, `delay` does not, because no work was done.
   * `milliseconds` until then.
   */
  again?: { why: "failure" | "delay"; milliseconds: number };
}

export interface AttemptOptions {
  /** Aborts when the job is cancelled or given back. */
  signal: AbortSignal;
  log: Log;
  progress(progress: RequestProgress): void;
}

export interface JobWorkerOptions {
  store: JobStore;
  /** Read at each use, because it may change. */
  configuration: JobsConfiguration;
  log: Log;
  /** How many urgent jobs of other hosts this one can take in addition; undefined for a single host. */
  urgentRoom?: (() => number) | undefined;
  /** Makes the answer to the request of a job; does not reject. */
  attempt(claimed: ClaimedJob, options: AttemptOptions): Promise<JobOutcome>;
  /** Called when a job of this host begins, progresses or ends; must not throw. */
  changed(id: string): void;
  /** Called when this host has stored the answer of a job; must not throw. */
  ended: JobMeasures["ended"];
}

/** Milliseconds between checks of the running jobs. */
const pollInterval = 1000;
/** Longest pause between polls for jobs without a worker, and for new jobs without a notice, in milliseconds. */
const requeueInterval = 5000;
const expiryInterval = 30_000;

/** A job that this host works on. */
interface Running {
  isUrgent: boolean;
  claim: JobClaim;
  abort: AbortController;
  progress: RequestProgress | undefined;
  /** Of the lease, by the monotonic clock. */
  renewed: number;
  /** Of the progress in the store. */
  isTold: boolean;
  done: Promise<void>;
}

/** Works on the jobs of a store, some at a time. */
export class JobWorker {
  private readonly running = new Map<string, Running>();
  private timer: NodeJS.Timeout | undefined;
  private unfollow: () => void = () => undefined;
  /** Name of this host, for people; undefined when it begins no jobs. */
  private host: string | undefined;
  private readonly poller = new Poller(() => this.takeAll());
  private readonly due = { requeue: 0, expiry: 0 };

  constructor(private readonly options: JobWorkerOptions) {}

  /** `host`: the name of this host, for people. */
  start(host: string): void {
    this.host = host;
    this.unfollow = this.options.store.follow("job", () => this.poll());
    this.next();
  }

  /** Claims jobs, as far as this host has capacity. */
  poll(): void {
    this.poller.poll();
  }

  /** Ends the work on a cancelled job. */
  abandon(id: string): void {
    this.running.get(id)?.abort.abort(new Error("The job was cancelled"));
  }

  /** Claims no more jobs, and after some milliseconds gives back those that still run. Resolves when none runs. */
  async drain(milliseconds: number): Promise<void> {
    this.host = undefined;
    this.unfollow();
    await this.poller.settled();
    const ended = Promise.all([...this.running.values()].map(({ done }) => done));
    await settlesWithin(ended, milliseconds);
    for (const { abort } of this.running.values()) abort.abort(new Error("The host stops"));
    await ended;
    clearTimeout(this.timer);
  }

  /** Polls now, and then often enough to extend a lease in time. */
  private next(): void {
    void this.tick();
    const isIdle = this.running.size === 0;
    this.pollIn(isIdle ? this.due.requeue - monotonicTime() : pollInterval);
  }

  private pollIn(milliseconds: number): void {
    clearTimeout(this.timer);
    const pause = Math.min(milliseconds, this.options.configuration.lease / 4);
    this.timer = setTimeout(() => this.next(), pause).unref();
  }

  private async tick(): Promise<void> {
    const { store, configuration } = this.options;
    const now = monotonicTime();
    for (const running of this.running.values()) void this.renew(running);
    const isDue = this.due.requeue <= now;
    try {
      if (isDue) {
        this.due.requeue = now + Math.min(requeueInterval, configuration.lease);
        const { attempts, lifetime } = configuration;
        await store.requeue({
          attempts,
          lifetime,
          end: (reason, request) => abandonedEnd(reason, request, configuration),
        });
      }
      if (this.due.expiry <= now) {
        this.due.expiry = now + expiryInterval;
        const removed = await store.removeExpired();
        if (removed > 0) this.options.log.info("Removed jobs that expired", { jobs: removed });
      }
    } catch (error) {
      this.failed("The jobs could not be looked through", error);
    }
    if (isDue) this.poll();
  }

  private async takeAll(): Promise<void> {
    const { store, configuration } = this.options;
    while (this.host !== undefined && this.kinds !== undefined) {
      const claimed = await store
        .claim(this.host, configuration.lease, this.kinds)
        .catch((error: unknown) => this.failed("No job could be begun", error));
      if (claimed === undefined) break;
      this.begin(claimed);
    }
  }

  /** Which jobs this host can take; undefined for none. */
  private get kinds(): JobKinds | undefined {
    const { concurrency } = this.options.configuration;
    const usual = [...this.running.values()].filter(({ isUrgent }) => !isUrgent).length;
    if (this.options.urgentRoom === undefined) return usual < concurrency ? "all" : undefined;
    if (usual < concurrency) return this.urgentRoom > 0 ? "all" : "usual";
    return this.urgentRoom > 0 ? "urgent" : undefined;
  }

  /** A host with `concurrency` 0 takes no urgent jobs either. */
  private get urgentRoom(): number {
    const { configuration, urgentRoom = () => 0 } = this.options;
    const urgent = [...this.running.values()].filter(({ isUrgent }) => isUrgent).length;
    return configuration.concurrency === 0 ? 0 : urgentRoom() - urgent;
  }

  private begin(claimed: ClaimedJob): void {
    const { id, attempt } = claimed.job;
    const running: Running = {
      isUrgent: claimed.job.request.isUrgent === true,
      claim: { id, attempt },
      abort: new AbortController(),
      progress: undefined,
      renewed: monotonicTime(),
      isTold: true,
      done: Promise.resolve(),
    };
    this.running.set(id, running);
    if (this.running.size === 1) this.pollIn(pollInterval);
    this.options.changed(id);
    running.done = this.work(claimed, running).finally(() => {
      this.running.delete(id);
      this.options.changed(id);
      this.poll();
    });
  }

  private async work(claimed: ClaimedJob, running: Running): Promise<void> {
    const { job } = claimed;
    const { requestId, plugin, method, operation } = job.request;
    const log = logWith(this.options.log, { requestId, job: shownId(job.id) });
    const { signal } = running.abort;
    const begun = monotonicTime();
    const outcome = await this.options.attempt(claimed, {
      signal,
      log,
      progress: (progress) => {
        running.progress = progress;
        running.isTold = false;
      },
    });
    const became = await this.conclude(claimed, outcome, signal).catch((error: unknown) => {
      logUnlessOutage(log, "The answer of a job could not be stored", error);
      return "lost" as const;
    });
    const { status } = outcome.end.answer;
    const milliseconds = Math.round(monotonicTime() - begun);
    const facts = {
      became,
      plugin,
      operation: `${method} ${operation}`,
      attempt: job.attempt,
      status,
      milliseconds,
    };
    log.info("job", facts);
    if (became === "answered")
      this.options.ended({
        plugin: plugin.slice(0, plugin.lastIndexOf("@")),
        state: outcome.end.state,
        seconds: milliseconds / 1000,
      });
  }

  /** Stores the outcome of a job; retries after an outage until the lease ends. */
  private async conclude(
    { job }: ClaimedJob,
    { end, again }: JobOutcome,
    signal: AbortSignal,
  ): Promise<"answered" | "queued" | "lost"> {
    const { store, configuration } = this.options;
    const deadline = monotonicTime() + configuration.lease;
    // A cancelled job has ended already; a stopping host gives its jobs back.
    const isFailure = again?.why === "failure" && !signal.aborted;
    const isLast = isFailure && job.failures + 1 >= configuration.attempts;
    const isGivenBack = signal.aborted || (again !== undefined && !isLast);
    const delay = signal.aborted ? 0 : (again?.milliseconds ?? 0);
    for (;;) {
      try {
        if (isGivenBack) {
          const isQueued = await store.giveBack(job, { isFailure, delay });
          // The regular polls find later ones.
          if (delay < requeueInterval) this.poller.pollIn(delay);
          return isQueued ? "queued" : "lost";
        }
        return (await store.finish(job, end, configuration.lifetime)) ? "answered" : "lost";
      } catch (error) {
        const isTransient = error instanceof RequestError && error.code === 503;
        if (!isTransient || monotonicTime() >= deadline) throw error;
        await pause(pollInterval);
      }
    }
  }

  /** Extends the lease when a third of it is over, and stores the progress. */
  private async renew(running: Running): Promise<void> {
    const { store, configuration } = this.options;
    const { lease } = configuration;
    const now = monotonicTime();
    if (running.isTold && now - running.renewed < lease / 3) return;
    const { claim, progress } = running;
    running.isTold = true;
    try {
      const isHeld = await store.renew(claim, lease, progress);
      if (isHeld) running.renewed = now;
      else running.abort.abort(new Error("The job was cancelled, or another host works on it"));
      this.options.changed(claim.id);
    } catch (error) {
      this.failed("The lease of a job could not be extended", error);
      if (monotonicTime() - running.renewed > lease)
        running.abort.abort(new Error("The lease of the job is over"));
    }
  }

  private failed(message: string, error: unknown): void {
    logUnlessOutage(this.options.log, message, error);
  }
}
