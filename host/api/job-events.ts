import type { Log } from "@slipway/sdk";
import { hasEnded, type Job, type Jobs } from "../jobs/jobs.js";
import { logUnlessOutage } from "../system/request-errors.js";
import type { EventSource } from "./event-streams.js";

/** A job after a change. */
export interface JobEvent {
  id: number;
  job: Job;
}

/** The changes of one job, for one stream. Those while the client does not read become one event. */
export class JobEvents implements EventSource<JobEvent> {
  private latest: JobEvent | undefined;
  /** The last change that the stream has. */
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
      // The client reconnects, perhaps to another host.
      logUnlessOutage(this.log, "A job could not be followed", error);
    }
    this.isEnded = true;
    listener();
  }
}
