import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon, type IconName } from "./button.js";

/** A section with a heading; `aside` is at the other end of the heading's line. */
export function Panel(properties: {
  title: string;
  aside?: ComponentChildren;
  /** Content up to the edges, for tables and lists. */
  isFlush?: boolean;
  children: ComponentChildren;
}) {
  const { title, aside, isFlush = false, children } = properties;
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id} data-flush={isFlush || undefined}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      <div class="panel-body">{children}</div>
    </section>
  );
}

/** Placeholder for empty lists, with advice. */
export function Empty({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  );
}

/** The heading of a view, with its actions. */
export function ViewHead(properties: {
  title: string;
  text?: ComponentChildren;
  actions?: ComponentChildren;
  above?: ComponentChildren;
}) {
  const { title, text, actions, above } = properties;
  return (
    <header class="view-head">
      <div>
        {above}
        <h1>{title}</h1>
        {text !== undefined && <p class="quiet">{text}</p>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
  );
}

/** A list of names and values. Omits empty values. */
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

/** A share as a bar, with an accessible label. */
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
