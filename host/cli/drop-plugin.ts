import { randomUUID } from "node:crypto";
import { cp, lstat, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Configuration } from "../configuration/configuration.js";
import { sdkVersion } from "../installation.js";
import { isIgnored } from "../plugins/intake/discovery.js";
import { type Manifest, readManifest } from "../plugins/intake/manifest.js";
import { archiveName } from "../plugins/packages/pack-plugin.js";
import { withUnpacked } from "../plugins/packages/unpack-archive.js";

/** What was put into a drop-in folder. */
export interface DroppedPlugin {
  folder: string;
  /** In the folder. */
  name: string;
  remove(): Promise<void>;
}

const megabyte = 1024 * 1024;

/**
 * Copies an archive or a folder into the first drop-in folder, under the name of its package and version. It is there
 * whole or not at all; nothing that lies there is overwritten. Throws with a sentence for people.
 */
export async function dropPlugin(source: string, configuration: Configuration): Promise<DroppedPlugin> {
  const folder = resolve(configuration.folders.plugins[0] ?? "");
  const isArchive = await isFile(source);
  const manifest = await manifestOf(source, isArchive, configuration);
  const archive = archiveName(manifest);
  const name = isArchive ? archive : archive.replace(/\.tgz$/, "");
  const target = join(folder, name);
  // The host leaves out what begins with a dot.
  const temporary = join(folder, `.adding-${randomUUID()}`);
  try {
    await cp(source, temporary, {
      recursive: true,
      dereference: true,
      filter: (path) => path === source || !isIgnored(basename(path)),
    });
    if (await exists(target)) {
      throw new Error(
        `${name} is in ${folder} already; a version stays as it was dropped, so give a changed plugin a new one.`,
      );
    }
    // Whoever takes the name in this moment has the same version.
    await rename(temporary, target);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return { folder, name, remove: () => rm(target, { recursive: true, force: true }) };
}

async function manifestOf(source: string, isArchive: boolean, { plugins }: Configuration): Promise<Manifest> {
  if (!isArchive) return await readManifest(source, sdkVersion);
  const room = await mkdtemp(join(tmpdir(), "slipway-add-"));
  try {
    const limits = { bytes: plugins.archives.bytes * megabyte, files: plugins.archives.files };
    return await withUnpacked(source, room, limits, (content) => readManifest(content, sdkVersion));
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

async function isFile(source: string): Promise<boolean> {
  const found = await stat(source).catch(() => {
    throw new Error(`There is no readable archive or folder ${source}.`);
  });
  return found.isFile();
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
