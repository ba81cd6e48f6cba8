import type { Registry } from "prom-client";
import type { FinishedRequest } from "../requests/finished-requests.js";
import { BoundedValues } from "./bounded-values.js";
import { countedMetrics } from "./counted-metrics.js";
import { forgetSeries, keyOf, type VersionLabels, type VersionNumbers } from "./plugin-versions.js";

/** Limits per plugin version: it can declare a thousand operations, and respond with any error id. */
const mostOperations = 100;
const mostErrorIds = 50;

type Target = NonNullable<FinishedRequest["target"]>;

/** Counts requests that plugins answered. */
export class RequestMetrics implements VersionNumbers {
  private readonly operations = new BoundedValues(mostOperations);
  private readonly errorIds = new BoundedValues(mostErrorIds);
  private readonly requests;
  private readonly durations;
  private readonly waits;
  private readonly errors;
  private readonly timeouts;

  constructor(registry: Registry) {
    const { counter, histogram } = countedMetrics(registry);
    this.requests = counter(
      "slipway_requests_total",
      "Requests that were answered, by how: 2xx, 4xx, 5xx, or gone when the client left before its answer was complete.",
      ["release", "plugin", "version", "operation", "status"],
    );
    this.durations = histogram(
      "slipway_request_duration_seconds",
      "Time from the arrival of a request to the end of its answer.",
      ["plugin", "version", "operation"],
    );
    this.waits = histogram(
      "slipway_request_wait_seconds",
      "Time that requests waited for their turn at a plugin.",
      ["plugin"],
    );
    this.errors = counter(
      "slipway_request_errors_total",
      "Requests that ended with an error object, by its id.",
      ["plugin", "version", "id"],
    );
    this.timeouts = counter(
      "slipway_request_timeouts_total",
      "Requests that were not answered before their deadline.",
      ["plugin", "version"],
    );
  }

  observe(request: FinishedRequest, target: Target): void {
    const { release, plugin, version } = target;
    const key = keyOf(target);
    const operation = this.operations.of(key, target.operation);
    this.requests.inc({ release, plugin, version, operation, status: statusOf(request) });
    this.durations.observe({ plugin, version, operation }, request.milliseconds / 1000);
    this.waits.observe({ plugin }, request.waited / 1000);
    if (request.errorId === undefined) return;
    this.errors.inc({ plugin, version, id: this.errorIds.of(key, request.errorId) });
    if (request.errorId === "request-timeout") this.timeouts.inc({ plugin, version });
  }

  async forget(version: VersionLabels): Promise<void> {
    const key = keyOf(version);
    this.operations.forget(key);
    this.errorIds.forget(key);
    for (const metric of [this.requests, this.durations, this.errors, this.timeouts])
      await forgetSeries(metric, version);
  }
}

/** "2xx" and so on; "gone" when the client did not get the whole answer. */
function statusOf({ status, isComplete }: FinishedRequest): string {
  return isComplete ? `${Math.floor(status / 100)}xx` : "gone";
}

/** Label value for unknown paths, static pages and early refusals. */
const noOperation = "none";
const mostHostErrorIds = 100;

/** Counts requests that the host answered itself. */
export class HostRequestMetrics {
  private readonly errorIds = new BoundedValues(mostHostErrorIds);
  private readonly requests;
  private readonly durations;
  private readonly errors;

  constructor(registry: Registry) {
    const { counter, histogram } = countedMetrics(registry);
    this.requests = counter(
      "slipway_host_requests_total",
      "Requests that the host answered itself, by the operation of its API; none for all other paths.",
      ["operation", "status"],
    );
    this.durations = histogram(
      "slipway_host_request_duration_seconds",
      "Time from the arrival of a request to the end of its answer; streams of events last until their client leaves.",
      ["operation"],
    );
    this.errors = counter(
      "slipway_host_request_errors_total",
      "Requests to the host itself that ended with an error object, by its id.",
      ["id"],
    );
  }

  observe(request: FinishedRequest): void {
    const { operation = noOperation, errorId } = request;
    this.requests.inc({ operation, status: statusOf(request) });
    this.durations.observe({ operation }, request.milliseconds / 1000);
    if (errorId !== undefined) this.errors.inc({ id: this.errorIds.of("", errorId) });
  }
}
