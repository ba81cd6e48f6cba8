/**
 * Packages of plugins: folders and archives as their authors give them.
 *
 * Goes in: a folder or an archive, the limits of the host for archives, and the keys that it trusts. Comes out: the
 * manifest, the default configuration, the assets, the code as one bundle, and who signed all of that. Also makes
 * packages: `packPlugin`. Faults of an author are `Rejection`s with the reason.
 *
 * Owns: the formats of package.json and of the list of files (integrity.json), and the folders with the content of
 * archives. Knows neither drop-in folders nor what runs. A host and `slipway plugin check` use the same methods.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { type ArchiveLimits, archiveFiles, shownBytes } from "../../system/archives/archive-files.js";
import { type PackedFile, writeArchive } from "../../system/archives/write-archive.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { parsedJson } from "../../system/json.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import { type Input, input, largestDescription, readPluginFile, sha256 } from "../plugin-files.js";
import type { PluginAsset } from "../plugin-state.js";
import { type Bundle, type BundleChoices, bundlePlugin } from "./bundle.js";
import { integrityFile, readIntegrity, requireTrust } from "./integrity.js";
import { type Manifest, manifestName, parseManifest, pluginDescription, readPackage } from "./manifest.js";
import { listAssets, readDefaults } from "./package-files.js";
import {
  archiveLimits,
  removeUnpackedExcept,
  requireArchiveSize,
  unpackedFolder,
  withPassingFolder,
} from "./unpack-archive.js";

export { type Bundle, type BundleChoices, bundleFormat, endBundler } from "./bundle.js";
export { makeKey } from "./integrity.js";
export { Manifest, type StartRequest, sdkMismatch } from "./manifest.js";
export { archiveName, packPlugin } from "./pack-plugin.js";
export { type Completeness, completeness, copyAssets } from "./package-files.js";
export { archiveLimits } from "./unpack-archive.js";

/** Who signed a package, and which files it may consist of. */
export interface Origin {
  /** Name of the trusted key that signed it. */
  signedBy: string | undefined;
  /** Fingerprint of that key. */
  signingKey?: string | undefined;
  /** Fingerprint of the key in the signature, trusted or not; undefined without a signature. */
  signatureKey?: string | undefined;
  /** SHA-256, hexadecimal, by path below the folder with "/". Only these files may be used. */
  files?: ReadonlyMap<string, string>;
}

/** The folder of a plugin with a valid package.json. Its methods throw a `Rejection` for faults of the plugin. */
export class PluginPackage {
  private constructor(
    readonly folder: string,
    readonly manifest: Manifest,
    private readonly text: Buffer,
  ) {}

  /** Throws a `Rejection` that lists all problems of the package.json. */
  static async read(folder: string, sdkVersion: string): Promise<PluginPackage> {
    const text = await readPackage(folder);
    return new PluginPackage(folder, parseManifest(text, sdkVersion), text);
  }

  /** The whole package.json. */
  get description(): unknown {
    return parsedJson(this.text.toString("utf8"));
  }

  /** The license in the package.json; undefined without one. */
  get license(): string | undefined {
    return pluginDescription(this.text).license;
  }

  /** The package.json as a file of a snapshot. */
  get manifestInput(): Input {
    return input(manifestName, this.text);
  }

  /** The default configuration and the file that has it; empty for a plugin without one. */
  async defaults(): Promise<{ defaults: Readonly<Record<string, unknown>>; inputs: Input[] }> {
    const { config } = this.manifest.slipway;
    if (config === undefined) return { defaults: {}, inputs: [] };
    const { defaults, input: file } = await readDefaults(this.folder, config);
    return { defaults, inputs: [file] };
  }

  /** The files that the plugin brings besides its code, sorted by path. */
  async assets(): Promise<PluginAsset[]> {
    return await listAssets(this.folder, this.manifest);
  }

  /** Throws a `Rejection` for a plugin that the host must not trust. */
  async origin(trust: PluginsConfiguration["trust"]): Promise<Origin> {
    const integrity = await readIntegrity(this.folder);
    const signedBy = requireTrust(this.manifest, integrity, trust);
    const signingKey =
      signedBy === undefined ? undefined : fingerprint(readPublicKey(trust.keys[signedBy] ?? ""));
    if (integrity === undefined) return { signedBy, signingKey };
    const files = Object.entries(integrity.files).map(([path, { sha256: hash }]) => [path, hash] as const);
    return { signedBy, signingKey, signatureKey: integrity.signature?.key, files: new Map(files) };
  }

  /** The code; `endBundler` ends the process that makes it. */
  async bundle(choices?: BundleChoices): Promise<Bundle> {
    return await bundlePlugin(this.folder, this.manifest.slipway.entry, choices);
  }
}

/** Files held in memory concurrently. */
const parallel = 2;

/** The contents of archives and the private copies of signed plugins, below one folder. */
export class PackageFolders {
  /** Folders by the paths of their archives. */
  private readonly unpacked = new Map<string, string>();
  private unpacking = 0;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly root: string,
    private readonly archives: PluginsConfiguration["archives"],
  ) {}

  /** Unpacks a complete archive; returns the folder, whose name is the SHA-256 of the archive, hexadecimal. */
  async unpack(archive: string): Promise<string> {
    // Existing folders may be under removal.
    await this.sweeping;
    this.unpacking += 1;
    try {
      const folder = await unpackedFolder(archive, this.root, archiveLimits(this.archives));
      this.unpacked.set(archive, folder);
      return folder;
    } finally {
      this.unpacking -= 1;
    }
  }

  /** Whether a folder has the content of an archive. */
  hasUnpacked(folder: string): boolean {
    return dirname(folder) === this.root;
  }

  /**
   * Passes a signed plugin to `use` as a private copy with exactly the files of its list, so that other files and later
   * changes have no effect. Unsigned plugins are used in place. Throws a `Rejection` when a file does not match the list,
   * and when the files exceed the limit for archives in total.
   */
  async withSignedCopy<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
    const integrity = await readIntegrity(folder);
    if (integrity?.signature === undefined) return await use(folder);
    const most = archiveLimits(this.archives).bytes;
    const files = Object.entries(integrity.files);
    const bytes = files.reduce((sum, [, { size }]) => sum + size, 0);
    if (bytes > most) throw new Rejection(`its files have more than ${Math.floor(most / 1024 / 1024)} MB`);
    return await withPassingFolder(this.root, async (copy) => {
      await mapConcurrent(files, parallel, async ([path, { size, sha256: hash }]) => {
        const content = await readPluginFile(folder, path, size);
        if (sha256(content) !== hash) throw new Rejection(`${path} does not match ${integrityFile}`);
        await mkdir(dirname(join(copy, path)), { recursive: true });
        await writeFile(join(copy, path), content, { flag: "wx" });
      });
      await writeFile(join(copy, integrityFile), JSON.stringify(integrity), { flag: "wx" });
      return await use(copy);
    });
  }

  /** Removes the contents of all archives but these. Returns the folders that stay. */
  async sweep(archives: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    for (const archive of this.unpacked.keys()) if (!archives.has(archive)) this.unpacked.delete(archive);
    const kept = new Set(this.unpacked.values());
    // An archive that is being unpacked is not in the map yet.
    if (this.unpacking > 0) return kept;
    const removing = removeUnpackedExcept(this.root, kept);
    this.sweeping = removing.catch(() => undefined);
    await removing;
    return kept;
  }
}

/**
 * Packs a folder into an archive: the files with these hashes, and those of its list. `expected`: SHA-256, hexadecimal, by
 * path with "/". Throws a `Rejection` when a file has changed.
 */
export async function packUnchanged(folder: string, expected: ReadonlyMap<string, string>): Promise<Buffer> {
  const integrity = await readIntegrity(folder);
  const listed = Object.entries(integrity?.files ?? {}).map(
    ([path, { sha256: hash }]) => [path, hash] as const,
  );
  const files: PackedFile[] = [];
  for (const [path, hash] of new Map([...expected, ...listed])) {
    const content = await readFile(join(folder, path)).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    if (content === undefined || sha256(content) !== hash)
      throw new Rejection(`${path} has changed since the plugin was staged`);
    files.push({ path, content });
  }
  if (integrity !== undefined)
    files.push({ path: integrityFile, content: await readFile(join(folder, integrityFile)) });
  return writeArchive("package", files);
}

/**
 * Reads the manifest in a plugin's archive. Reads every byte, writes nothing. Throws a `Rejection` for an archive or a
 * manifest that a host would refuse.
 */
export async function manifestOfArchive(
  file: string,
  limits: ArchiveLimits,
  sdkVersion: string,
): Promise<Manifest> {
  await requireArchiveSize(file, limits);
  let manifest = Buffer.alloc(0);
  for await (const { path, kind, size, content } of archiveFiles(file, limits, manifestName)) {
    const isManifest = kind === "file" && path === manifestName;
    if (isManifest && size > largestDescription)
      throw new Rejection(`${manifestName} is larger than ${shownBytes(largestDescription)}`);
    const pieces: Buffer[] = [];
    for await (const piece of content) if (isManifest) pieces.push(piece);
    if (isManifest) manifest = Buffer.concat(pieces);
  }
  return parseManifest(manifest, sdkVersion);
}
