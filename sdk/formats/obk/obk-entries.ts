/**
 * The entries of an OBK by the names of the format, also in a file that was unpacked and zipped again: with a folder at its
 * top, other capitals, backslashes, or files of macOS and Windows.
 */

import { brokenFile } from "../obx/read-warnings.js";
import { isSystemFile, systemFolder } from "./system-files.js";
import type { ZipContainer } from "./zip-container.js";

/** The entry that each project has. */
export const basketEntry = "1.bsk";

const shownNames = 5;
const shownLength = 100;

/** The entries of one project, in the root of a container or in one folder. */
export class ObkEntries {
  /** Names in the container, by those within the folder of the project. */
  private readonly paths = new Map<string, string>();
  /** Names within that folder, by their lower case. */
  private readonly bySpelling = new Map<string, string[]>();
  /** Files beside the folder of the project, as the container names them. */
  readonly others: string[] = [];

  private constructor(
    private readonly container: ZipContainer,
    /** In the order of the directory, without what operating systems added. */
    private readonly files: readonly string[],
    /** Of the project, with "/" at its end; empty for the root. */
    folder: string,
  ) {
    for (const path of files) {
      if (path.slice(0, folder.length).toLowerCase() === folder.toLowerCase())
        this.add(path.slice(folder.length), path);
      else this.others.push(path);
    }
  }

  /** @throws RequestError 400 if the container has no project, or several. */
  static of(container: ZipContainer): ObkEntries {
    const files = container.names.filter((name) => !name.endsWith("/") && !isOfSystem(name));
    return new ObkEntries(container, files, folderOfProject(files));
  }

  /** The files of the project, relative to its folder. */
  get names(): string[] {
    return [...this.paths.keys()];
  }

  /**
   * The entry with a name of the format, as one of `names`: the one in the same capitals, else the one in others.
   * @throws RequestError 400 if there are several in other capitals.
   */
  find(name: string): string | undefined {
    if (this.paths.has(name)) return name;
    const [found, another] = this.bySpelling.get(name.toLowerCase()) ?? [];
    if (another !== undefined)
      throw brokenFile("several entries have this name, in other capitals", { entry: name });
    return found;
  }

  /** The content of one of `names`, as `ZipContainer.content` gives it. */
  async content(name: string): Promise<Uint8Array | undefined> {
    const path = this.paths.get(name);
    return path === undefined ? undefined : await this.container.content(path);
  }

  /** As `ZipContainer.sizeOf`. */
  sizeOf(name: string): number {
    return this.container.sizeOf(this.paths.get(name) ?? "");
  }

  /**
   * The content of an entry that each project has.
   * @throws RequestError 400 if it is missing; the message lists the files.
   */
  async needed(name: string): Promise<Uint8Array> {
    const found = this.find(name);
    const content = found === undefined ? undefined : await this.content(found);
    if (content === undefined) throw missingEntry(name, this.files);
    return content;
  }

  private add(name: string, path: string): void {
    if (this.paths.has(name)) throw brokenFile("two entries have this name", { entry: name.slice(0, 200) });
    this.paths.set(name, path);
    const spelling = name.toLowerCase();
    const known = this.bySpelling.get(spelling);
    if (known === undefined) this.bySpelling.set(spelling, [name]);
    else known.push(name);
  }
}

/** Whether macOS or Windows added the file. */
function isOfSystem(name: string): boolean {
  const parts = name.split("/");
  return parts.includes(systemFolder) || isSystemFile(parts.at(-1) ?? "");
}

/** The root if the project is there, else the only folder with one. */
function folderOfProject(files: readonly string[]): string {
  const baskets = files.filter((name) => name.toLowerCase().split("/").at(-1) === basketEntry);
  const folders = new Map(baskets.map((name) => [folderOf(name).toLowerCase(), folderOf(name)]));
  const [folder, ...more] = folders.values();
  if (folder === undefined) throw missingEntry(basketEntry, files);
  if (folders.has("")) return "";
  if (more.length > 0) throw brokenFile(`it has several projects (${listed(baskets)}); open one of them`);
  return folder;
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function missingEntry(entry: string, files: readonly string[]): Error {
  const inside = files.filter((name) => /\.(?:obk|obx|zip)$/i.test(name));
  const advice =
    inside.length === 0 ? "" : `; unpack the file and open a project file inside (${listed(inside)})`;
  const content = files.length === 0 ? "the file is empty" : `the file has ${listed(files)}`;
  return brokenFile(`this entry is missing, ${content}${advice}`, { entry });
}

/** The number of files, and the first names. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map((name) => name.slice(0, shownLength));
  const left = names.length - shown.length;
  const rest = left > 0 ? ` and ${left} more` : "";
  return `${names.length} ${names.length === 1 ? "file" : "files"}: ${shown.join(", ")}${rest}`;
}
