import { Observed } from "./host/observed.js";

export const viewNames = ["overview", "plugins", "templates", "sessions", "requests", "audit"] as const;
export type ViewName = (typeof viewNames)[number];

/** What the page shows, as it stands behind the # of its address. */
export interface Route {
  view: ViewName;
  /** Name of a plugin in the view of plugins; key of a template in that of templates, for its preview. */
  name: string | undefined;
}

/** What the page shows now. */
export const route = new Observed(readRoute(location.hash));

window.addEventListener("hashchange", () => route.set(readRoute(location.hash)));

/** The address of a view. */
export function addressOf(view: ViewName, name?: string): string {
  return name === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(name)}`;
}

function readRoute(hash: string): Route {
  const [, first = "", name] = hash.split("/");
  const view = viewNames.find((each) => each === first) ?? "overview";
  return { view, name: name === undefined || name === "" ? undefined : decoded(name) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
