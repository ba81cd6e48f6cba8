/**
 * Puts the built SDK and what it needs at once into few files, dist/packed*.js: loading 600 small files is most of what
 * starting a process costs. Hosts choose them for their processes by the condition "slipway-packed" (see package.json)
 * while they are newer than the build; everybody else imports dist/index.js. What the entries share is in files of its own,
 * so that all of them have the same classes. Also copies what the test kit reads. Plain JavaScript, because it is part
 * of the build.
 */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const dist = join(import.meta.dirname, "dist");
/** Written last: whoever finds it finds the others. */
const packed = join(dist, "packed.js");
/** Sources of the entries by the names of their files. */
const entryPoints = {
  "packed-runtime-host": join(dist, "runtime", "host.js"),
  "packed-runtime-sessions": join(dist, "runtime", "sessions", "index.js"),
  "packed-runtime": join(dist, "runtime", "index.js"),
  packed: join(dist, "index.js"),
};
const chunkName = /^packed-[A-Z0-9]{8}\.js$/;
/** The pricing procedure that every host has, for the test kit. */
const procedure = {
  source: join(import.meta.dirname, "..", "config", "procedures", "STDB2B_WBK.json"),
  copy: join(dist, "testing", "STDB2B_WBK.json"),
};
/** What it is made of: the build, and the packages that were installed. */
const sources = [
  join(dist, ".tsbuildinfo"),
  join(import.meta.dirname, "..", "node_modules", ".slipway-installed"),
];

// Where nothing changed, nothing is written: an installation may belong to somebody else than who starts it.
if (!isCurrent()) await pack();
if (modified(procedure.source) > (modified(procedure.copy) ?? 0))
  copyFileSync(procedure.source, procedure.copy);

function isCurrent() {
  const made = modified(packed);
  return made !== undefined && sources.every((source) => made >= (modified(source) ?? 0));
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

async function pack() {
  const { metafile, outputFiles } = await build({
    metafile: true,
    entryPoints,
    outdir: dist,
    write: false,
    bundle: true,
    splitting: true,
    // Named by their content: a process that has read an old entry still finds what that one imports.
    chunkNames: "packed-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    charset: "utf8",
    legalComments: "none",
    logLevel: "error",
    // Loaded only where files are read or written.
    external: ["archiver", "libxml2-wasm", "xmlbuilder2", "yauzl"],
    // CommonJS packages call `require`, which ES modules do not have.
    banner: {
      js: 'import { createRequire as packedRequire } from "node:module";\nconst require = packedRequire(import.meta.url);',
    },
  });
  writeFileSync(join(dist, "packed-licenses.txt"), licenses(Object.keys(metafile.inputs)));
  // Those that a process may import that starts right now.
  const before = Object.keys(entryPoints).flatMap((name) => importedChunks(join(dist, `${name}.js`)));
  const isEntry = ({ path }) => basename(path, ".js") in entryPoints;
  const chunks = outputFiles.filter((file) => !isEntry(file));
  for (const file of chunks) replaceFile(file);
  for (const name of Object.keys(entryPoints))
    replaceFile(outputFiles.find(({ path }) => basename(path, ".js") === name));
  const needed = new Set([...before, ...chunks.map(({ path }) => basename(path))]);
  for (const name of readdirSync(dist))
    if (chunkName.test(name) && !needed.has(name)) rmSync(join(dist, name));
}

/** Names of the shared files that an entry imports. */
function importedChunks(entry) {
  if (!existsSync(entry)) return [];
  return [...readFileSync(entry, "utf8").matchAll(/"\.\/(packed-[A-Z0-9]{8}\.js)"/g)].map(([, name]) => name);
}

/** Processes may start while this runs. */
function replaceFile({ path, contents }) {
  const unfinished = `${path}-${process.pid}.tmp`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}

/** What the licences of the packages in the file ask for: their text comes along. */
function licenses(inputs) {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      return `${name} ${version}: ${license}\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
    })
    .join("\n\n");
}
