import { type Checked, sdkCheck } from "../schema/validation.js";
import type { ProjectDocument } from "./document.js";

const check = sdkCheck<typeof ProjectDocument>("project", "project");

/** Checks whether a value is a project; paths of violations begin with "project". */
export function checkProject(value: unknown): Checked<ProjectDocument> {
  return check(value);
}
