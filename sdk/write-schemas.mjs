/**
 * Writes the JSON Schema files of `schemas/` from the schemas in the code, for editors and for whoever reads or makes
 * such files without this SDK. They are committed: where they say what the code says, nothing is written. With
 * `--check` nothing is ever written, and a difference is an error. Plain JavaScript, because it is part of the build.
 */
import { existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const dist = join(import.meta.dirname, "dist");
const schemas = join(import.meta.dirname, "schemas");
/** Where a schema is, and the file that it is written to. */
const sources = [
  { file: "report-data.schema.json", module: "report-data/report-data.js", name: "ReportData" },
  { file: "template.schema.json", module: "template-file.js", name: "TemplateFile" },
];

/** As old as the last look at the build: most builds change nothing. */
const looked = join(dist, "schemas-written");
const onlyCheck = process.argv.includes("--check");

if (onlyCheck || !isCurrent()) await compareAll();

function isCurrent() {
  const last = modified(looked);
  const written = sources.map(({ file }) => modified(join(schemas, file)));
  return (
    last !== undefined &&
    last >= (modified(join(dist, ".tsbuildinfo")) ?? 0) &&
    last >= (modified(import.meta.filename) ?? 0) &&
    written.every((time) => time !== undefined && last >= time)
  );
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

async function compareAll() {
  const began = new Date();
  for (const { file, module, name } of sources) {
    const { [name]: schema } = await import(`./dist/${module}`);
    const path = join(schemas, file);
    const text = `${JSON.stringify(standalone(schema), undefined, 2)}\n`;
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    if (onlyCheck) differs(path);
    else write(path, text);
  }
  if (onlyCheck) return;
  writeFileSync(looked, "");
  utimesSync(looked, began, began);
}

function differs(path) {
  process.stderr.write(
    `${relative(process.cwd(), path)} is not what the code says; "npm run build" writes it.\n`,
  );
  process.exitCode = 1;
}

function write(path, text) {
  const unfinished = `${path}-${process.pid}.tmp`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

/** A schema as a file of its own: what its references name is under `$defs`, and nothing has an id. */
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
 * A copy in which references are pointers, because the code names what it means by an id, and what has a default is
 * not required, because the code fills it in before it asks.
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

/** A member of a schema as the file has it. Properties may have the names of keywords, but their values are objects. */
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
