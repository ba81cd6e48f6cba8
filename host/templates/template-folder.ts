/** Reads a template folder into memory: with limits, regular files only, nothing from outside the folder. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { errorCode } from "../system/errors.js";

/** Content by path below the folder, with "/" between names, sorted by path. */
export type TemplateFiles = ReadonlyMap<string, Uint8Array>;

/** The text of a file; empty for undefined. */
export function textOf(content: Uint8Array | undefined): string {
  return content === undefined ? "" : new TextDecoder().decode(content);
}

/** One state of a folder. */
export interface FolderContent {
  files: TemplateFiles;
  /** Changes with every write; cheaper than reading the files. */
  fingerprint: string;
  /** Milliseconds since the epoch: time of the last write or move of a file. */
  changed: number;
}

/** A folder that cannot be read as a template; the message is for users and contains only paths below the folder. */
export class FolderError extends Error {
  override readonly name = "FolderError";

  constructor(
    message: string,
    /** The file concerned, if any. */
    readonly place?: { file: string; line?: number; column?: number; pointer?: string },
  ) {
    super(message);
  }
}

/** Maximum number of files in a template folder. */
export const mostFiles = 500;
/** Maximum size of a template in bytes, including its shared files. */
export const mostBytes = 32 * 1024 * 1024;
/** Maximum folder depth. */
export const deepest = 8;
const attempts = 5;

interface FoundFile {
  path: string;
  location: string;
  bytes: number;
  stamp: string;
  changed: number;
}

/** Reads all files; retries when one changed meanwhile, so that the result is a consistent state. */
export async function readTemplateFolder(folder: string): Promise<FolderContent> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await findFiles(folder);
    const contents = await unlessGone(Promise.all(found.map(({ location }) => readFile(location))));
    if (contents === undefined) continue;
    const files = new Map<string, Uint8Array>();
    for (const [index, { path }] of found.entries()) files.set(path, contents[index] ?? new Uint8Array());
    const fingerprint = fingerprintOf(found);
    if (fingerprintOf(await findFiles(folder)) === fingerprint) {
      return { files, fingerprint, changed: Math.max(0, ...found.map((file) => file.changed)) };
    }
  }
  throw new FolderError("The folder kept changing while it was read.");
}

/** The fingerprint that `readTemplateFolder` returns, without reading contents. */
export async function folderFingerprint(folder: string): Promise<string> {
  return fingerprintOf(await findFiles(folder));
}

async function findFiles(folder: string): Promise<FoundFile[]> {
  const root = await realpath(folder);
  const found: FoundFile[] = [];
  await collect(root, "", 0, found);
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > mostBytes) {
    throw new FolderError(`The folder has ${bytes} bytes; a template may have ${mostBytes}.`);
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function collect(root: string, below: string, depth: number, found: FoundFile[]): Promise<void> {
  if (depth > deepest) throw new FolderError(`folders are nested deeper than ${deepest}.`, { file: below });
  const listing = readdir(join(root, below), { withFileTypes: true });
  const members = below === "" ? await listing : ((await unlessGone(listing)) ?? []);
  const wanted = members.filter(({ name }) => !isIgnored(name));
  if (found.length + wanted.length > mostFiles) throw tooManyFiles();
  // In parallel: a change serves only after every folder has been scanned.
  await Promise.all(
    wanted.map(async (member) => {
      const path = below === "" ? member.name : `${below}/${member.name}`;
      const location = member.isSymbolicLink() ? await linkedLocation(root, path) : join(root, path);
      const status = await unlessGone(stat(location, { bigint: true }));
      if (status === undefined) return;
      if (status.isDirectory()) return collect(root, path, depth + 1, found);
      if (!status.isFile()) throw new FolderError("neither a file nor a folder.", { file: path });
      const stamp = `${status.ino}.${status.mtimeNs}.${status.ctimeNs}`;
      const changed = Number(status.ctimeNs / 1_000_000n);
      found.push({ path, location, bytes: Number(status.size), stamp, changed });
      if (found.length > mostFiles) throw tooManyFiles();
    }),
  );
}

function tooManyFiles(): FolderError {
  return new FolderError(`The folder has more than ${mostFiles} files.`);
}

/** A link may point to another file of the folder only. */
async function linkedLocation(root: string, path: string): Promise<string> {
  const target = await unlessGone(realpath(join(root, path)));
  if (target === undefined) throw new FolderError("a link that leads nowhere.", { file: path });
  if (!target.startsWith(root + sep))
    throw new FolderError("a link that leads out of the folder.", { file: path });
  if ((await stat(target)).isDirectory()) throw new FolderError("a link to a folder.", { file: path });
  return target;
}

/** Undefined for a missing file, such as one that an editor replaces during a scan. */
export async function unlessGone<T>(access: Promise<T>): Promise<T | undefined> {
  try {
    return await access;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Vim tests a folder with a file 4913, Emacs stores unsaved text in #names#, JetBrains editors end names with jb_tmp.
 */
const leftover = /^\.|~$|\.(?:tmp|swp)$|^4913$|^#.*#$|___jb_(?:tmp|old)___$|^(?:Thumbs\.db|desktop\.ini)$/i;

/** Whether a name is ignored: hidden files and leftovers of editors and desktops. */
export function isIgnored(name: string): boolean {
  return leftover.test(name);
}

function fingerprintOf(found: FoundFile[]): string {
  return found.map((file) => `${file.path}\0${file.bytes}\0${file.stamp}`).join("\0\0");
}
