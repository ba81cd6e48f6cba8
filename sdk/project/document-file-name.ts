import { fileStem } from "../file-stem.js";
import { localTime } from "../locale/time-zone.js";
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
  /** IANA name of the zone that the name tells the time in; "UTC" without it. */
  timeZone?: string;
}

/**
 * The name of a file without its extension: the request's own, or `<project name>_<project number>_<ddMMyy-HHmmss>`
 * with `_` for blanks. A missing number is left out.
 */
export function documentFileStem(input: DocumentName): string {
  const { requested, extension } = input;
  const text = (requested ?? "").trimEnd();
  const ending = `.${extension}`;
  const bare = text.toLowerCase().endsWith(ending) ? text.slice(0, -ending.length) : text;
  return fileStem(bare) || generatedStem(input);
}

function generatedStem({ project, fallback, now, timeZone = "UTC" }: DocumentName): string {
  const name = fileStem(project.header.name ?? "") || fallback;
  const number = fileStem(project.header.number ?? "");
  const parts = [name, number, timestamp(now, timeZone)].filter((part) => part !== "");
  return parts.join("_").replace(/\s+/g, "_");
}

/** ddMMyy-HHmmss. */
function timestamp(now: Date, timeZone: string): string {
  const { day, time } = localTime(now, timeZone);
  return `${day.slice(6)}${day.slice(4, 6)}${day.slice(2, 4)}-${time}`;
}
