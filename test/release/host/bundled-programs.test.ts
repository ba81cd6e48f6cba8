/** What the programs of a host are made of, as each of their processes keeps the text of it in memory. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import t from "tap";
import { repository, startHost } from "../../start-host.js";

/** Paths of the JavaScript files of a built folder. */
function programs(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => wanted.test(name))
    .map((name) => join(folder, name));
}

/** What a file loads: each time, and when needed too. */
const loads = {
  always: /\b(?:from|import)\s*"(\.[^"]+\.js)"/g,
  ever: /\b(?:from|import)\s*\(?"(\.[^"]+\.js)"/g,
};

/** The files with those that they load. What an earlier build has left is not among them. */
function withLoaded(files: readonly string[], when: keyof typeof loads): string[] {
  const all = new Set(files);
  for (const file of all)
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(loads[when]))
      all.add(join(dirname(file), name));
  return [...all];
}

t.test("programs are kept with one byte for each character, and without comments", async (t) => {
  const files = [
    ...programs(join(repository, "host", "dist"), /^(?!web).*\.js$/),
    ...withLoaded(programs(join(repository, "sdk", "dist"), /^packed(?:-[a-z-]+)?\.js$/), "ever"),
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

t.test("programs load what they need, not all of the SDK", async (t) => {
  const loaded = (program: string): string =>
    withLoaded([join(repository, "host", "dist", program)], "always")
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
  const opening = loaded("sessions/opening-process.js");
  const rendering = loaded("templates/render-process.js");
  const command = loaded("cli/slipway.js");
  const readers = /function readObx\(/;
  t.match(opening, readers, "projects are read where they are opened");
  t.notMatch(rendering, readers, "templates read no project files");
  const schemas = /ajv\/dist/;
  t.match(rendering, schemas);
  t.notMatch(command, schemas, "help needs no schemas");
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
