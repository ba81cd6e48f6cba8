import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon, type IconName } from "./icon.js";

/** A part of a view with its heading; `aside` stands at the other end of the heading's line. */
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

/** What stands where there is nothing to show, with what to do about it. */
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
