import { dirname, join } from "node:path";
import { AssetError, type AssetFile, findAssets } from "@slipway/sdk/runtime/host";
import { pathProblem } from "../../system/archives/entry-path.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { makeFolder, syncFolder, writeSynced } from "../../system/durable-files.js";
import { Rejection } from "../../system/errors.js";
import type { Manifest } from "./manifest.js";
import type { PluginAsset } from "./plugin-asset.js";
import { isSystemError, readPluginFile, sha256 } from "./plugin-files.js";

/** Files held in memory concurrently. */
const parallel = 2;

/** The assets of a plugin folder, sorted by path. Throws a `Rejection` that names the glob or file. */
export async function listAssets(folder: string, { slipway }: Manifest): Promise<PluginAsset[]> {
  const files = await foundFiles(folder, slipway);
  return await mapConcurrent(files, parallel, async ({ path, bytes }) => {
    const content = await readPluginFile(folder, path, bytes);
    return { path, bytes: content.length, sha256: sha256(content) };
  });
}

/** The content of an asset. Throws a `Rejection` if it has changed since it was listed. */
export async function readAsset(folder: string, asset: PluginAsset): Promise<Buffer> {
  const content = await readPluginFile(folder, asset.path, asset.bytes);
  if (sha256(content) === asset.sha256) return content;
  throw new Rejection(`${asset.path} changed while the plugin was being staged`);
}

/** Writes the assets of a plugin's folder below `target`. Throws a `Rejection` if one has changed since it was listed. */
export async function copyAssets(
  source: string,
  assets: readonly PluginAsset[],
  target: string,
): Promise<void> {
  const folders = new Set<string>();
  for (const asset of assets) {
    const file = join(target, asset.path);
    const content = await readAsset(source, asset);
    if (!folders.has(dirname(file))) await makeFolder(dirname(file));
    folders.add(dirname(file));
    await writeSynced(file, content);
  }
  for (const folder of folders) await syncFolder(folder);
}

async function foundFiles(folder: string, slipway: Manifest["slipway"]): Promise<AssetFile[]> {
  try {
    const files = await findAssets(folder, slipway);
    for (const { path } of files) {
      const problem = pathProblem(path);
      if (problem !== undefined)
        throw new Rejection(`the path ${JSON.stringify(path)} of an asset ${problem}`);
    }
    return files;
  } catch (error) {
    if (error instanceof AssetError) throw new Rejection(error.message);
    if (isSystemError(error))
      throw new Rejection(`slipway.assets: the folder cannot be searched: ${error.code}`, { cause: error });
    throw error;
  }
}
