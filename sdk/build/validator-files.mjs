/**
 * Writes the validation code of schemas as CommonJS modules: compiling them takes up to half a second of CPU time at the
 * start of every process. Plain JavaScript, because it is part of the build.
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { isCurrent, replaceFile } from "./files.mjs";

/**
 * Writes `<name>.cjs`, which stops at the first error of a value, and `<name>-mistakes.cjs`, which finds all, unless they
 * are newer than `built`. `schemas` loads them by name.
 */
export async function writeValidators({ folder, built, schemas }) {
  // Written last.
  const complete = join(folder, "complete");
  if (isCurrent(complete, [built])) return;
  const { validatorCode } = await import("../dist/schema/validator-code.js");
  const began = new Date();
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(await schemas())) {
    const { quick, thorough } = validatorCode(schema);
    await writeModule(join(folder, `${name}-mistakes.cjs`), thorough);
    await writeModule(join(folder, `${name}.cjs`), quick);
  }
  writeFileSync(complete, "");
  utimesSync(complete, began, began);
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
  replaceFile(file, outputFiles[0].contents);
}
