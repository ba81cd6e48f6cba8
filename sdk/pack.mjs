/**
 * Puts the built SDK and what it needs at once into one file, dist/packed.js: loading 600 small files is most of what
 * starting a process costs. Hosts choose it for their processes by the condition "slipway-packed" (see package.json)
 * while it is newer than the build; everybody else imports dist/index.js. Plain JavaScript, because it is part of the
 * build.
 */
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const dist = join(import.meta.dirname, "dist");
const packed = join(dist, "packed.js");
const unfinished = join(dist, `packed-${process.pid}.tmp`);
/** What it is made of: the build, and the packages that were installed. */
const sources = [
  join(dist, ".tsbuildinfo"),
  join(import.meta.dirname, "..", "node_modules", ".slipway-installed"),
];

// Where nothing changed, nothing is written: an installation may belong to somebody else than who starts it.
if (!isCurrent()) await pack();

function isCurrent() {
  const made = modified(packed);
  return made !== undefined && sources.every((source) => made >= (modified(source) ?? 0));
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

async function pack() {
  const { metafile } = await build({
    metafile: true,
    entryPoints: [join(dist, "index.js")],
    outfile: unfinished,
    bundle: true,
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
  // Processes may start while this runs.
  renameSync(unfinished, packed);
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
