import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { AssetGlob, type GlobProgress, globProblem } from "./asset-globs.js";
import { isIgnored } from "./ignored-names.js";

/** An asset of a plugin. */
export interface AssetFile {
  /** Below the plugin's folder, "/" between names. */
  path: string;
  bytes: number;
}

/** Files of a plugin cannot be assets; the message is for its author and names no path outside of the plugin. */
export class AssetError extends Error {
  override readonly name = "AssetError";
}

/** Maximum number of assets of a plugin. */
export const mostAssets = 1000;
/** Maximum bytes of all assets of a plugin. */
export const mostAssetBytes = 64 * 1024 * 1024;
/** Maximum number of files and folders to look at. */
const mostMembers = 20_000;

/** The members of a manifest that decide which files are assets. */
export interface AssetChoice {
  /** They pass `globProblem`. */
  assets?: readonly string[];
  /** The folder of the templates, which passes `folderProblem`; all of its files are assets. */
  templates?: string;
  entry: string;
}

/** Why a folder of templates is refused, as a sentence that begins with it; undefined if it is valid. */
export function folderProblem(folder: string): string | undefined {
  return /[*?]/.test(folder) ? "has wildcards" : globProblem(folder);
}

/**
 * The files of a plugin's folder that its manifest chooses, sorted by path. Manifest, list of files and entry are never among
 * them, nor are hidden and unfinished files and `node_modules`. Throws an `AssetError` for a glob without files, for links out
 * of the folder or to folders, and above the limits.
 */
export async function findAssets(folder: string, choice: AssetChoice): Promise<AssetFile[]> {
  const { assets = [], templates } = choice;
  if (assets.length === 0 && templates === undefined) return [];
  const search = new AssetSearch(await realpath(folder), choice);
  return await search.run();
}

/** The progress of a path in each glob. */
type Progress = readonly { glob: AssetGlob; at: GlobProgress }[];

class AssetSearch {
  private readonly start: Progress;
  private readonly idle: Set<AssetGlob>;
  private readonly own: ReadonlySet<string>;
  private readonly found: AssetFile[] = [];
  private bytes = 0;
  private looked = 0;

  constructor(
    private readonly root: string,
    private readonly choice: AssetChoice,
  ) {
    const { assets = [], templates, entry } = choice;
    const ofTemplates = templates === undefined ? [] : [`${templates}/*/template.json`, `${templates}/**`];
    this.start = [...assets, ...ofTemplates]
      .map((text) => new AssetGlob(text))
      .map((glob) => ({ glob, at: glob.start }));
    this.idle = new Set(this.start.map(({ glob }) => glob));
    this.own = new Set(["package.json", "integrity.json", entry.replace(/^(?:\.\/)+/, "")]);
  }

  async run(): Promise<AssetFile[]> {
    await this.folder("", this.start);
    this.requireFiles();
    return this.found.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  private requireFiles(): void {
    const { assets = [], templates = "" } = this.choice;
    const idle = [...this.idle].map(({ text }) => text);
    const named = idle.filter((text) => assets.includes(text)).map((text) => JSON.stringify(text));
    if (named.length > 0) {
      const match = named.length === 1 ? "matches" : "match";
      throw new AssetError(`slipway.assets: ${named.join(", ")} ${match} no file of the plugin`);
    }
    if (idle.length > 0)
      throw new AssetError(
        `slipway.templates: ${JSON.stringify(templates)} has no folder with a template.json in it`,
      );
  }

  private async folder(path: string, progress: Progress): Promise<void> {
    const members = await readdir(join(this.root, path), { withFileTypes: true });
    for (const member of members) {
      if (isIgnored(member.name) || member.name === "node_modules") continue;
      await this.look();
      const inside = path === "" ? member.name : `${path}/${member.name}`;
      const next = progress.map(({ glob, at }) => ({ glob, at: glob.next(at, member.name) }));
      const hasFurther = next.some(({ glob, at }) => glob.mayContinue(at));
      if (!member.isDirectory()) await this.member(inside, member, next, hasFurther);
      else if (hasFurther) await this.folder(inside, next);
    }
  }

  private async member(path: string, member: Dirent, progress: Progress, hasFurther: boolean): Promise<void> {
    const globs = progress.filter(({ glob, at }) => glob.isMatch(at)).map(({ glob }) => glob);
    const [matching] = globs;
    if (this.own.has(path) || (matching === undefined && !(hasFurther && member.isSymbolicLink()))) return;
    const location = join(this.root, path);
    const target = await stat(location).catch(() => undefined);
    if (target?.isDirectory())
      throw new AssetError(`${path} is a link to a folder, which no asset can be in`);
    if (matching === undefined) return;
    if (target === undefined) throw new AssetError(`${path} is a link to nothing`);
    if (!target.isFile()) throw new AssetError(`${path} is neither a file nor a folder`);
    if (member.isSymbolicLink() && !(await realpath(location)).startsWith(`${this.root}${sep}`))
      throw new AssetError(`${path} is a link out of the plugin's folder`);
    for (const glob of globs) this.idle.delete(glob);
    this.take({ path, bytes: target.size }, matching);
  }

  private take(file: AssetFile, { text }: AssetGlob): void {
    const what = `${file.path}, which ${JSON.stringify(text)} matches`;
    this.bytes += file.bytes;
    if (this.bytes > mostAssetBytes)
      throw new AssetError(`with ${what}, the assets have more than ${mostAssetBytes / 1024 / 1024} MB`);
    if (this.found.length === mostAssets)
      throw new AssetError(`with ${what}, there are more than ${mostAssets} assets`);
    this.found.push(file);
  }

  /** Yields to the event loop regularly: hostile globs and names may take long. */
  private async look(): Promise<void> {
    this.looked += 1;
    if (this.looked > mostMembers)
      throw new AssetError(
        `slipway.assets: the plugin has more than ${mostMembers} files and folders to look at`,
      );
    if (this.looked % 50 === 0) await setImmediate();
  }
}
