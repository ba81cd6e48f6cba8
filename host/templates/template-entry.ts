/** The registry's state of one template folder. */
import { basename, dirname, relative, sep } from "node:path";
import { errorCode, errorMessage } from "../system/errors.js";
import type { LoadedTemplate } from "./loaded-template.js";
import type { SeenFolder } from "./template-content.js";
import { FolderError } from "./template-folder.js";
import type { TemplateProblem } from "./template-problem.js";
import type { TemplateStatus } from "./template-service.js";

/** A folder that may be a template. */
export interface FoundTemplate {
  /** Its folder, or the plugin and the name of the folder there, which stays from one version of the plugin to the next. */
  readonly id: string;
  readonly folder: string;
  /** The plugin that brings it; undefined in the configured folders. */
  readonly plugin: string | undefined;
}

export interface TemplateEntry extends FoundTemplate {
  folder: string;
  /** The last good version. */
  serving: LoadedTemplate | undefined;
  /** The content that was last read; empty when it has to be read again. */
  seen: readonly SeenFolder[];
  problems: readonly TemplateProblem[];
  /** Other mistakes of the content that was last read. */
  notes: readonly TemplateProblem[];
  /** Milliseconds since the epoch: time of the last write or move of a file that was read. */
  changed: number | undefined;
  /** Whether another template has its key or an alias. */
  conflict: boolean;
  /** Milliseconds since the epoch when its folder disappeared, perhaps temporarily. */
  awaySince: number | undefined;
  /** Ignore the settling time for the next read. */
  isForced: boolean;
}

export function newEntry(found: FoundTemplate): TemplateEntry {
  const nothing = {
    serving: undefined,
    seen: [],
    problems: [],
    notes: [],
    changed: undefined,
    awaySince: undefined,
  };
  return { ...found, ...nothing, conflict: false, isForced: false };
}

/** The public state of an entry. */
export function statusOf({ folder, plugin, serving, problems, notes }: TemplateEntry): TemplateStatus {
  return {
    key: serving?.definition.key ?? basename(folder),
    aliases: [...(serving?.definition.aliases ?? [])],
    folder,
    plugin,
    version: serving?.version,
    problems: [...problems],
    notes: [...notes],
  };
}

/** Key and aliases. */
export function namesOf({ definition }: LoadedTemplate): string[] {
  return [definition.key, ...definition.aliases];
}

interface Conflict {
  name: string;
  by: TemplateEntry;
}

/**
 * A name of the template that the serving template of another folder uses, with its entry. The configured folders go before
 * plugins.
 */
export function conflictOf(
  entry: TemplateEntry,
  template: LoadedTemplate,
  entries: Iterable<TemplateEntry>,
): Conflict | undefined {
  for (const by of entries) {
    const gives = entry.plugin === undefined && by.plugin !== undefined;
    const names = by === entry || gives || !by.serving ? [] : namesOf(by.serving);
    const name = namesOf(template).find((each) => names.includes(each));
    if (name !== undefined) return { name, by };
  }
  return undefined;
}

/** The template of a plugin lies in the copy of another version now: complete, so that there is nothing to wait for. */
export function movedTo(entry: TemplateEntry, folder: string): void {
  entry.folder = folder;
  entry.seen = [];
  entry.isForced = true;
}

/** Why a template cannot serve whose name another one uses. */
export function conflictProblem({ name, by }: Conflict): TemplateProblem {
  const place = by.plugin === undefined ? "" : ` of the plugin ${by.plugin}`;
  const message = `"${name}" is already a key or an alias of the template in ${basename(by.folder)}${place}`;
  return { file: "template.json", line: undefined, message };
}

/** The problem for an error of reading; `folder` is the template's own. */
export function readingProblem(folder: string, error: unknown): TemplateProblem {
  if (error instanceof FolderError) {
    return { file: "", line: undefined, ...error.place, message: error.message };
  }
  const code = errorCode(error);
  const message = errorMessage(error);
  if (code === undefined) return { file: "", line: undefined, message };
  if (code === "ENOENT") return { file: "", line: undefined, message: "The folder is not there." };
  const file = fileBelow(folder, error);
  return file === ""
    ? { file, line: undefined, message: `The folder cannot be read (${code}).` }
    : { file, line: undefined, message: `cannot be read (${code}).` };
}

/** The file of the template or a shared folder that a system error names; empty otherwise. */
function fileBelow(folder: string, error: unknown): string {
  const path: unknown = error instanceof Error ? Reflect.get(error, "path") : undefined;
  if (typeof path !== "string") return "";
  const [name = "", ...rest] = relative(dirname(folder), path).split(sep);
  if (rest.length === 0) return "";
  if (name === basename(folder)) return rest.join("/");
  return name.startsWith("_") ? [name, ...rest].join("/") : "";
}
