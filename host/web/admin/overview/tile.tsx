import type { ComponentChildren } from "preact";

/** A number that matters, what it counts, and what belongs to it. */
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
