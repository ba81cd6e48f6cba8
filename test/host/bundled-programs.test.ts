/** What the programs of a host are made of, as each of their processes keeps the text of it in memory. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import t from "tap";
import { repository, startHost } from "../start-host.js";

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

t.test("their compiled code is kept where Node.js can, and that of other versions is not", async (t) => {
  const folder = t.testdir();
  const cache = join(folder, "compile-cache");
  mkdirSync(join(cache, "0.0.1", "v22"), { recursive: true, mode: 0o700 });
  const start = async () => {
    const host = await startHost({ var: folder });
    t.equal((await fetch(`${host.url}/readyz`)).status, 200);
    await host.stop();
  };
  await start();
  if (!("enableCompileCache" in nodeModule)) return t.strictSame(readdirSync(cache), ["0.0.1"]);
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  t.strictSame(readdirSync(cache), [version]);
  const kept = readdirSync(join(cache, version), { recursive: true });
  t.ok(kept.length > 20, `${kept.length} files are kept`);
  await start();
  t.ok(existsSync(cache));
});
