import type { ComponentChildren } from "preact";

/** Names and values, one below the other. What has no value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A share of a whole as a bar, with the words for it. */
export function Meter({ value, maximum, label }: { value: number; maximum: number; label: string }) {
  const share = maximum > 0 ? Math.min(1, value / maximum) : 0;
  const tone = share > 0.95 ? "wrong" : share > 0.8 ? "warning" : "good";
  return (
    <svg
      class="meter"
      data-tone={tone}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="meter-rest" width="100" height="4" />
      <rect class="meter-value" width={share * 100} height="4" />
    </svg>
  );
}
