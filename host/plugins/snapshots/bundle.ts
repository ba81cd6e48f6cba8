import { pathToFileURL } from "node:url";
import type { BuildFailure, BuildOptions, Message } from "esbuild";
import { Rejection } from "../../system/errors.js";
import type { Input } from "../packages/plugin-files.js";
import { BundleSources } from "./bundle-sources.js";

export interface Bundle {
  /** One ES module; it imports nothing but the SDK and what Node.js brings. */
  code: string;
  /** Exactly what went in, and the package.json files that decided which files those are. */
  inputs: Input[];
}

/** Part of a snapshot's hash: what the same files become changes with it. */
export const bundleFormat = "slipway-bundle-3";

/** Begins the code: CommonJS packages inside a bundle call `require`, which ES modules do not have. */
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
  // A tsconfig somewhere above the folder is no part of the plugin.
  tsconfigRaw: {},
} satisfies BuildOptions;

export interface BundleChoices {
  /** Stacks name files and lines of the sources, by their places on this machine. */
  sourceMap?: boolean;
}

/**
 * Bundles a plugin's entry, a path relative to its folder. Imports come from the plugin's folder first, then from the
 * host's installation, and from nowhere else. Throws a `Rejection` with file, line and column of what esbuild does not
 * understand.
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

/** Sources are not embedded: they are read from their folder when a line is shown. */
function sourceMapOf(root: string): Pick<BuildOptions, "sourcemap" | "sourceRoot" | "sourcesContent"> {
  return { sourcemap: "inline", sourceRoot: `${pathToFileURL(root).href}/`, sourcesContent: false };
}

/** Ends esbuild's own process as soon as nothing is being bundled; the next bundle starts another one. */
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

/** Clients of the host API read it, so it says nothing of where the host lies. */
function shown(file: string): string {
  const packages = file.lastIndexOf("node_modules");
  return file.startsWith("..") && packages >= 0 ? file.slice(packages) : file;
}
