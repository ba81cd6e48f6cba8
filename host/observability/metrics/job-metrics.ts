import type { Registry } from "prom-client";
import type { JobMeasures } from "../measures.js";
import { BoundedValues } from "./bounded-values.js";
import { type CollectedMetrics, singleFlight } from "./collected-metrics.js";
import { countedMetrics } from "./counted-metrics.js";

/** Limit of plugins with separate numbers. */
const mostPlugins = 100;

/** Counts jobs and webhooks of this host. */
export class JobMetrics implements JobMeasures {
  private readonly plugins = new BoundedValues(mostPlugins);
  private readonly jobs;
  private readonly durations;
  private readonly webhooks;

  constructor(registry: Registry) {
    const { counter, histogram } = countedMetrics(registry);
    this.jobs = counter(
      "slipway_jobs_ended_total",
      "Jobs that this host has answered, by how: done, or failed with an error object.",
      ["plugin", "state"],
    );
    this.durations = histogram("slipway_job_duration_seconds", "Time that the last attempt at a job took.", [
      "plugin",
    ]);
    this.webhooks = counter(
      "slipway_webhooks_sent_total",
      "Attempts of this host at telling of the end of a job: delivered, waiting for another one, or failed for good.",
      ["outcome"],
    );
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

/** Contents of the job store. */
export interface JobNumbers {
  jobs: number;
  queued: number;
  running: number;
  webhooks: number;
}

/** Shows the numbers of jobs and webhooks. */
export function showJobs(collected: CollectedMetrics, usage: () => Promise<JobNumbers>): void {
  const used = singleFlight(usage);
  const gauge = (name: string, help: string, number: keyof JobNumbers): void =>
    collected.gauge(name, help, async () => (await used())[number]);
  gauge("slipway_jobs", "Jobs that are kept, ended ones included.", "jobs");
  gauge("slipway_jobs_waiting", "Jobs that wait for a host.", "queued");
  gauge("slipway_jobs_running", "Jobs that a host works on.", "running");
  gauge("slipway_webhooks_waiting", "Ends of jobs that are still to be told.", "webhooks");
}
