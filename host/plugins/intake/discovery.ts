import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Log } from "@slipway/sdk";

/**
 * The plugin folders below the given folders, in their order. Names that begin with a dot are work in progress, and
 * plain files are none of ours.
 */
export async function discoverPlugins(folders: readonly string[], log: Log): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const root = resolve(folder);
    const names = await readdir(root).catch((error: unknown) => {
      log.warn("A plugin folder cannot be read", { folder: root, error });
      return [];
    });
    for (const name of names.sort()) {
      if (name.startsWith(".") || name === "node_modules") continue;
      if (await isFolder(join(root, name))) found.push(join(root, name));
    }
  }
  return [...new Set(found)];
}

/** Follows symbolic links; one that leads nowhere is no folder. */
async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
