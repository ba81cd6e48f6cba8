/** Writes schemas of the code to JSON Schema files. Plain JavaScript, because it is part of the build. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isCurrent, modified, replaceFile } from "./files.mjs";

/**
 * Writes the JSON Schema files of a package from the schemas in its code; unchanged ones are not written, because the
 * installation may belong to another user.
 *
 * @param {object} options
 * @param {string} options.dist Folder of the compiled package.
 * @param {string} options.built Name of the file in it that every build of changed sources writes.
 * @param {{ file: string, module: string, name: string }[]} options.sources The files, and the exports of modules in
 * `dist` that they come from.
 */
export async function writeSchemas({ dist, built, sources }) {
  // Its time is that of the last check, because most builds change no schema.
  const looked = join(dist, "schemas-written");
  const inputs = [join(dist, built), import.meta.filename, ...sources.map(({ file }) => file)];
  if (sources.every(({ file }) => modified(file) > 0) && isCurrent(looked, inputs)) return;
  const began = new Date();
  for (const { file, module, name } of sources) {
    const { [name]: schema } = await import(pathToFileURL(join(dist, module)).href);
    const text = `${JSON.stringify(standalone(schema), undefined, 2)}\n`;
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, text);
  }
  writeFileSync(looked, "");
  utimesSync(looked, began, began);
}

/** A standalone schema: referenced definitions are under `$defs`, without ids. */
function standalone(schema) {
  const { $defs: definitions = {}, $ref: root, title, description, ...rest } = plain(schema);
  const { [root?.slice("#/$defs/".length)]: main = {}, ...others } = definitions;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    description,
    ...rest,
    ...main,
    ...(Object.keys(others).length === 0 ? {} : { $defs: others }),
  };
}

/**
 * A copy with references as pointers, because the code refers to ids, and without `required` for members with a
 * default, because the code fills those in before validation.
 */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const kept = keyword(key, member, value);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

/** Converts a member of a schema for the file. Properties may be named like keywords, but their values are objects. */
function keyword(key, member, schema) {
  if (typeof member === "string" && key === "$id") return undefined;
  if (typeof member === "string" && key === "$ref")
    return member.startsWith("#") ? member : `#/$defs/${member}`;
  if (Array.isArray(member) && key === "required") {
    const asked = member.filter((name) => schema.properties?.[name]?.default === undefined);
    return asked.length === 0 ? undefined : asked;
  }
  return plain(member);
}
