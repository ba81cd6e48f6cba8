import { createRequire } from "node:module";
import { type BuiltValidator, builtCheck, type Checked } from "../validation.js";
import type { ProjectDocument } from "./document.js";

const load = createRequire(import.meta.url);

/**
 * The schema of projects is the largest of all, so the build makes its code (`write-validator.mjs`). It is loaded for the
 * first project, because most processes that use the SDK check none.
 */
const check = builtCheck<typeof ProjectDocument>(
  "project",
  () => validator(load("@slipway/sdk/project-validator")),
  () => validator(load("@slipway/sdk/project-mistakes")),
);

/** Whether a value is a project; violations begin with "project". */
export function checkProject(value: unknown): Checked<ProjectDocument> {
  return check(value);
}

function validator(built: unknown): BuiltValidator {
  if (!isValidator(built)) throw new Error("The SDK is not built completely; run its build again.");
  return built;
}

function isValidator(value: unknown): value is BuiltValidator {
  return typeof value === "function";
}
