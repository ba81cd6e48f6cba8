/** What the programs of a host are made of, as each of their processes keeps the text of it in memory. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t from "tap";
import { repository } from "../start-host.js";

/** Paths of the JavaScript files of a built folder. */
function programs(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => wanted.test(name))
    .map((name) => join(folder, name));
}

/** The files with those that they import. What an earlier build has left is not among them. */
function withImports(files: readonly string[]): string[] {
  const all = new Set(files);
  for (const file of all)
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/"\.\/(packed-[A-Z0-9]{8}\.js)"/g))
      all.add(join(dirname(file), name));
  return [...all];
}

t.test("programs are kept with one byte for each character, and without comments", async (t) => {
  const files = [
    ...programs(join(repository, "host", "dist"), /^(?!web).*\.js$/),
    ...withImports(programs(join(repository, "sdk", "dist"), /^packed(?:-[a-z-]+)?\.js$/)),
  ];
  t.ok(files.length > 20, `there are ${files.length} files`);
  const texts = files.map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const wide = /[^\0-\xff]/;
  t.strictSame(
    texts.filter(({ text }) => wide.test(text)).map(({ file }) => file),
    [],
    "a character above U+00FF makes V8 keep the whole file with two bytes for each",
  );
  t.strictSame(
    texts.filter(({ text }) => /^\s*(?:\/\/ (?!#)|\/\*\*)/m.test(text)).map(({ file }) => file),
    [],
    "comments are left out",
  );
});
