/**
 * Bundles the programs of the host into `host/dist`: the command line and its child processes and threads. Loading
 * hundreds of small files dominated the start time. Programs share code in separate chunks. Packages are bundled too,
 * and so is the SDK; external are the dependencies of package.json: packages with native parts or with files of their
 * own, those that few processes need, and those that plugins import. Only the process of a plugin imports the SDK like
 * the plugin does, because both must share the same classes. Plain JavaScript, because it is part of the build.
 */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, normalize, sep } from "node:path";
import { parse } from "acorn";
import { build } from "esbuild";
import { licenses } from "../../sdk/build/bundled-licenses.mjs";

const host = join(import.meta.dirname, "..");
const root = join(host, "..");
const dist = join(host, "dist");
/** Has the time of the bundled sources; written last. */
const bundled = join(dist, "bundled");
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const packages = Object.keys({ ...dependencies, ...optionalDependencies });
/** Parts of the SDK that need files beside them, or that few commands use. */
const outside = ["@slipway/sdk/scaffold", "@slipway/sdk/testing", "libxml2-wasm"];

/**
 * Each program and chunk gets only the used parts of the SDK: for a file that exports others by name, esbuild would keep all of
 * them. Names outside the SDK's interface do no harm here, because types have been checked.
 */
const exportsByFile = {
  name: "exports-by-file",
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]sdk[\\/]dist[\\/](?:runtime[\\/])?(?:\w+[\\/])?(?:index|host|pdf)\.js$/ },
      ({ path }) => ({
        contents: exportingAll(readFileSync(path, "utf8")),
      }),
    );
  },
};

/**
 * The entry of puppeteer-core for bundlers without Node.js: hosts start browsers and open pipes themselves. Its lazily loaded parts
 * (a megabyte) are for other browsers and transports, which Slipway does not use.
 */
const withoutOtherBrowsers = {
  name: "without-other-browsers",
  setup({ onResolve, onLoad }) {
    const folder = join(root, "node_modules", "puppeteer-core");
    const { browser } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    onResolve({ filter: /^puppeteer-core$/ }, () => ({ path: join(folder, browser) }));
    onResolve({ filter: /^/ }, ({ importer, kind, path }) =>
      kind === "dynamic-import" && importer.startsWith(join(folder, sep))
        ? { path, namespace: "left-out" }
        : undefined,
    );
    onLoad({ filter: /^/, namespace: "left-out" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} of puppeteer-core is not in the bundle`)});`,
    }));
  },
};

/** Koa reads the targets of requests as the host does; its own parser is deprecated, and warns on standard error. */
const addressesOfHost = {
  name: "addresses-of-host",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^parseurl$/ }, () => ({ path: "parseurl", namespace: "addresses-of-host" }));
    onLoad({ filter: /^parseurl$/, namespace: "addresses-of-host" }, () => ({
      contents: 'module.exports = require("./http/request-address.js").requestAddress;',
      resolveDir: host,
    }));
  },
};

const options = {
  absWorkingDir: host,
  outbase: host,
  outdir: dist,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  // The UMD builds of some packages cannot be bundled.
  mainFields: ["module", "main"],
  target: "node20",
  // V8 keeps source texts in memory: no comments, no indentation, and no character that would make it keep a whole
  // file with two bytes for each. Lines stay short, so that stacks name useful places.
  minifyWhitespace: true,
  lineLimit: 120,
  legalComments: "none",
  charset: "ascii",
  sourcemap: "linked",
  metafile: true,
  logLevel: "warning",
};

// Writes nothing without changes: an installation may belong to another user.
if (!isCurrent()) await bundle();

async function bundle() {
  const began = new Date();
  const programs = await build({
    ...options,
    entryPoints: [
      "build/built-schemas.ts",
      "cli/slipway.ts",
      "configuration/configuration-file.ts",
      "pdf/finish/finish-in-process.ts",
      "pdf/finish/finish-in-thread.ts",
      "pictures/picture-process.ts",
      "sessions/opening-process.ts",
      "templates/render-process.ts",
    ],
    chunkNames: "chunks/[name]-[hash]",
    plugins: [exportsByFile, withoutOtherBrowsers, addressesOfHost],
    external: [
      ...packages.filter((name) => name !== "@slipway/sdk").flatMap((name) => [name, `${name}/*`]),
      ...outside,
    ],
    // CommonJS packages call `require`, which ES modules lack.
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module";\nconst require = bundleRequire(import.meta.url);',
    },
  });
  const instance = await build({
    ...options,
    entryPoints: ["plugins/instances/child/main.ts"],
    chunkNames: "chunks/[name]-[hash]",
    packages: "external",
  });
  for (const output of Object.keys(programs.metafile.outputs))
    if (output.endsWith(".map")) shortenMap(join(host, output));
  const inputs = Object.keys(programs.metafile.inputs).map((input) => join(host, input));
  writeFileSync(join(dist, "bundled-licenses.txt"), licenses(inputs));
  removeOldFiles(
    new Set([programs, instance].flatMap(({ metafile }) => Object.keys(metafile.outputs).map(normalize))),
  );
  writeFileSync(bundled, "");
  utimesSync(bundled, began, began);
}

/** A copy of a module with `export *` instead of exports by name. */
function exportingAll(module) {
  const { body } = parse(module, { ecmaVersion: "latest", sourceType: "module" });
  let text = "";
  let at = 0;
  for (const { type, start, specifiers, source } of body) {
    const isByName = type === "ExportNamedDeclaration" && source !== null;
    if (!isByName || specifiers.some(({ local, exported }) => local.name !== exported.name)) continue;
    text += `${module.slice(at, start)}export * from `;
    at = source.start;
  }
  return text + module.slice(at);
}

/** The compiler's records change with every source. */
function isCurrent() {
  const made = modified(bundled);
  const records = [
    "node_modules/.cache/tsc/host/.tsbuildinfo",
    "sdk/dist/.tsbuildinfo",
    "node_modules/.slipway-installed",
  ];
  const sources = [...records.map((file) => join(root, file)), import.meta.filename];
  return made !== undefined && sources.every((source) => made >= (modified(source) ?? 0));
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Leaves the texts of packages out of the source maps: they would be most of what users download. */
function shortenMap(file) {
  const map = JSON.parse(readFileSync(file, "utf8"));
  map.sourcesContent = map.sourcesContent.map((content, index) =>
    map.sources[index].includes("/node_modules/") ? null : content,
  );
  writeFileSync(file, JSON.stringify(map));
}

/** Removes bundles of earlier versions of the sources. */
function removeOldFiles(outputs) {
  for (const name of readdirSync(dist, { recursive: true })) {
    const isBundled = /\.js(?:\.map)?$/.test(name) && !name.startsWith("web");
    if (isBundled && !outputs.has(join("dist", name))) rmSync(join(dist, name));
  }
}
