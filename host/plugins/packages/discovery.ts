import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Something in a drop-in folder that a plugin may come from. */
export interface FoundSource {
  /** Absolute; symbolic links as they are. */
  path: string;
  /** `lost`: a link that leads nowhere now. */
  kind: "folder" | "archive" | "lost";
}

/** Work in progress of editors, browsers and copy tools; they rename it when it is done. */
const temporaryName = /~$|^~\$|^#.*#$|\.(?:swp|swo|swx|part|partial|filepart|tmp|temp|crdownload|download)$/i;

const archiveName = /\.(?:tgz|tar\.gz)$/i;

/** Names that never count, neither in drop-in folders nor inside of plugins: hidden ones and work in progress. */
export function isIgnored(name: string): boolean {
  return name.startsWith(".") || temporaryName.test(name);
}

/** What lies in a drop-in folder now, in the order of the names. Rejects when the folder cannot be read. */
export async function discoverSources(folder: string): Promise<FoundSource[]> {
  const found: FoundSource[] = [];
  for (const member of (await readdir(folder, { withFileTypes: true })).sort(byName)) {
    if (isIgnored(member.name) || member.name === "node_modules") continue;
    const path = join(folder, member.name);
    const kind = await kindOf(path, member);
    if (kind === "folder" || kind === "lost") found.push({ path, kind });
    else if (kind === "file" && archiveName.test(member.name)) found.push({ path, kind: "archive" });
  }
  return found;
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
