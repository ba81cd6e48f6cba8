import { Observed } from "../../client/observed.js";

export const projectViews = ["project", "report", "order", "workbook"] as const;
export type ProjectView = (typeof projectViews)[number];

/** What the workbench shows, as it stands behind the # of its address. */
export interface Place {
  /** Undefined where a project is to be opened. */
  sessionId: string | undefined;
  view: ProjectView;
}

/** What the workbench shows now. */
export const place = new Observed(readPlace());

window.addEventListener("hashchange", () => place.set(readPlace()));

/** The address of a view of a project; without a project that of the page where one is opened. */
export function placeAddress(sessionId?: string, view: ProjectView = "project"): string {
  return sessionId === undefined ? "#/" : `#/${sessionId}/${view}`;
}

/** Shows a view of a project, or where one is opened. */
export function goTo(sessionId?: string, view?: ProjectView): void {
  location.hash = placeAddress(sessionId, view);
}

function readPlace(): Place {
  const [, sessionId = "", view] = location.hash.split("/");
  return {
    sessionId: /^[0-9a-f-]{36}$/i.test(sessionId) ? sessionId : undefined,
    view: projectViews.find((each) => each === view) ?? "project",
  };
}
