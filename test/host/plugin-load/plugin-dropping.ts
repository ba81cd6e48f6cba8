/** The ways in which admins and their tools bring plugins into a drop-in folder, and out of it. */
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { create } from "tar";
import type { PluginFiles } from "./plugin-maker.js";

/** Copies to a name that the host ignores, then renames. */
export async function dropByRename(files: PluginFiles, place: string): Promise<void> {
  const copy = besides(place, "copy");
  await writeFiles(files, copy);
  await rename(copy, place);
}

/** Replaces a folder: moves the old one away and, after some milliseconds, the new one in. */
export async function replaceByRename(files: PluginFiles, place: string, milliseconds = 0): Promise<void> {
  const [copy, old] = [besides(place, "copy"), besides(place, "old")];
  await writeFiles(files, copy);
  await rename(place, old);
  if (milliseconds > 0) await pause(milliseconds);
  await rename(copy, place);
  await rm(old, { recursive: true });
}

/**
 * Copies into the folder that the host watches, one file after the other, and removes what is no part of the new
 * content. `milliseconds` between two files.
 */
export async function dropFileByFile(files: PluginFiles, place: string, milliseconds: number): Promise<void> {
  let first = true;
  for (const [path, content] of files) {
    if (!first) await pause(milliseconds);
    first = false;
    await writeInto(place, path, content);
  }
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if (!files.has(path.slice(place.length + 1).replaceAll("\\", "/"))) await rm(path);
  }
}

/** Copies to a folder elsewhere, `store`, and points a link to it, in place of the link that may be there. */
export async function dropBySymlink(files: PluginFiles, place: string, store: string): Promise<void> {
  await mkdir(store, { recursive: true });
  const folder = await mkdtemp(join(store, "content-"));
  await writeFiles(files, folder);
  const link = besides(place, "link");
  await symlink(folder, link, "dir");
  await rename(link, place);
}

/** Packs it the way `npm pack` does; `place` ends in ".tgz". */
export async function dropArchive(files: PluginFiles, place: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-archive-"));
  await writeFiles(files, join(folder, "package"));
  const archive = besides(place, "copy");
  await create({ file: archive, gzip: true, cwd: folder, portable: true }, ["package"]);
  await rename(archive, place);
  await rm(folder, { recursive: true });
}

/** Whatever lies there, file by file, as `rm -r` does. */
export async function remove(place: string): Promise<void> {
  await rm(place, { recursive: true });
}

export async function writeFiles(files: PluginFiles, folder: string): Promise<void> {
  for (const [path, content] of files) await writeInto(folder, path, content);
}

async function writeInto(folder: string, path: string, content: string | Buffer): Promise<void> {
  const file = join(folder, ...path.split("/"));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

let copies = 0;

/** A name in the same folder that begins with a dot, so that the host leaves it alone. */
function besides(place: string, what: string): string {
  copies += 1;
  return join(dirname(place), `.${what}-${process.pid}-${copies}`);
}
