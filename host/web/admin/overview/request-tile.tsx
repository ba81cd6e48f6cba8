import type { ComponentChildren } from "preact";
import type { RecentRequest } from "../../client/operations.js";
import { addressOf } from "../../parts/route.js";
import { counted, shownNumber } from "../../parts/shown-values.js";
import { useNow } from "../../parts/time.js";
import { useHostView } from "../host-view.js";
import { isFailure, isOwnLook, useRequests } from "../requests/request-kinds.js";

/** How many requests ended in one step of time. */
interface RateStep {
  all: number;
  failures: number;
}

const height = 40;

const step = 6;

const minutes = 10;
const stepLength = 20_000;

/** Requests and errors of the last minutes. */
export function RequestTile() {
  const { entries } = useRequests();
  const { status } = useHostView();
  const now = useNow(5000);
  const requests = (entries ?? []).filter((request) => !isOwnLook(request));
  const steps = inSteps(requests, now, { count: (minutes * 60_000) / stepLength, length: stepLength });
  const lastMinute = steps.slice(-60_000 / stepLength);
  const perMinute = lastMinute.reduce((sum, { all }) => sum + all, 0);
  const failed = steps.reduce((sum, { failures }) => sum + failures, 0);
  const all = steps.reduce((sum, each) => sum + each.all, 0);
  const label = `${counted(all, "request")} in the last ${minutes} minutes, ${counted(failed, "error")}`;
  return (
    <Tile title="Requests" value={shownNumber(perMinute)} unit="in the last minute" isWide>
      <Sparkline steps={steps} label={label} />
      <p>
        {label}
        {status.value !== undefined && `; ${status.value.requests.running} running now`}
        {failed > 0 && (
          <>
            {" · "}
            <a href={addressOf("requests")}>See the requests</a>
          </>
        )}
      </p>
    </Tile>
  );
}

/** A bar chart of requests over time, with failures. */
function Sparkline({ steps, label }: { steps: readonly RateStep[]; label: string }) {
  const highest = Math.max(1, ...steps.map(({ all }) => all));
  const scaled = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / highest) * height));
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${steps.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {steps.map(({ all, failures }, place) => {
        const [tall, wrong] = [scaled(all), scaled(failures)];
        return (
          <g key={place} transform={`translate(${place * step} 0)`}>
            <rect class="spark-ground" width={step - 1.5} y={height - 1} height={1} />
            <rect class="spark-all" width={step - 1.5} y={height - tall} height={tall} />
            <rect class="spark-wrong" width={step - 1.5} y={height - wrong} height={wrong} />
          </g>
        );
      })}
    </svg>
  );
}

/** Counts the requests of the last `count` steps of `length` milliseconds each, the oldest first. */
function inSteps(
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

/** A tile with a number, its unit and details. */
export function Tile(properties: {
  title: string;
  value: string;
  unit?: string;
  children?: ComponentChildren;
  isWide?: boolean;
}) {
  const { title, value, unit, children, isWide } = properties;
  return (
    <section class="tile" data-wide={isWide}>
      <h2>{title}</h2>
      <p class="tile-value">
        {value}
        {unit !== undefined && <span class="tile-unit"> {unit}</span>}
      </p>
      {children !== undefined && <div class="tile-more">{children}</div>}
    </section>
  );
}
