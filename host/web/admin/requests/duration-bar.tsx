import { shownDuration } from "../../parts/shown-values.js";
import type { RecentRequest } from "../host/answers.js";

/** How long a request took, of which it waited, beside the longest one in sight. */
export function DurationBar({ request, longest }: { request: RecentRequest; longest: number }) {
  const { milliseconds, waited } = request;
  // By square roots, so that short ones can be told from each other beside a long one.
  const width = (value: number): number => Math.sqrt(Math.max(0, value) / longest) * 100;
  return (
    <span class="duration">
      {shownDuration(milliseconds)}
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="meter-rest" width="100" height="4" />
        <rect class="meter-value" width={width(milliseconds)} height="4" />
        <rect class="meter-waited" width={width(Math.min(waited, milliseconds))} height="4" />
      </svg>
    </span>
  );
}
