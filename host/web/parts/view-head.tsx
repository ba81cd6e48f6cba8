import type { ComponentChildren } from "preact";

/** The heading of a view, with what can be done there. */
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
