/** The templates of the configured folders: what serves, and what is wrong with what does not. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Log } from "@slipway/sdk";
import { type LoadedTemplate, loadTemplate } from "./loaded-template.js";
import { folderFingerprint, isIgnored, readTemplateFolder } from "./template-folder.js";
import type { TemplateState } from "./template-service.js";
import type { TemplateVersions } from "./template-versions.js";

/** What is wrong with a template besides what its files say of themselves; undefined when it can serve. */
export type CheckTemplate = (template: LoadedTemplate) => Promise<string | undefined>;

interface Entry {
  folder: string;
  /** The last good version. */
  serving: LoadedTemplate | undefined;
  /** The content that was last looked at. */
  fingerprint: string | undefined;
  error: string | undefined;
  /** Another template has its key or an alias. */
  conflict: boolean;
}

export class TemplateRegistry {
  /** By folder, in the order in which they were first seen: of two with one key, the first stays. */
  private readonly entries = new Map<string, Entry>();
  private names: ReadonlyMap<string, LoadedTemplate> = new Map();
  private scanning: Promise<void> = Promise.resolve();
  /** A scan that has not begun, which later calls can share. */
  private nextScan: Promise<void> | undefined;
  private readonly unreadable = new Set<string>();
  private closed = false;

  constructor(
    private readonly folders: readonly string[],
    private readonly unsafeKeys: readonly string[],
    private readonly versions: TemplateVersions,
    private readonly check: CheckTemplate,
    private readonly log: Log,
  ) {}

  /** Looks at what changed; resolves when everything that was there at the call is taken over. */
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

  /** Reads everything again, also what does not look changed. */
  reload(): Promise<void> {
    for (const entry of this.entries.values()) entry.fingerprint = undefined;
    return this.scan();
  }

  /** Takes over nothing any more. */
  async close(): Promise<void> {
    this.closed = true;
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
    return [...this.entries.values()].map(({ folder, serving, error }) => ({
      key: serving?.definition.key ?? basename(folder),
      folder,
      version: serving?.version,
      error,
      warnings: [...(serving?.warnings ?? [])],
    }));
  }

  private async scanFolders(): Promise<void> {
    const found = (await Promise.all(this.folders.map((folder) => this.subfolders(folder)))).flat();
    for (const folder of this.entries.keys()) {
      if (!found.includes(folder)) this.entries.delete(folder);
    }
    for (const folder of found) {
      const entry = this.entries.get(folder) ?? emptyEntry(folder);
      this.entries.set(folder, entry);
      await this.look(entry);
    }
    // What they conflicted with may have changed after they were looked at.
    for (const entry of this.entries.values()) if (entry.conflict) await this.look(entry);
    this.publish();
  }

  /** What was found before where a folder cannot be listed, so that trouble with a drive unloads nothing. */
  private async subfolders(folder: string): Promise<string[]> {
    try {
      const members = await readdir(folder, { withFileTypes: true });
      this.unreadable.delete(folder);
      return members
        .filter((member) => (member.isDirectory() || member.isSymbolicLink()) && !isIgnored(member.name))
        .map((member) => join(folder, member.name))
        .sort();
    } catch (error) {
      if (!this.unreadable.has(folder))
        this.log.error("A folder of templates cannot be read.", { folder, error });
      this.unreadable.add(folder);
      return [...this.entries.keys()].filter((each) => join(each, "..") === join(folder));
    }
  }

  /** Takes over a changed folder, or notes why not. */
  private async look(entry: Entry): Promise<void> {
    if (this.closed) return;
    try {
      if (entry.fingerprint !== undefined && entry.fingerprint === (await folderFingerprint(entry.folder)))
        return;
      const content = await readTemplateFolder(entry.folder);
      entry.fingerprint = content.fingerprint;
      const known = this.versions.get(content.version);
      const loaded = known ? { template: known } : loadTemplate(content, this.unsafeKeys);
      if ("error" in loaded) return this.refuse(entry, loaded.error);
      const error = known ? undefined : await this.check(loaded.template);
      if (error === undefined) this.accept(entry, loaded.template);
      else this.refuse(entry, error);
    } catch (error) {
      entry.fingerprint = undefined;
      this.refuse(entry, messageOf(error));
    }
  }

  private accept(entry: Entry, template: LoadedTemplate): void {
    const taken = this.conflict(entry, template);
    entry.conflict = taken !== undefined;
    if (taken !== undefined) {
      entry.fingerprint = undefined;
      this.refuse(entry, taken);
      return;
    }
    if (entry.serving?.version !== template.version) this.announce(entry.folder, template);
    entry.serving = template;
    entry.error = undefined;
  }

  private refuse(entry: Entry, error: string): void {
    if (this.closed || entry.error === error) return;
    entry.error = error;
    const { folder, serving } = entry;
    const consequence = serving ? "Its last good version keeps serving." : "It is not served.";
    this.log.error(`A template cannot be used. ${consequence}`, { folder, reason: error });
  }

  private announce(folder: string, template: LoadedTemplate): void {
    const { definition, version, warnings } = template;
    this.log.info("A template is served.", { folder, key: definition.key, version });
    for (const warning of warnings)
      this.log.warn("A template may be incomplete.", { folder, reason: warning });
  }

  private conflict(entry: Entry, template: LoadedTemplate): string | undefined {
    for (const other of this.entries.values()) {
      const names = other === entry || !other.serving ? [] : namesOf(other.serving);
      const taken = namesOf(template).find((name) => names.includes(name));
      if (taken !== undefined) {
        return `template.json: "${taken}" is already a key or an alias of the template in ${basename(other.folder)}`;
      }
    }
    return undefined;
  }

  private publish(): void {
    const templates = [...this.entries.values()].flatMap(({ serving }) => serving ?? []);
    this.names = new Map(templates.flatMap((template) => namesOf(template).map((name) => [name, template])));
    this.versions.serve(templates);
  }
}

function namesOf({ definition }: LoadedTemplate): string[] {
  return [definition.key, ...definition.aliases];
}

function emptyEntry(folder: string): Entry {
  return { folder, serving: undefined, fingerprint: undefined, error: undefined, conflict: false };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string"
    ? `The folder cannot be read (${error.code}).`
    : error.message;
}
