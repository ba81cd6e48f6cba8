/** What the registry knows of one template folder. */
import { basename } from "node:path";
import { errorCode } from "../error-code.js";
import type { LoadedTemplate } from "./loaded-template.js";
import type { SeenFolder } from "./template-content.js";
import { FolderError } from "./template-folder.js";
import type { TemplateProblem } from "./template-problem.js";
import type { TemplateStanding } from "./template-service.js";

export interface TemplateEntry {
  readonly folder: string;
  /** The last good version. */
  serving: LoadedTemplate | undefined;
  /** The content that was last looked at; nothing when it has to be looked at again. */
  seen: readonly SeenFolder[];
  problems: readonly TemplateProblem[];
  /** Another template has its key or an alias. */
  conflict: boolean;
  /** Milliseconds since the epoch: since when its folder is away, which may be for a moment only. */
  awaySince: number | undefined;
  /** Is taken as it is, however young. */
  isForced: boolean;
}

export function newEntry(folder: string): TemplateEntry {
  const nothing = { serving: undefined, seen: [], problems: [], awaySince: undefined };
  return { folder, ...nothing, conflict: false, isForced: false };
}

/** As others see it. */
export function standingOf({ folder, serving, problems }: TemplateEntry): TemplateStanding {
  return {
    key: serving?.definition.key ?? basename(folder),
    folder,
    version: serving?.version,
    problems: [...problems],
  };
}

/** Key and aliases. */
export function namesOf({ definition }: LoadedTemplate): string[] {
  return [definition.key, ...definition.aliases];
}

/** What keeps a folder from being read. */
export function readingProblem(error: unknown): TemplateProblem {
  if (error instanceof FolderError) {
    return { file: "", line: undefined, ...error.place, message: error.message };
  }
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return {
    file: "",
    line: undefined,
    message: code === undefined ? message : `The folder cannot be read (${code}).`,
  };
}
