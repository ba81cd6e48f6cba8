import { Empty, Panel } from "../parts/panel.js";
import { counted } from "../parts/shown-values.js";
import type { Route } from "./routes.js";

/** All routes of the plugin, to choose one. */
export function RouteList(properties: {
  routes: readonly Route[] | undefined;
  chosen: Route | undefined;
  choose(id: string): void;
}) {
  const { routes, chosen, choose } = properties;
  const count =
    routes === undefined ? undefined : <span class="quiet">{counted(routes.length, "route")}</span>;
  return (
    <Panel title="Routes" aside={count} isFlush>
      {routes === undefined || routes.length === 0 ? (
        <Empty icon="requests" title="No routes">
          They appear as soon as the plugin is live.
        </Empty>
      ) : (
        <ul class="routes">
          {routes.map((route) => (
            <li key={route.id}>
              <button
                type="button"
                aria-current={route === chosen ? "true" : undefined}
                onClick={() => choose(route.id)}
              >
                <span class="route-name">
                  <Method name={route.method} /> <code>{route.shown}</code>
                </span>
                <span class="quiet">{route.summary}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** A method in its colour. */
export function Method({ name }: { name: string }) {
  return (
    <span class="method" data-tone={name === "GET" ? "busy" : name === "DELETE" ? "wrong" : "good"}>
      {name}
    </span>
  );
}
