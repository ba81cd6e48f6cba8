import { durationBuckets } from "@slipway/sdk";
import { Counter, Histogram, type Registry } from "prom-client";
import type { JobMeasures } from "../measures.js";
import { type AskedMetrics, askedOnce } from "./asked-metrics.js";
import { BoundedValues } from "./bounded-values.js";

/** Plugins that have numbers of their own. */
const mostPlugins = 100;

/** Counts what this host does for jobs. */
export class JobMetrics implements JobMeasures {
  private readonly plugins = new BoundedValues(mostPlugins);
  private readonly jobs;
  private readonly durations;
  private readonly webhooks;

  constructor(registry: Registry) {
    const registers = [registry];
    this.jobs = new Counter({
      name: "slipway_jobs_ended_total",
      help: "Jobs that this host has answered, by how: done, or failed with an error object.",
      labelNames: ["plugin", "state"],
      registers,
    });
    this.durations = new Histogram({
      name: "slipway_job_duration_seconds",
      help: "Time that the last attempt at a job took.",
      labelNames: ["plugin"],
      buckets: [...durationBuckets],
      registers,
    });
    this.webhooks = new Counter({
      name: "slipway_webhooks_sent_total",
      help: "Attempts of this host at telling of the end of a job: delivered, waiting for another one, or failed for good.",
      labelNames: ["outcome"],
      registers,
    });
  }

  ended({ plugin: name, state, seconds }: Parameters<JobMeasures["ended"]>[0]): void {
    const plugin = this.plugins.of("", name);
    this.jobs.inc({ plugin, state });
    this.durations.observe({ plugin }, seconds);
  }

  webhookSent(outcome: Parameters<JobMeasures["webhookSent"]>[0]): void {
    this.webhooks.inc({ outcome });
  }
}

/** What the store of jobs holds. */
export interface JobNumbers {
  jobs: number;
  queued: number;
  running: number;
  webhooks: number;
}

/** Shows what waits and runs. */
export function showJobs(asked: AskedMetrics, usage: () => Promise<JobNumbers>): void {
  const used = askedOnce(usage);
  const gauge = (name: string, help: string, number: keyof JobNumbers): void =>
    asked.gauge({ name, help, ask: async () => (await used())[number] });
  gauge("slipway_jobs", "Jobs that are kept, ended ones included.", "jobs");
  gauge("slipway_jobs_waiting", "Jobs that wait for a host.", "queued");
  gauge("slipway_jobs_running", "Jobs that a host works on.", "running");
  gauge("slipway_webhooks_waiting", "Ends of jobs that are still to be told.", "webhooks");
}
