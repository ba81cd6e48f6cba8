import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { eachInTurn } from "../../system/each-in-turn.js";
import { Rejection } from "../../system/rejection.js";
import { sha256 } from "./content-hash.js";
import { integrityFile, readIntegrity } from "./integrity.js";
import { withPassingFolder } from "./passing-folder.js";
import { readPluginFile } from "./plugin-file.js";

/** Files that are in memory at one time. */
const parallel = 2;

/**
 * Gives a signed plugin to `use` as exactly the files of its list, in a folder below `root` that nobody else writes to:
 * what else lies beside them, or changes meanwhile, decides nothing. Other plugins are used where they are. Throws a
 * `Rejection` when a file is not what the list says, and when all of them have more than `most` bytes.
 */
export async function withSignedCopy<T>(
  folder: string,
  root: string,
  most: number,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const integrity = await readIntegrity(folder);
  if (integrity?.signature === undefined) return await use(folder);
  const files = Object.entries(integrity.files);
  const bytes = files.reduce((sum, [, { size }]) => sum + size, 0);
  if (bytes > most) throw new Rejection(`its files have more than ${Math.floor(most / 1024 / 1024)} MB`);
  return await withPassingFolder(root, async (copy) => {
    await eachInTurn(files, parallel, async ([path, { size, sha256: hash }]) => {
      const content = await readPluginFile(folder, path, size);
      if (sha256(content) !== hash) throw new Rejection(`${path} is not what ${integrityFile} says`);
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), content, { flag: "wx" });
    });
    await writeFile(join(copy, integrityFile), JSON.stringify(integrity), { flag: "wx" });
    return await use(copy);
  });
}
