import { RequestError } from "../errors.js";
import type { ResolvedView } from "./resolve-view.js";

/** The error of a request for an empty view: 422 `project-empty`. */
export function emptyView({ filtered, view }: ResolvedView): RequestError {
  const where = filtered ? "None of the requested items is in" : "There is nothing in";
  const what = view === undefined ? "the project" : `the view "${view.name}"`;
  return new RequestError({ id: "project-empty", code: 422, message: `${where} ${what}` });
}
