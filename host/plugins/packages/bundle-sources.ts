/** Resolves and reads the files of a bundle. Each file is read once, so that hash and bundle have the same content. */
import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import type { OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import { Turns } from "../../system/concurrency.js";
import { errorCode, errorMessage } from "../../system/errors.js";
import { builtFolder, packageFolders } from "../../system/installation.js";
import { type Input, isBelow, openFiles, placedIn, readContent, sha256 } from "../plugin-files.js";

/** Marks resolve calls of this file. */
const ownQuestion = Symbol("own question");

/** Package names except the SDK, which is external and imported by nearly every file: each call costs time. */
const packageNames = /^(?:[^./@]|@[^s]|@s[^l]|@sl[^i]|@sli[^p])/;

/** Size limit of all files of one bundle. */
const mostBytes = 256 * 1024 * 1024;

/** Namespace of required packages that are not installed. */
const missing = "missing";

/** Namespace of the SDK, where CommonJS requires it. */
const requiredSdk = "required-sdk";
const sdkName = /^@slipway\/sdk(?:\/|$)/;
/** What the SDK has besides ES modules. */
const otherThanModules = /^@slipway\/sdk\/(?:schemas\/|validators\/|package\.json$)/;

/** A package imported by a file of the plugin itself. */
export interface ImportedPackage {
  /** The first file that imports it, relative to the plugin folder. */
  importer: string;
  /** The plugin does not bring it: the host's copy is used. */
  isHosts: boolean;
}

/** The files of one bundle, restricted to the plugin folder and the host's packages. */
export class BundleSources {
  readonly imported = new Map<string, ImportedPackage>();
  /** Modules of Node.js that files of the plugin itself import, such as "fs/promises", each with the first file. */
  readonly modules = new Map<string, string>();
  private readonly hashes = new Map<string, string>();
  private readonly descriptions = new Map<string, Promise<void>>();
  /** Whether a package folder exists, by path. */
  private readonly packages = new Map<string, boolean>();
  private readonly turns = new Turns();
  private reads = 0;
  private bytes = 0;

  private constructor(
    /** The plugin folder without symbolic links. */
    readonly root: string,
    /** The `node_modules` folders from which the host resolves its packages. */
    readonly hostPackages: readonly string[],
    private readonly mapsPackages: boolean,
  ) {}

  /** `mapsPackages`: source maps cover packages, too, and follow those that files name. */
  static async of(folder: string, { mapsPackages }: { mapsPackages: boolean }): Promise<BundleSources> {
    const hostPackages = await Promise.all(packageFolders().map((each) => realpath(each)));
    return new BundleSources(await realpath(folder), hostPackages, mapsPackages);
  }

  /** The esbuild plugin. */
  plugin(): Plugin {
    return {
      name: "sources",
      setup: (build) => {
        build.onResolve({ filter: packageNames }, (args) => this.resolve(build, args));
        build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => this.load(path));
        build.onResolve({ filter: sdkName }, resolveSdk);
        build.onLoad({ filter: /.*/, namespace: requiredSdk }, ({ path }) => importedSdk(path));
        build.onLoad({ filter: /.*/, namespace: missing }, ({ path }) => missingPackage(path));
      },
    };
  }

  /** The files read so far, sorted by path. */
  inputs(): Input[] {
    const inputs = [...this.hashes].map(([path, hash]) => ({
      path: placedIn(this.root, path),
      sha256: hash,
    }));
    return inputs.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /**
   * A package above the plugin folder counts only if it is the host's; otherwise the host's own package is used. Where
   * esbuild's result is right, esbuild resolves it itself, because it knows more about a package than a result can
   * express.
   */
  private async resolve(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
    const { path, kind, importer, resolveDir, pluginData } = args;
    if (pluginData === ownQuestion || isAbsolute(path)) return;
    if (isBuiltin(path)) return this.noteModule(path.replace(/^node:/, ""), importer);
    if (kind === "require-call" && isInPackage(importer) && !this.isInstalled(path, resolveDir)) {
      return { path, namespace: missing };
    }
    if (this.isHosts(importer)) return;
    const question = { kind, importer, pluginData: ownQuestion };
    const found = await build.resolve(path, { ...question, resolveDir });
    this.noteImport(path, importer, found.path);
    if (found.external || found.namespace !== "file" || this.isOurs(found.path)) return;
    const ofHost = await build.resolve(path, { ...question, resolveDir: builtFolder });
    if (ofHost.errors.length > 0 || !this.isOurs(ofHost.path)) {
      const text = `${JSON.stringify(path)} is neither in the plugin's own node_modules nor a package of the host`;
      return { errors: [{ text }] };
    }
    return { path: ofHost.path, sideEffects: ofHost.sideEffects };
  }

  private noteModule(name: string, importer: string): undefined {
    if (!isInPackage(importer) && !this.modules.has(name))
      this.modules.set(name, placedIn(this.root, importer));
  }

  private noteImport(path: string, importer: string, found: string): void {
    const name = packageName(path);
    if (/^[.#/]/.test(path) || isInPackage(importer) || this.imported.has(name)) return;
    const isHosts = !isBelow(this.root, found);
    this.imported.set(name, { importer: placedIn(this.root, importer), isHosts });
  }

  /**
   * Checks only for the package folder; esbuild reports problems of its content. Names with `#` are internal to a
   * package.
   */
  private isInstalled(path: string, resolveDir: string): boolean {
    if (path.startsWith("#")) return true;
    const name = packageName(path);
    for (let folder = resolveDir; ; folder = dirname(folder)) {
      if (this.hasPackage(join(folder, "node_modules", name))) return true;
      if (dirname(folder) === folder) break;
    }
    return this.hostPackages.some((folder) => this.hasPackage(join(folder, name)));
  }

  private hasPackage(folder: string): boolean {
    const has = this.packages.get(folder) ?? existsSync(folder);
    this.packages.set(folder, has);
    return has;
  }

  private async load(path: string): Promise<OnLoadResult> {
    if (!this.isOurs(path)) return problem(`${basename(path)} lies outside of the plugin's folder`);
    try {
      const [contents] = await Promise.all([this.read(path), this.describe(dirname(path))]);
      return { contents: this.mapsPackages ? contents : withOwnMapOnly(path, contents), loader: "default" };
    } catch (error) {
      return problem(`${basename(path)} cannot be read: ${code(error)}`);
    }
  }

  /** The package.json files up to the package root decide how its files are read. */
  private async describe(folder: string): Promise<void> {
    if (folder === this.root || basename(folder) === "node_modules") return;
    const described = this.descriptions.get(folder) ?? this.describeNow(folder);
    this.descriptions.set(folder, described);
    await described;
  }

  private async describeNow(folder: string): Promise<void> {
    await this.describe(dirname(folder));
    await this.read(join(folder, "package.json")).catch((error: unknown) => {
      if (code(error) !== "ENOENT") throw error;
    });
  }

  /** A file imported in two ways is read twice. */
  private async read(path: string): Promise<Buffer> {
    this.reads += 1;
    const content = await this.turns.take(String(this.reads % openFiles), async () => {
      await this.requireReadable(path);
      return await readContent(path);
    });
    const hash = sha256(content);
    const before = this.hashes.get(path);
    if (before !== undefined && before !== hash) throw new Error("it changed while it was read");
    this.hashes.set(path, hash);
    return content;
  }

  /** Reading a pipe would block forever, and the size is limited for the memory of the host. */
  private async requireReadable(path: string): Promise<void> {
    const found = await stat(path);
    if (!found.isFile()) throw new Error("it is not a file");
    this.bytes += found.size;
    if (this.bytes > mostBytes) throw new Error(`the sources have more than ${mostBytes / 1024 / 1024} MB`);
  }

  private isOurs(path: string): boolean {
    return isBelow(this.root, path) || this.isHosts(path);
  }

  private isHosts(path: string): boolean {
    return this.hostPackages.some((folder) => isBelow(folder, path));
  }
}

function packageName(path: string): string {
  return path.split("/", path.startsWith("@") ? 2 : 1).join("/");
}

const mapComment = "sourceMappingURL=";
/** The last one of a file counts. */
const emptyMap = Buffer.from(
  `\n//# ${mapComment}data:application/json;base64,${Buffer.from('{"version":3,"sources":[],"mappings":""}').toString("base64")}`,
);

/**
 * esbuild would read any file that a comment names, even a device. Packages need no map: their authors do not read the
 * stacks.
 */
function withOwnMapOnly(path: string, contents: Buffer): Buffer {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return contents;
  const at = contents.lastIndexOf(mapComment) + mapComment.length;
  const hasForeignMap = at >= mapComment.length && contents.toString("latin1", at, at + 5) !== "data:";
  return hasForeignMap || isInPackage(path) ? Buffer.concat([contents, emptyMap]) : contents;
}

function isInPackage(importer: string): boolean {
  return importer.split(sep).includes("node_modules");
}

/** A package may probe for optional packages with `require`; it gets the error of Node.js for a missing one. */
function missingPackage(name: string): OnLoadResult {
  const message = JSON.stringify(`Cannot find module '${name}'`);
  return { contents: `throw Object.assign(new Error(${message}), { code: "MODULE_NOT_FOUND" });` };
}

/**
 * `require` of the SDK becomes an import: Node.js would warn of an ES module that is required, and not all of its versions
 * can. So each plugin has the same SDK, however its files ask for it.
 */
function resolveSdk({ path, kind }: OnResolveArgs): OnResolveResult | undefined {
  if (kind !== "require-call" || otherThanModules.test(path)) return undefined;
  return { path, namespace: requiredSdk, sideEffects: false };
}

function importedSdk(name: string): OnLoadResult {
  return { contents: `export * from ${JSON.stringify(name)};` };
}

/** For clients: without paths of the host. */
function code(error: unknown): string {
  return errorCode(error) ?? errorMessage(error);
}

function problem(text: string): OnLoadResult {
  return { errors: [{ text }] };
}
