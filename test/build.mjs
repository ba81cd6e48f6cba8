/**
 * Bundles each test, and each program that tests start as a process of its own, into a file of `test/dist`, which starts in a
 * fraction of the time that loading its sources takes. What asks for its own address there gets that of its source. With
 * `--watch` it stays and builds after each change. Plain JavaScript, because it is part of the build.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { context, transform } from "esbuild";
// Tests load the packed SDK (see .taprc); that of before a change would hide it.
import "../sdk/build/pack.mjs";

const root = join(import.meta.dirname, "..");
const dist = join(import.meta.dirname, "dist");

/** Their names in `test/dist`, and their sources. */
const programs = {
  "config/generate-demo": "config/demo/generator/generate-demo.ts",
  "host/browser-owner": "test/host/browser-owner.ts",
  "host/engine-writer": "test/host/engine-writer.ts",
  "host/limited-staging": "test/host/limited-staging.ts",
};

// What tests have left there (see .taprc).
rmSync(join(root, ".tap", "fixtures"), { recursive: true, force: true });

const building = await context({
  absWorkingDir: root,
  entryPoints: { ...testFiles(), ...programs },
  outdir: dist,
  bundle: true,
  // The SDK is a package, too: tests and what they test have the same classes.
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  charset: "utf8",
  sourcemap: "linked",
  sourcesContent: false,
  loader: { ".xsd": "text" },
  metafile: true,
  logLevel: "warning",
  plugins: [
    { name: "own-addresses", setup: keepAddresses },
    { name: "old-files", setup: removeOldFiles },
  ],
});
await building.rebuild();
if (process.argv.includes("--watch")) await building.watch();
else await building.dispose();

function testFiles() {
  const names = ["browser", "host", "plugins", "release", "sdk", "templates"].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  return Object.fromEntries(names.map((name) => [name.slice(0, -".ts".length), join("test", name)]));
}

/** Fixtures and files of the repository lie beside the sources. */
function keepAddresses({ onLoad }) {
  onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const source = readFileSync(path, "utf8");
    if (!source.includes("import.meta.")) return undefined;
    const { code } = await transform(source, {
      loader: "ts",
      target: "es2022",
      charset: "utf8",
      sourcefile: path,
      sourcemap: "inline",
      sourcesContent: false,
      define: {
        "import.meta.url": JSON.stringify(pathToFileURL(path).href),
        "import.meta.dirname": JSON.stringify(join(path, "..")),
        "import.meta.filename": JSON.stringify(path),
      },
    });
    return { contents: code, loader: "js" };
  });
}

function removeOldFiles({ onEnd }) {
  onEnd(({ metafile }) => {
    if (metafile === undefined) return;
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (entry.isFile() && !(relative(root, path) in metafile.outputs)) rmSync(path);
    }
  });
}
