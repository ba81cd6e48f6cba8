import { fileStem } from "../file-stem.js";
import type { ProjectDocument } from "./document.js";

/** What a generated file is called by. */
export interface DocumentName {
  /** Gives name and number where the request names nothing. */
  project: ProjectDocument;
  /** The name that the request asks for; none, or one without a letter, means a generated one. */
  requested: string | undefined;
  /** Without the point: "pdf". */
  extension: string;
  /** Stands for the project's name where it has none: "Report". */
  fallback: string;
  /** `host.now()`. */
  now: Date;
}

/**
 * The name of a file without its extension: the request's own, or `<project name>_<project number>_<ddMMyy-HHmmss>` in
 * UTC with `_` for blanks. A missing number is left out.
 */
export function documentFileStem({ project, requested, extension, fallback, now }: DocumentName): string {
  const text = (requested ?? "").trimEnd();
  const ending = `.${extension}`;
  const bare = text.toLowerCase().endsWith(ending) ? text.slice(0, -ending.length) : text;
  return fileStem(bare) || generatedStem(project, fallback, now);
}

function generatedStem(project: ProjectDocument, fallback: string, now: Date): string {
  const name = fileStem(project.header.name ?? "") || fallback;
  const number = fileStem(project.header.number ?? "");
  const parts = [name, number, timestamp(now)].filter((part) => part !== "");
  return parts.join("_").replace(/\s+/g, "_");
}

/** ddMMyy-HHmmss in UTC. */
function timestamp(now: Date): string {
  const [year = "", month = "", day = ""] = now.toISOString().slice(2, 10).split("-");
  return `${day}${month}${year}-${now.toISOString().slice(11, 19).replaceAll(":", "")}`;
}
