/**
 * Writes the validation code of projects into `dist`: compiling their schema takes half a second of CPU time at the
 * start of every host. Plain JavaScript, because it is part of the build.
 */
import { renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const dist = join(import.meta.dirname, "dist");
const validator = join(dist, "project", "project-validator.cjs");

if (!(modified(validator) >= modified(join(dist, ".tsbuildinfo")))) await write();

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function write() {
  const { ProjectDocument } = await import("./dist/project/document.js");
  const { validatorCode } = await import("./dist/validator-code.js");
  const { quick, thorough } = validatorCode(ProjectDocument);
  await writeModule(join(dist, "project", "project-mistakes.cjs"), thorough);
  // Last, because its age is used for both.
  await writeModule(validator, quick);
}

async function writeModule(file, contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    write: false,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  const unfinished = `${file}-${process.pid}.tmp`;
  writeFileSync(unfinished, outputFiles[0].contents);
  renameSync(unfinished, file);
}
