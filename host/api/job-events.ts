import type { Log } from "@slipway/sdk";
import { hasEnded, type Job } from "../jobs/job.js";
import type { Jobs } from "../jobs/jobs.js";
import { isEngineUnavailable } from "../system/request-errors.js";
import type { EventSource } from "./event-streams.js";

/** A job after a change. */
export interface JobEvent {
  id: number;
  job: Job;
}

/** What becomes of one job, for one stream. Changes that come while the client does not read are one event. */
export class JobEvents implements EventSource<JobEvent> {
  private latest: JobEvent | undefined;
  /** Up to which the stream has them. */
  private read = 0;
  private isEnded = false;

  constructor(
    private readonly jobs: Pick<Jobs, "watch">,
    private readonly job: string,
    private readonly log: Log,
  ) {}

  get isOver(): boolean {
    return this.isEnded;
  }

  list({ after = 0 }: { after?: number }): JobEvent[] {
    this.read = Math.max(this.read, after);
    return this.latest !== undefined && this.latest.id > after ? [this.latest] : [];
  }

  follow(listener: () => void): () => void {
    const unwanted = new AbortController();
    void this.watch(listener, unwanted.signal);
    return () => unwanted.abort();
  }

  private async watch(listener: () => void, signal: AbortSignal): Promise<void> {
    try {
      for await (const job of this.jobs.watch(this.job, signal)) {
        this.latest = { id: this.read + 1, job };
        this.isEnded = hasEnded(job);
        listener();
      }
    } catch (error) {
      // The client asks again, and another host perhaps.
      if (!isEngineUnavailable(error)) this.log.error("A job could not be followed", { error });
    }
    this.isEnded = true;
    listener();
  }
}
