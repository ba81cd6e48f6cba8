import type { RateStep } from "./request-rate.js";

const height = 40;
const step = 6;

/** Bars over time, with the failures in them. */
export function Sparkline({ steps, label }: { steps: readonly RateStep[]; label: string }) {
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
