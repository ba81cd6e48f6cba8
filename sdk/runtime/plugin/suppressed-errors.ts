import { type SuppressedError, type Suppression, suppressedError } from "../../errors.js";
import type { RemoteMetrics } from "./remote-metrics.js";

/** What one call of a handler suppresses, in order; the plugin's metrics count it. */
export class SuppressedErrors {
  readonly all: SuppressedError[] = [];

  constructor(private readonly metrics: Pick<RemoteMetrics, "suppressed">) {}

  /** As handlers call it. */
  readonly suppress = (suppression: Suppression | SuppressedError): void => {
    const error = suppressedError(suppression);
    this.all.push(error);
    this.metrics.suppressed(error.id);
  };
}
