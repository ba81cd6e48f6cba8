import { fileStem, type ProjectDocument } from "@slipway/sdk";

/**
 * The file name of a report: the request's own, or `<project name>_<project number>_<ddMMyy-HHmmss>.pdf` in UTC with
 * `_` for blanks. "Report" stands for a project without a name; a missing number is left out.
 */
export function reportFilename(project: ProjectDocument, requested: string | undefined, now: Date): string {
  const own = fileStem((requested ?? "").replace(/\.pdf\s*$/i, ""));
  return `${own === "" ? generatedStem(project, now) : own}.pdf`;
}

function generatedStem(project: ProjectDocument, now: Date): string {
  const name = fileStem(project.header.name ?? "") || "Report";
  const number = fileStem(project.header.number ?? "");
  const parts = [name, number, timestamp(now)].filter((part) => part !== "");
  return parts.join("_").replace(/\s+/g, "_");
}

/** ddMMyy-HHmmss in UTC. */
function timestamp(now: Date): string {
  const [year = "", month = "", day = ""] = now.toISOString().slice(2, 10).split("-");
  return `${day}${month}${year}-${now.toISOString().slice(11, 19).replaceAll(":", "")}`;
}
