/**
 * Bundles the built SDK and its immediate dependencies into few files, dist/packed*.js: loading 600 small files is most
 * of the cost of starting a process. Hosts select them for their processes by the condition "slipway-packed" (see
 * package.json) if they are newer than the build; all other users import dist/index.js. Code shared by the entries is
 * in separate files, so that all of them have the same classes. Also copies the test kit's data. Plain JavaScript,
 * because it is part of the build.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { licenses } from "./bundled-licenses.mjs";
import { isCurrent, modified, replaceFile } from "./files.mjs";

const dist = join(import.meta.dirname, "..", "dist");
/** Written last: if it exists, the others exist too. */
const packed = join(dist, "packed.js");
/** Sources of the entries by file name. */
const entryPoints = {
  "packed-runtime-host": join(dist, "runtime", "host.js"),
  "packed-runtime-pdf": join(dist, "runtime", "pdf.js"),
  "packed-runtime-sessions": join(dist, "runtime", "sessions", "index.js"),
  "packed-runtime": join(dist, "runtime", "index.js"),
  "packed-testing": join(dist, "testing", "index.js"),
  packed: join(dist, "index.js"),
};
const chunkName = /^packed-[A-Z0-9]{8}\.js$/;
/** The pricing procedure of every host, for the test kit. */
const procedure = {
  source: join(import.meta.dirname, "..", "..", "config", "procedures", "STDB2B_WBK.json"),
  copy: join(dist, "testing", "STDB2B_WBK.json"),
};
/** Inputs: this program, the build and the installed packages. */
const sources = [
  import.meta.filename,
  join(dist, ".tsbuildinfo"),
  join(import.meta.dirname, "..", "..", "node_modules", ".slipway-installed"),
];

// Write only changes: the installation may belong to another user.
if (!isCurrent(packed, sources)) await pack();
if (modified(procedure.source) > modified(procedure.copy)) copyFileSync(procedure.source, procedure.copy);

async function pack() {
  const { metafile, outputFiles } = await build({
    metafile: true,
    entryPoints,
    outdir: dist,
    write: false,
    bundle: true,
    splitting: true,
    // Named by content hash: a process that has read an old entry still finds its imports.
    chunkNames: "packed-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    // V8 keeps the loaded text in memory, so it is as short as in the bundles of the host.
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: "none",
    charset: "ascii",
    logLevel: "error",
    // Loaded only when files are read or written.
    external: [
      "@zip.js/zip.js",
      "archiver",
      "libxml2-wasm",
      "pdfjs-dist",
      "puppeteer-core",
      "xmlbuilder2",
      "yauzl",
    ],
    // CommonJS packages call `require`, which ES modules lack.
    banner: {
      js: 'import { createRequire as packedRequire } from "node:module";\nconst require = packedRequire(import.meta.url);',
    },
  });
  writeFileSync(join(dist, "packed-licenses.txt"), licenses(Object.keys(metafile.inputs)));
  // Chunks that a process starting right now may import.
  const before = Object.keys(entryPoints).flatMap((name) => importedChunks(join(dist, `${name}.js`)));
  const isEntry = ({ path }) => basename(path, ".js") in entryPoints;
  const chunks = outputFiles.filter((file) => !isEntry(file));
  const entries = Object.keys(entryPoints).map((name) =>
    outputFiles.find(({ path }) => basename(path, ".js") === name),
  );
  for (const { path, contents } of [...chunks, ...entries]) replaceFile(path, contents);
  const needed = new Set([...before, ...chunks.map(({ path }) => basename(path))]);
  for (const name of readdirSync(dist))
    if (chunkName.test(name) && !needed.has(name)) rmSync(join(dist, name));
}

/** Names of the shared files that an entry imports. */
function importedChunks(entry) {
  if (!existsSync(entry)) return [];
  return [...readFileSync(entry, "utf8").matchAll(/"\.\/(packed-[A-Z0-9]{8}\.js)"/g)].map(([, name]) => name);
}
