import { pathToFileURL } from "node:url";
import type { BuildFailure, BuildOptions, Message } from "esbuild";
import { Rejection } from "../../system/errors.js";
import type { Input } from "../packages/plugin-files.js";
import { BundleSources } from "./bundle-sources.js";

export interface Bundle {
  /** One ES module that imports only the SDK and Node.js modules. */
  code: string;
  /** The bundled files, and the package.json files that decided which ones. */
  inputs: Input[];
}

/** Part of a snapshot's hash: changes when the same files give another bundle. */
export const bundleFormat = "slipway-bundle-3";

/** Prefix of the code: bundled CommonJS packages call `require`, which ES modules lack. */
export const banner = `import { createRequire as __slipwayRequire } from "node:module";
const require = __slipwayRequire(import.meta.url);`;

const options = {
  outfile: "plugin.mjs",
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node20",
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
  external: ["@slipway/sdk"],
  loader: { ".xsd": "text", ".txt": "text" },
  banner: { js: banner },
  // Ignores a tsconfig above the plugin folder.
  tsconfigRaw: {},
} satisfies BuildOptions;

export interface BundleChoices {
  /** Stacks name files and lines of the sources, by their paths on this machine. */
  sourceMap?: boolean;
}

/**
 * Bundles a plugin's entry, a path relative to its folder. Resolves imports from the plugin folder, then from the
 * host's installation only. Throws a `Rejection` with file, line and column of an error.
 */
export async function bundlePlugin(
  folder: string,
  entry: string,
  { sourceMap = false }: BundleChoices = {},
): Promise<Bundle> {
  const sources = await BundleSources.of(folder);
  const esbuild = await import("esbuild");
  const building = esbuild.build({
    ...options,
    ...(sourceMap && sourceMapOf(sources.root)),
    absWorkingDir: sources.root,
    entryPoints: [`./${entry}`],
    nodePaths: [...sources.hostPackages],
    plugins: [sources.plugin()],
  });
  running.add(building);
  started = true;
  try {
    const { outputFiles } = await building;
    const file = outputFiles.find(({ path }) => path.endsWith(options.outfile));
    if (file === undefined) throw new Rejection("esbuild produced no output for the plugin's entry");
    return { code: file.text, inputs: sources.inputs() };
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
  if (location === null) return text;
  return `${shown(location.file)}:${location.line}:${location.column + 1}: ${text}`;
}

/** Host API clients read the message, so it contains no path of the host. */
function shown(file: string): string {
  const packages = file.lastIndexOf("node_modules");
  return file.startsWith("..") && packages >= 0 ? file.slice(packages) : file;
}
