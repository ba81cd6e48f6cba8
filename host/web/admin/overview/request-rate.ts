import type { RecentRequest } from "../host/answers.js";
import { isFailure } from "../requests/request-kinds.js";

/** How many requests ended in one step of time. */
export interface RateStep {
  all: number;
  failures: number;
}

/** Counts the requests of the last `count` steps of `length` milliseconds each, the oldest first. */
export function inSteps(
  requests: readonly RecentRequest[],
  now: number,
  { count, length }: { count: number; length: number },
): RateStep[] {
  const steps = Array.from({ length: count }, (): RateStep => ({ all: 0, failures: 0 }));
  const begin = now - count * length;
  for (const request of requests) {
    const step = steps[Math.min(count - 1, Math.floor((Date.parse(request.time) - begin) / length))];
    if (step === undefined) continue;
    step.all += 1;
    if (isFailure(request)) step.failures += 1;
  }
  return steps;
}
