import { durationBuckets } from "@slipway/sdk";
import { Counter, Histogram, type Registry } from "prom-client";
import type { FinishedRequest } from "../requests/finished-requests.js";
import { BoundedValues } from "./bounded-values.js";
import { statusOf } from "./request-metrics.js";

/** What no declared operation answered: unknown paths, static pages, what was refused before it could be read. */
const noOperation = "none";
const mostErrorIds = 100;

/** Counts what the host answered itself. */
export class HostRequestMetrics {
  private readonly errorIds = new BoundedValues(mostErrorIds);
  private readonly requests;
  private readonly durations;
  private readonly errors;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requests = new Counter({
      name: "slipway_host_requests_total",
      help: "Requests that the host answered itself, by the operation of its API; none for all other paths.",
      labelNames: ["operation", "status"],
      registers,
    });
    this.durations = new Histogram({
      name: "slipway_host_request_duration_seconds",
      help: "Time from the arrival of a request to the end of its answer; streams of events last until their client leaves.",
      labelNames: ["operation"],
      buckets: [...durationBuckets],
      registers,
    });
    this.errors = new Counter({
      name: "slipway_host_request_errors_total",
      help: "Requests to the host itself that ended with an error object, by its id.",
      labelNames: ["id"],
      registers,
    });
  }

  observe(request: FinishedRequest): void {
    const { operation = noOperation, errorId } = request;
    this.requests.inc({ operation, status: statusOf(request) });
    this.durations.observe({ operation }, request.milliseconds / 1000);
    if (errorId !== undefined) this.errors.inc({ id: this.errorIds.of("", errorId) });
  }
}
