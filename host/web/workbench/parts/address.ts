import { Observed } from "../../client/observed.js";

export const projectViews = ["project", "report", "order", "workbook"] as const;
export type ProjectView = (typeof projectViews)[number];

/** What the workbench shows, read from the fragment of the URL. */
export interface Place {
  /** Undefined on the start page. */
  sessionId: string | undefined;
  view: ProjectView;
}

/** What the workbench shows now. */
export const place = new Observed(readPlace());

window.addEventListener("hashchange", () => place.set(readPlace()));

/** The address of a view of a project, or of the start page. */
export function placeAddress(sessionId?: string, view: ProjectView = "project"): string {
  return sessionId === undefined ? "#/" : `#/${sessionId}/${view}`;
}

/** Navigates to a view of a project, or to the start page. */
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
