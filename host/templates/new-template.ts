/** Creates the folder of a new template from the starter of the installation. */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { templateKeyPattern } from "@slipway/sdk";
import { installationFolder } from "../system/installation.js";
import { isIgnored } from "./template-folder.js";

const starter = join(installationFolder, "config", "template-starter");
const schema = createRequire(import.meta.url).resolve("@slipway/sdk/schemas/template.schema.json");
const keyPattern = new RegExp(templateKeyPattern);

/**
 * Creates `<folder>/<key>`, ready to serve, and returns its path. `name` is the display name. Rejects with a sentence
 * for users when the key is invalid, and with EEXIST when the folder exists.
 */
export async function newTemplate(folder: string, key: string, name: string): Promise<string> {
  if (!keyPattern.test(key)) {
    throw new Error(
      `"${key}" is no key of a template: expected letters, digits, ".", "_" or "-", at most 80.`,
    );
  }
  if (isIgnored(key))
    throw new Error(`"${key}" is a name of files that tools leave behind; choose another key.`);
  const target = resolve(folder, key);
  await mkdir(folder, { recursive: true });
  await mkdir(target);
  await cp(starter, target, { recursive: true });
  const texts = { SCHEMA: relative(target, schema).split(sep).join("/"), KEY: key, NAME: name };
  for (const path of await readdir(target, { recursive: true })) {
    if (path.endsWith(".json")) await fill(join(target, path), texts);
  }
  return target;
}

/** Replaces JSON strings that are the name of a value. */
async function fill(file: string, values: Readonly<Record<string, string>>): Promise<void> {
  const text = await readFile(file, "utf8");
  const filled = text.replace(/"([A-Z]+)"/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? JSON.stringify(values[name]) : whole,
  );
  await writeFile(file, filled);
}
