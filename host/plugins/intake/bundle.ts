import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildFailure, Message } from "esbuild";
import { Rejection } from "./rejection.js";

export interface Bundle {
  /** One ES module; it imports nothing but the SDK and what Node.js brings. */
  code: string;
  /** The files that it was made of, relative to the plugin's folder. */
  inputs: string[];
}

/** Part of a snapshot's hash: what the same files become changes with it. */
export const bundleFormat = "slipway-bundle-2";

/** CommonJS packages inside a bundle call `require`, which ES modules do not have. */
const banner = `import { createRequire as __slipwayRequire } from "node:module";
const require = __slipwayRequire(import.meta.url);`;

/**
 * Bundles a plugin's entry. Imports come from the plugin's folder first, then from the host's installation. Throws a
 * `Rejection` with file, line and column of what esbuild does not understand.
 */
export async function bundlePlugin(folder: string, entry: string): Promise<Bundle> {
  const esbuild = await import("esbuild");
  running = true;
  try {
    const result = await esbuild.build({
      absWorkingDir: folder,
      entryPoints: [entry],
      outfile: "plugin.mjs",
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node20",
      charset: "utf8",
      legalComments: "none",
      logLevel: "silent",
      external: ["@slipway/sdk"],
      loader: { ".xsd": "text", ".txt": "text" },
      nodePaths: hostPackages(),
      banner: { js: banner },
      // A tsconfig somewhere above the folder is no part of the plugin.
      tsconfigRaw: {},
    });
    const [file] = result.outputFiles;
    if (file === undefined) throw new Rejection("esbuild made nothing of the plugin's entry");
    return { code: file.text, inputs: Object.keys(result.metafile.inputs) };
  } catch (error) {
    throw isBuildFailure(error) ? new Rejection(describeFailure(error)) : error;
  }
}

/** Ends esbuild's own process; the next bundle starts another one. */
export async function endBundler(): Promise<void> {
  if (!running) return;
  running = false;
  const esbuild = await import("esbuild");
  await esbuild.stop();
}

let running = false;

/** The `node_modules` folders that the host itself resolves its packages from. */
function hostPackages(): string[] {
  const found: string[] = [];
  let folder = dirname(fileURLToPath(import.meta.url));
  while (dirname(folder) !== folder) {
    folder = dirname(folder);
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) found.push(packages);
  }
  return found;
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function describeFailure(failure: BuildFailure): string {
  return failure.errors.slice(0, 5).map(describeMessage).join("; ");
}

function describeMessage({ text, location }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
}
