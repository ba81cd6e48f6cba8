import { build } from "esbuild";

/**
 * Bundles a program as plugins are bundled, so that no compiler is in the memory of its process. `bundle` lies where its packages
 * are found.
 */
export async function bundleProgram(source: string, bundle: string): Promise<void> {
  await build({
    entryPoints: [source],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
}
