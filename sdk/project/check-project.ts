import { type Check, type Checked, Validator } from "../validation.js";
import { ProjectDocument } from "./document.js";

let check: Check<ProjectDocument> | undefined;

/**
 * Whether a value is a project; violations begin with "project". Its schema is the largest of all and is compiled for
 * the first project, because most processes that use the SDK check none.
 */
export function checkProject(value: unknown): Checked<ProjectDocument> {
  check ??= new Validator().compile(ProjectDocument, "project");
  return check(value);
}
