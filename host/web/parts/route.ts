import { percentDecoded } from "../../system/percent-encoding.js";
import { Observed } from "../client/observed.js";

const pageNames = ["workbench", "admin", "preview", "dev", "docs"] as const;
/** The pages of the application, by the last folder of their address. */
export type PageName = (typeof pageNames)[number];

export const viewNames = [
  "overview",
  "plugins",
  "templates",
  "sessions",
  "jobs",
  "requests",
  "audit",
] as const;
export type ViewName = (typeof viewNames)[number];

/** What the application shows, read from its address. */
export interface Route {
  page: PageName;
  /** View of the admin page: the fragment of the URL. */
  view: ViewName;
  /** Name of a plugin in the view of plugins, or key of a previewed template in the view of templates. */
  name: string | undefined;
}

/** What the application shows now. */
export const route = new Observed(readRoute());

window.addEventListener("hashchange", () => route.set(readRoute()));

/** The address of a view of the admin page. */
export function addressOf(view: ViewName, name?: string): string {
  return name === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(name)}`;
}

/** The address of a page, from any other. */
export function pageAddress(page: PageName): string {
  return `../${page}/`;
}

function readRoute(): Route {
  const folder = location.pathname.split("/").at(-2);
  const [, first = "", name] = location.hash.split("/");
  return {
    page: pageNames.find((each) => each === folder) ?? "admin",
    view: viewNames.find((each) => each === first) ?? "overview",
    name: name === undefined || name === "" ? undefined : percentDecoded(name),
  };
}
