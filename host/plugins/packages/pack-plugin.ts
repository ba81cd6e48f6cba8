import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ArchiveFormat } from "../../system/archives/archive-format.js";
import { DistinctPaths, pathProblem } from "../../system/archives/entry-path.js";
import { type PackedFile, writeArchive } from "../../system/archives/write-archive.js";
import { commonFile, replaceSynced } from "../../system/durable-files.js";
import { Rejection } from "../../system/errors.js";
import { fingerprint, readPrivateKey } from "../../system/signing-keys.js";
import { sha256 } from "../plugin-files.js";
import { endBundler } from "./bundle.js";
import { type Integrity, integrityFile, signed } from "./integrity.js";
import type { Manifest } from "./manifest.js";
import { PluginPackage, readAsset } from "./plugin-package.js";

interface PackOptions {
  /** Version of the SDK that the plugin must support. */
  sdkVersion: string;
  /** A file or an existing folder; default: the working folder. */
  out?: string | undefined;
  /** File with the private key that signs the file list. */
  key?: string | undefined;
}

/** A packed archive. */
interface PackedPlugin {
  file: string;
  files: number;
  /** Size of the archive. */
  bytes: number;
  sha256: string;
  /** Fingerprint of the key. */
  signedBy?: string;
}

const entry = "plugin.mjs";
const documents = /^(?:readme|licen[cs]e|changelog)(?:\.(?:md|txt))?$/i;

/**
 * Packs a plugin into an archive: its bundle, which needs no `node_modules`, with default configuration, documents and
 * the file list. Throws a `Rejection` when a host would refuse the plugin for its manifest or sources.
 */
export async function packPlugin(
  folder: string,
  { sdkVersion, out, key: keyFile }: PackOptions,
): Promise<PackedPlugin> {
  const key = keyFile === undefined ? undefined : await readKey(keyFile);
  const plugin = await PluginPackage.read(folder, sdkVersion);
  const { manifest } = plugin;
  const files = [
    packageFile(plugin),
    { path: entry, content: await bundle(plugin) },
    ...(await otherFiles(plugin)),
  ];
  requireDistinct(files);
  const list: Integrity = { format: 1, files: Object.fromEntries(files.map(listed)) };
  const integrity = key === undefined ? list : signed(manifest, list, key);
  const archive = writeArchive("package", [...files, { path: integrityFile, content: asJson(integrity) }]);
  const file = await placeOf(manifest, out);
  await replaceSynced(file, archive, { mode: commonFile });
  return {
    file,
    files: files.length + 1,
    bytes: archive.length,
    sha256: sha256(archive),
    ...(key === undefined ? {} : { signedBy: fingerprint(key) }),
  };
}

/** The archive name that `npm pack` would choose, with the ending of the format. */
export function archiveName(
  { name, version }: Pick<Manifest, "name" | "version">,
  format: ArchiveFormat = "tgz",
): string {
  return `${name.replace(/^@/, "").replaceAll(/[^A-Za-z0-9._-]/g, "-")}-${version}.${format}`;
}

async function readKey(file: string): Promise<ReturnType<typeof readPrivateKey>> {
  const text = await readFile(file, "utf8");
  try {
    return readPrivateKey(text);
  } catch {
    throw new Error(`${file} is not a private Ed25519 key (PKCS8, PEM); "slipway plugin key" makes one.`);
  }
}

/** The package.json without members that only the build needs. The bundle is always an ES module. */
function packageFile({ manifest, about }: PluginPackage): PackedFile {
  const { name, version, engines, slipway } = manifest;
  const content = { name, version, ...about, type: "module", engines, slipway: { ...slipway, entry } };
  return { path: "package.json", content: asJson(content) };
}

async function bundle(plugin: PluginPackage): Promise<Buffer> {
  try {
    const { code, map = "" } = await plugin.bundle({ packed: true });
    const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`;
    return Buffer.from(`${code}${comment}\n`);
  } finally {
    await endBundler();
  }
}

/** A default configuration or a document may be an asset, too. */
async function otherFiles(plugin: PluginPackage): Promise<PackedFile[]> {
  const { folder } = plugin;
  const files = [...(await configFile(plugin)), ...(await documentFiles(folder))];
  const taken = new Set(files.map(({ path }) => path));
  for (const asset of await plugin.assets())
    if (!taken.has(asset.path)) files.push({ path: asset.path, content: await readAsset(folder, asset) });
  return files;
}

async function configFile(plugin: PluginPackage): Promise<PackedFile[]> {
  const { folder, manifest } = plugin;
  const { config } = manifest.slipway;
  if (config === undefined) return [];
  await plugin.defaults(); // for its error messages
  const path = config.replace(/^\.\//, "");
  return [{ path, content: await readFile(join(folder, config)) }];
}

async function documentFiles(folder: string): Promise<PackedFile[]> {
  const files: PackedFile[] = [];
  for (const name of (await readdir(folder)).filter((each) => documents.test(each))) {
    const file = join(folder, name);
    if ((await stat(file)).isFile()) files.push({ path: name, content: await readFile(file) });
  }
  return files;
}

/** Refuses paths that a host would refuse to unpack: the default configuration may have any name. */
function requireDistinct(files: readonly PackedFile[]): void {
  const paths = new DistinctPaths();
  paths.add(integrityFile, "file");
  for (const { path } of files) {
    const problem = pathProblem(path) ?? paths.add(path, "file");
    if (problem !== undefined) throw new Rejection(`the path ${JSON.stringify(path)} ${problem}`);
  }
}

function listed({ path, content }: PackedFile): [string, Integrity["files"][string]] {
  return [path, { size: content.length, sha256: sha256(content) }];
}

function asJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}

async function placeOf(manifest: Manifest, out = "."): Promise<string> {
  const place = resolve(out);
  const isFolder = await stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (isFolder) return join(place, archiveName(manifest));
  if (out.endsWith("/") || !/\.(?:tgz|tar\.gz)$/.test(basename(place))) {
    throw new Error(`${out} is neither an existing folder nor a file name that ends with .tgz.`);
  }
  return place;
}
