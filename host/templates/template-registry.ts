/** The templates of the configured folders: serving versions, and problems of the others. */

import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Log } from "@slipway/sdk";
import { errorCode } from "../system/errors.js";
import { monotonicTime } from "../system/time.js";
import { type LoadedTemplate, loadTemplate } from "./loaded-template.js";
import type { TemplateFindings } from "./render-pool.js";
import { TemplateChanges } from "./template-changes.js";
import { haveChanged, readTemplateContent, type TemplateContent } from "./template-content.js";
import {
  conflictOf,
  conflictProblem,
  type FoundTemplate,
  movedTo,
  namesOf,
  newEntry,
  readingProblem,
  statusOf,
  type TemplateEntry,
} from "./template-entry.js";
import { isIgnored } from "./template-folder.js";
import { describeProblems, type TemplateProblem } from "./template-problem.js";
import type { PluginTemplates, TemplateChange, TemplateState } from "./template-service.js";
import type { TemplateVersions } from "./template-versions.js";

/** Checks a template beyond its definition. */
export type CheckTemplate = (template: LoadedTemplate) => Promise<TemplateFindings>;

export class TemplateRegistry {
  /** What plugins bring; the next scan takes it. */
  plugins: readonly PluginTemplates[] = [];
  /** By id, in the order of discovery: of two templates with one key, the first one stays. */
  private readonly entries = new Map<string, TemplateEntry>();
  private names: ReadonlyMap<string, LoadedTemplate> = new Map();
  private scanning: Promise<void> = Promise.resolve();
  /** The next scan, shared by all callers until it begins. */
  private nextScan: Promise<void> | undefined;
  private readonly unreadable = new Set<string>();
  private readonly notes = new WeakMap<LoadedTemplate, readonly TemplateProblem[]>();
  private readonly changes: TemplateChanges;
  /** Timer of the next scan for folders that have not settled. */
  private later: { timer: NodeJS.Timeout; due: number } | undefined;
  private closed = false;

  constructor(
    private readonly folders: readonly string[],
    private readonly unsafeKeys: readonly string[],
    private readonly versions: TemplateVersions,
    private readonly check: CheckTemplate,
    /**
     * Milliseconds after the last change before a template is accepted or forgotten: saves and moves have several
     * steps.
     */
    private readonly settlingTime: number,
    private readonly log: Log,
  ) {
    this.changes = new TemplateChanges(log);
  }

  /** Scans for changes; resolves when everything present at the call is processed. */
  scan(): Promise<void> {
    this.nextScan ??= this.scanning.then(() => {
      this.nextScan = undefined;
      this.scanning = this.scanFolders().catch((error: unknown) => {
        this.log.error("The folders of templates could not be looked at.", { error });
      });
      return this.scanning;
    });
    return this.nextScan;
  }

  /** Reads everything again, even without visible changes. */
  reload(): Promise<void> {
    for (const entry of this.entries.values()) {
      entry.seen = [];
      entry.awaySince ??= 0;
      entry.isForced = true;
    }
    return this.scan();
  }

  /** Stops processing changes. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.later?.timer);
    await this.scanning;
  }

  /** By key or alias. */
  find(name: string): LoadedTemplate | undefined {
    return this.names.get(name);
  }

  /** By weight, then by key. */
  list(): LoadedTemplate[] {
    const weight = (template: LoadedTemplate) => template.definition.sortWeight;
    return [...new Set(this.names.values())].sort(
      (one, other) => weight(one) - weight(other) || (one.definition.key < other.definition.key ? -1 : 1),
    );
  }

  states(): TemplateState[] {
    return [...this.entries.values()].map((entry) => ({
      ...statusOf(entry),
      error: entry.problems.length === 0 ? undefined : describeProblems(entry.problems),
      warnings: [...(entry.serving?.warnings ?? [])],
    }));
  }

  /**
   * Calls the listener for every template that serves a new version, is refused or removed; returns a function that
   * unsubscribes it.
   */
  follow(listener: (change: TemplateChange) => void): () => void {
    return this.changes.follow(listener);
  }

  /** Tells the listeners that a report with a serving template failed. */
  failed(template: LoadedTemplate, problem: TemplateProblem): void {
    for (const entry of this.entries.values())
      if (entry.serving === template)
        this.changes.tellNow({
          ...statusOf(entry),
          problems: [problem],
          changed: undefined,
          state: "failed",
        });
  }

  private async scanFolders(): Promise<void> {
    const found = await this.foundTemplates();
    const ids = new Set(found.map(({ id }) => id));
    const { size } = this.entries;
    for (const entry of this.entries.values()) {
      if (!ids.has(entry.id)) this.miss(entry);
      else entry.awaySince = undefined;
    }
    // The name of a removed template may move to another one in this scan, and must not be missing in between.
    const isWaiting = this.entries.size !== size;
    const shared = new Map<string, Promise<string>>();
    for (const each of found) {
      const entry = this.entries.get(each.id) ?? newEntry(each);
      this.entries.set(each.id, entry);
      if (entry.folder !== each.folder) movedTo(entry, each.folder);
      const before = entry.serving;
      await this.look(entry, shared);
      if (entry.serving !== before && !isWaiting) this.publish();
    }
    for (const entry of this.entries.values()) this.giveWay(entry);
    // A conflicting template may have changed later in the scan.
    for (const entry of this.entries.values()) if (entry.conflict) await this.look(entry, shared);
    this.publish();
  }

  private async foundTemplates(): Promise<FoundTemplate[]> {
    const configured = this.folders.map(async (folder) =>
      (await this.subfolders(folder)).map((each) => ({ id: each, folder: each, plugin: undefined })),
    );
    const brought = this.plugins.map(async ({ plugin, folder }) =>
      (await this.subfolders(folder)).map((each) => ({
        id: JSON.stringify([plugin, basename(each)]),
        folder: each,
        plugin,
      })),
    );
    return (await Promise.all([...configured, ...brought])).flat();
  }

  /** A template of a plugin stops serving when one of the configured folders has got its name. */
  private giveWay(entry: TemplateEntry): void {
    const { plugin, serving } = entry;
    const taken =
      plugin === undefined || !serving ? undefined : conflictOf(entry, serving, this.configured());
    if (taken === undefined) return;
    entry.serving = undefined;
    entry.conflict = true;
    entry.seen = [];
    this.refuse(entry, [conflictProblem(taken)]);
  }

  private configured(): TemplateEntry[] {
    return [...this.entries.values()].filter(({ plugin }) => plugin === undefined);
  }

  /** Forgets a template whose folder stays missing. */
  private miss(entry: TemplateEntry): void {
    const now = monotonicTime();
    entry.awaySince ??= now;
    const left = entry.awaySince + this.settlingTime - now;
    if (left > 0) this.scanIn(left);
    else {
      this.entries.delete(entry.id);
      const gone = { version: undefined, changed: undefined, problems: [], notes: [] };
      this.changes.add({ ...statusOf(entry), ...gone, state: "removed" });
    }
  }

  private scanIn(milliseconds: number): void {
    const due = monotonicTime() + milliseconds;
    if (this.closed || (this.later !== undefined && this.later.due <= due)) return;
    clearTimeout(this.later?.timer);
    const scan = () => {
      this.later = undefined;
      void this.scan();
    };
    this.later = { timer: setTimeout(scan, milliseconds).unref(), due };
  }

  /** Whether more changes may follow; times in the future do not count. */
  private isUnsettled(entry: TemplateEntry, { changed }: TemplateContent): boolean {
    const age = Date.now() - changed;
    if (entry.serving === undefined || entry.isForced || age < 0 || age >= this.settlingTime) return false;
    this.scanIn(this.settlingTime - age);
    return true;
  }

  /** Falls back to the known folders when a folder cannot be listed, so that a drive failure unloads no template. */
  private async subfolders(folder: string): Promise<string[]> {
    try {
      const members = await readdir(folder, { withFileTypes: true });
      this.unreadable.delete(folder);
      return members
        .filter((member) => (member.isDirectory() || member.isSymbolicLink()) && !isNoTemplate(member.name))
        .map((member) => join(folder, member.name))
        .sort();
    } catch (error) {
      if (!this.unreadable.has(folder))
        this.log.error("A folder of templates cannot be read.", { folder, error });
      this.unreadable.add(folder);
      const known = [...this.entries.values()].map((entry) => entry.folder);
      return known.filter((each) => join(each, "..") === join(folder));
    }
  }

  /** Accepts or refuses a changed folder. */
  private async look(entry: TemplateEntry, shared: Map<string, Promise<string>>): Promise<void> {
    if (this.closed) return;
    try {
      if (entry.seen.length > 0 && !(await haveChanged(entry.seen, shared))) return;
      const content = await readTemplateContent(entry.folder);
      entry.seen = [];
      if (this.isUnsettled(entry, content)) return;
      entry.isForced = false;
      entry.seen = content.seen;
      entry.changed = content.changed;
      const known = this.versions.get(content.version);
      const loaded = known ? { template: known } : await loadTemplate(content, this.unsafeKeys);
      entry.notes = [];
      if ("problems" in loaded) return this.refuse(entry, loaded.problems);
      const { problems, notes } = known ? { problems: [], notes: [] } : await this.check(loaded.template);
      if (!known) this.notes.set(loaded.template, notes);
      entry.notes = this.notes.get(loaded.template) ?? [];
      if (problems.length === 0) this.accept(entry, loaded.template);
      else this.refuse(entry, problems);
    } catch (error) {
      // Moved since the folders were listed.
      if (await isGone(entry.folder)) return this.miss(entry);
      entry.seen = [];
      entry.changed = undefined;
      this.refuse(entry, [readingProblem(entry.folder, error)]);
    }
  }

  private accept(entry: TemplateEntry, template: LoadedTemplate): void {
    const taken = conflictOf(entry, template, this.entries.values());
    entry.conflict = taken !== undefined;
    if (taken !== undefined) {
      entry.seen = [];
      // The folder may have been renamed: the missing one will be forgotten soon, or returns.
      if (taken.by.awaySince !== undefined) return;
      this.refuse(entry, [conflictProblem(taken)]);
      return;
    }
    const isNew = entry.serving?.version !== template.version;
    const isMended = entry.problems.length > 0;
    entry.serving = template;
    entry.problems = [];
    if (isNew) this.announce(entry.folder, template);
    if (isNew || isMended) this.changes.add({ ...statusOf(entry), changed: entry.changed, state: "served" });
  }

  private refuse(entry: TemplateEntry, problems: readonly TemplateProblem[]): void {
    if (this.closed || describeProblems(entry.problems) === describeProblems(problems)) return;
    entry.problems = problems;
    const { folder, serving } = entry;
    const consequence = serving ? "Its last good version keeps serving." : "It is not served.";
    this.log.error(`A template cannot be used. ${consequence}`, {
      folder,
      reason: describeProblems(problems),
    });
    this.changes.add({ ...statusOf(entry), changed: entry.changed, state: "refused" });
  }

  private announce(folder: string, template: LoadedTemplate): void {
    const { definition, version, warnings } = template;
    this.log.info("A template is served.", { folder, key: definition.key, version });
    for (const warning of warnings)
      this.log.warn("A template may be incomplete.", { folder, reason: warning });
  }

  private publish(): void {
    // The later ones have precedence.
    const brought = [...this.entries.values()].filter(({ plugin }) => plugin !== undefined);
    const templates = [...brought, ...this.configured()].flatMap(({ serving }) => serving ?? []);
    this.names = new Map(templates.flatMap((template) => namesOf(template).map((name) => [name, template])));
    this.versions.serve(templates);
    this.changes.tell();
  }
}

/** Whether nothing has this path, not even a link that leads nowhere. */
async function isGone(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => false,
    (error: unknown) => errorCode(error) === "ENOENT",
  );
}

/** Folders that begin with "_" are shared by templates and are not templates themselves. */
function isNoTemplate(name: string): boolean {
  return name.startsWith("_") || isIgnored(name);
}
