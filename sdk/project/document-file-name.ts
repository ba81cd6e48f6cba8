import { localTime } from "../locale/time-zone.js";
import { trimmedEnd } from "../schema/text.js";
import { withoutDeviceName } from "./device-name.js";
import type { ProjectDocument } from "./document.js";

/** Inputs of a generated file name. */
export interface DocumentName {
  /** Source of name and number if the request has no name. */
  project: ProjectDocument;
  /** The requested name; without one, or without usable characters, the name is generated. */
  requested: string | undefined;
  /** Without the dot: "pdf". */
  extension: string;
  /** Replaces a missing project name: "Report". */
  fallback: string;
  /** `host.now()`. */
  now: Date;
  /** IANA time zone of the time in the name; default: "UTC". */
  timeZone?: string;
}

/**
 * The file name without extension: the requested one, or `<project name>_<project number>_<ddMMyy-HHmmss>` with `_` for
 * blanks. A missing number is left out.
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

/** With a three-letter extension, the longest name that the host keeps unchanged. */
const longestStem = 146;

/**
 * Converts a text to a file name without extension: characters that a file system or header may refuse become blanks,
 * and leading and trailing dots and blanks are removed. Empty if nothing is left.
 */
export function fileStem(text: string): string {
  const fit = withoutDeviceName(
    text
      .normalize("NFC")
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, " ")
      .replace(/\s+/g, " ")
      .replace(/^[\s.]+/, ""),
  );
  // A character has at most two UTF-16 units.
  const characters = [...fit.slice(0, 2 * longestStem)];
  return trimmedEnd(characters.slice(0, longestStem).join(""), " .");
}
