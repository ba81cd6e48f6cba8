import { pathToFileURL } from "node:url";
import type { BuildFailure, BuildOptions, Message } from "esbuild";
import { Rejection } from "../../system/errors.js";
import type { Input } from "../plugin-files.js";
import { BundleSources, type ImportedPackage } from "./bundle-sources.js";

export interface Bundle {
  /** One ES module that imports only the SDK and Node.js modules. */
  code: string;
  /** Source map of the code for the plugin's own files, without their content; undefined in development. */
  map: string | undefined;
  /** The bundled files, and the package.json files that decided which ones. */
  inputs: Input[];
  /** The packages that the plugin's own files import, by name. */
  packages: ReadonlyMap<string, ImportedPackage>;
  /** The modules of Node.js that the plugin's own files import, such as "fs/promises", each with the first file. */
  modules: ReadonlyMap<string, string>;
}

/** Part of a snapshot's hash: changes when the same files give another bundle. */
export const bundleFormat = "slipway-bundle-6";

/** Prefix of the code: bundled CommonJS packages call `require`, which ES modules lack. */
const banner = `import { createRequire as __slipwayRequire } from "node:module";
const require = __slipwayRequire(import.meta.url);`;

const options = {
  outfile: "plugin.mjs",
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node20",
  // One other character would make V8 keep the whole plugin with two bytes for each.
  charset: "ascii",
  legalComments: "none",
  logLevel: "silent",
  external: ["@slipway/sdk"],
  loader: { ".xsd": "text", ".txt": "text" },
  // Ignores a tsconfig above the plugin folder.
  tsconfigRaw: {},
} satisfies BuildOptions;

/** V8 keeps the text of a plugin as long as it runs. Lines stay short, so that stacks name useful places. */
const served = {
  minifyWhitespace: true,
  lineLimit: 120,
  sourcemap: "external",
  sourcesContent: false,
} satisfies BuildOptions;

export interface BundleChoices {
  /** The code contains a source map of all files, by their paths on this machine. */
  development?: boolean;
  /** The host will bundle the code again. */
  packed?: boolean;
}

/**
 * Bundles a plugin's entry, a path relative to its folder. Resolves imports from the plugin folder, then from the
 * host's installation only. Throws a `Rejection` with file, line and column of an error.
 */
export async function bundlePlugin(
  folder: string,
  entry: string,
  { development = false, packed = false }: BundleChoices = {},
): Promise<Bundle> {
  const sources = await BundleSources.of(folder, { mapsPackages: development });
  const esbuild = await import("esbuild");
  const building = esbuild.build({
    ...options,
    ...(!packed && { banner: { js: banner } }),
    ...(development ? sourceMapOf(sources.root) : served),
    absWorkingDir: sources.root,
    entryPoints: [`./${entry}`],
    nodePaths: [...sources.hostPackages],
    plugins: [sources.plugin()],
  });
  running.add(building);
  started = true;
  try {
    const { outputFiles } = await building;
    const written = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text;
    const code = written(options.outfile);
    if (code === undefined) throw new Rejection("esbuild produced no output for the plugin's entry");
    const map = written(`${options.outfile}.map`);
    return { code, map, inputs: sources.inputs(), packages: sources.imported, modules: sources.modules };
  } catch (error) {
    throw isBuildFailure(error) ? new Rejection(describeFailure(error)) : error;
  } finally {
    running.delete(building);
  }
}

/** Sources are not embedded; they are read from their folder. */
function sourceMapOf(root: string): Pick<BuildOptions, "sourcemap" | "sourceRoot" | "sourcesContent"> {
  return { sourcemap: "inline", sourceRoot: `${pathToFileURL(root).href}/`, sourcesContent: false };
}

/** Ends esbuild's process once no bundle is running; the next bundle starts a new one. */
export async function endBundler(): Promise<void> {
  if (!started) return;
  const esbuild = await import("esbuild");
  while (running.size > 0) await Promise.allSettled(running);
  started = false;
  await esbuild.stop();
}

const running = new Set<Promise<unknown>>();
let started = false;

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function describeFailure(failure: BuildFailure): string {
  return failure.errors.slice(0, 5).map(describeMessage).join("; ");
}

function describeMessage({ text, location }: Message): string {
  const isNative = text.startsWith('No loader is configured for ".node" files');
  const what = isNative
    ? "native modules (.node) cannot be part of a plugin; choose a package without"
    : text;
  return location === null
    ? what
    : `${shown(location.file)}:${location.line}:${location.column + 1}: ${what}`;
}

/** Host API clients read the message, so it contains no path of the host. */
function shown(file: string): string {
  const packages = file.lastIndexOf("node_modules");
  return file.startsWith("..") && packages >= 0 ? file.slice(packages) : file;
}
