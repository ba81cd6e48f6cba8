/** The folder of a plugin: its manifest, and what this names: default configuration, assets, code. */
import { dirname, join } from "node:path";
import { AssetError, type AssetFile, findAssets } from "@slipway/sdk/runtime/host";
import type { TrustedKeys } from "../../configuration/plugins-configuration.js";
import { pathProblem } from "../../system/archives/entry-path.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { makeFolder, syncFolder, writeSynced } from "../../system/durable-files.js";
import { errorMessage, Rejection } from "../../system/errors.js";
import { isJsonObject, parsedJson } from "../../system/json.js";
import { fingerprint, readPublicKey } from "../../system/signing-keys.js";
import {
  type Input,
  input,
  isSystemError,
  largestDescription,
  readPluginFile,
  sha256,
} from "../plugin-files.js";
import type { PluginAsset } from "../plugin-state.js";
import { type Bundle, type BundleChoices, bundlePlugin } from "./bundle.js";
import { readIntegrity, requireTrust } from "./integrity.js";
import {
  type Manifest,
  manifestName,
  type PluginDescription,
  parseManifest,
  pluginDescription,
  readPackage,
} from "./manifest.js";

/** Files held in memory concurrently. */
const parallel = 2;

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

  /** The description and the license in the package.json. */
  get about(): PluginDescription {
    return pluginDescription(this.text);
  }

  /** The package.json as a file of a snapshot. */
  get manifestInput(): Input {
    return input(manifestName, this.text);
  }

  /** The default configuration and the file that has it; empty for a plugin without one. Throws a `Rejection`. */
  async defaults(): Promise<{ defaults: Readonly<Record<string, unknown>>; inputs: Input[] }> {
    const { config } = this.manifest.slipway;
    if (config === undefined) return { defaults: {}, inputs: [] };
    const content = await readDefaults(this.folder, config);
    const defaults = parse(config, content.toString("utf8"));
    if (!isJsonObject(defaults))
      throw new Rejection(`the default configuration ${config} is not a JSON object`);
    return { defaults, inputs: [input(config, content)] };
  }

  /**
   * The files that the plugin brings besides its code, sorted by path. Throws a `Rejection` that names the glob or file.
   */
  async assets(): Promise<PluginAsset[]> {
    const files = await foundFiles(this.folder, this.manifest.slipway);
    return await mapConcurrent(files, parallel, async ({ path, bytes }) => {
      const content = await readPluginFile(this.folder, path, bytes);
      return { path, bytes: content.length, sha256: sha256(content) };
    });
  }

  /** Throws a `Rejection` for a plugin that the host must not trust. */
  async origin(trust: TrustedKeys): Promise<Origin> {
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

async function readDefaults(folder: string, file: string): Promise<Buffer> {
  return await readPluginFile(folder, file, largestDescription).catch((error: unknown) => {
    const isThere = error instanceof Rejection && error.cause === undefined;
    throw isThere
      ? error
      : new Rejection(`the default configuration ${file} cannot be read`, { cause: error });
  });
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Rejection(`${file} is not valid JSON: ${errorMessage(error)}`);
  }
}
