import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isIgnored } from "@slipway/sdk/runtime/host";
import { archiveFormat } from "../../system/archives/archive-format.js";

/** An entry of a drop-in folder that may be a plugin. */
export interface FoundSource {
  /** Absolute; symbolic links are not resolved. */
  path: string;
  /** `code`: a single file, which is no plugin and may be taken for one; `lost`: a broken symbolic link. */
  kind: "folder" | "archive" | "code" | "lost";
}

/** Their bytes say which format it is, and whether that is read. */
const archiveName = /\.(?:tgz|gz|tar|zip|txz|xz|tbz2?|bz2|tzst|zst|7z|rar|lz|lz4|tar\.z)$/i;

const codeName = /\.[cm]?[jt]sx?$/i;
const otherCode = /\.(?:d\.[cm]?ts|config\.[cm]?[jt]s)$/i;

/** The sources in a drop-in folder, sorted by name. Rejects when the folder cannot be read. */
export async function discoverSources(folder: string): Promise<FoundSource[]> {
  const found: FoundSource[] = [];
  for (const member of (await readdir(folder, { withFileTypes: true })).sort(byName)) {
    if (isIgnored(member.name) || member.name === "node_modules") continue;
    const path = join(folder, member.name);
    const kind = await kindOf(path, member);
    if (kind === "folder" || kind === "lost") found.push({ path, kind });
    else if (kind === "file" && (await isArchive(path, member.name))) found.push({ path, kind: "archive" });
    else if (kind === "file" && codeName.test(member.name) && !otherCode.test(member.name))
      found.push({ path, kind: "code" });
  }
  return found;
}

/** A name without an ending, or with one like that of "desks-1.0.0", says nothing: the bytes do. */
async function isArchive(path: string, name: string): Promise<boolean> {
  if (archiveName.test(name)) return true;
  if (!/^[^.]+$|\.\d+$/.test(name)) return false;
  return await archiveFormat(path).then(
    () => true,
    () => false,
  );
}

/** Follows symbolic links. */
async function kindOf(path: string, member: Dirent): Promise<"folder" | "file" | "lost" | undefined> {
  const kind = member.isSymbolicLink() ? await stat(path).catch(() => undefined) : member;
  if (kind === undefined) return "lost";
  if (kind.isDirectory()) return "folder";
  return kind.isFile() ? "file" : undefined;
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
