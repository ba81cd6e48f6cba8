/** The rules for folders on the page of the architecture, for every import of host, SDK and plugins, and for what tests import. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import t from "tap";
import { sourcesBelow } from "../documentation/sources.js";
import { repository } from "../start-host.js";

/** Folders of the host from top to bottom; one imports those of its own row and of the rows below. */
const layers = [
  ["build"],
  ["cli", "web", "api", "eaiws"],
  ["http"],
  [
    "plugins",
    "templates",
    "pdf",
    "pictures",
    "engine",
    "sessions",
    "files",
    "jobs",
    "idempotency",
    "fetch",
    "soap",
  ],
  ["security", "configuration", "observability"],
  ["system"],
];

const files = ["host", "plugins", "sdk"].flatMap(sourcesBelow);
const imports = files.flatMap((file) => importsOf(file).map((to) => ({ from: file, to })));

/** What a file imports, also as types or when needed. */
function namesIn(file: string): string[] {
  const source = readFileSync(join(repository, file), "utf8");
  return [...source.matchAll(/\b(?:from|import|import\() ?"([^"]+)"/g)].map(([, name = ""]) => name);
}

/** What a file imports by relative paths, as files of the repository. */
function importsOf(file: string): string[] {
  const relative = namesIn(file).filter((name) => name.startsWith("."));
  return relative.flatMap((path) => {
    const target = join(dirname(file), path);
    const sources = [target.replace(/\.js$/, ".ts"), target.replace(/\.js$/, ".tsx")];
    return files.find((each) => sources.includes(each)) ?? (path.includes("pdfjs/") ? [] : [target]);
  });
}

/** "sdk", "plugins/oex", "host/pdf", or "host" for what puts a host together. */
function partOf(file: string): string {
  const [first = "", second = "", ...deeper] = file.split("/");
  return first === "sdk" || deeper.length === 0 ? first : `${first}/${second}`;
}

t.test("arrows between parts point down", (t) => {
  t.ok(imports.length > 2000);
  const layerOf = (part: string) =>
    layers.findIndex((names) => names.some((name) => part === `host/${name}`));
  const wrong = imports.filter(({ from, to }) => {
    const [one, other] = [partOf(from), partOf(to)];
    if (one === other) return false;
    // The command line starts a host; otherwise nothing knows what puts it together.
    if (other === "host") return !(one === "host/cli" && to === "host/host.ts");
    if (!one.startsWith("host")) return true;
    return other === "sdk" || !other.startsWith("host/") || (one !== "host" && layerOf(other) < layerOf(one));
  });
  t.strictSame(wrong, []);
  const folders = new Set(files.map(partOf).filter((part) => part.startsWith("host/")));
  t.strictSame([...folders].map((part) => part.slice("host/".length)).sort(), layers.flat().sort());
  t.end();
});

t.test("only what puts the host together lies loose in its folder", (t) => {
  const loose = readdirSync(join(repository, "host"), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const allowed = ["README.md", "app.ts", "architecture.md", "host.ts", "parts.ts", "tsconfig.json"];
  t.strictSame(loose.sort(), allowed);
  t.end();
});

/**
 * Files of one folder count as one place, but for the few that its subfolders rest on: those are a place of their own, below
 * the subfolders.
 */
t.test("folders form no ring", (t) => {
  const foundations = new Set(
    imports.filter(({ from, to }) => dirname(from).startsWith(`${dirname(to)}/`)).map(({ to }) => to),
  );
  for (const file of foundations)
    for (const { from, to } of imports)
      if (from === file && dirname(to) === dirname(from)) foundations.add(to);
  const placeOf = (file: string) => `${dirname(file)}${foundations.has(file) ? " (foundation)" : ""}`;
  const below = new Map<string, Map<string, string>>();
  for (const { from, to } of imports) {
    const [one, other] = [placeOf(from), placeOf(to)];
    if (one === other) continue;
    const others = below.get(one) ?? new Map<string, string>();
    below.set(one, others.set(other, `${one}: ${basename(from)} -> ${other}: ${basename(to)}`));
  }
  const done = new Set<string>();
  const ringFrom = (place: string, way: readonly string[], steps: readonly string[]): readonly string[] => {
    if (way.includes(place)) return steps.slice(way.indexOf(place));
    if (done.has(place)) return [];
    for (const [next, step] of below.get(place) ?? []) {
      const ring = ringFrom(next, [...way, place], [...steps, step]);
      if (ring.length > 0) return ring;
    }
    done.add(place);
    return [];
  };
  for (const place of below.keys()) t.strictSame(ringFrom(place, [], []), [], place);
  t.end();
});

/** Such a file may be gone with the next version of its package, which would have to wait. */
t.test("nothing imports what a package keeps to itself", (t) => {
  const all = [...files, ...sourcesBelow("test")];
  const ofPackages = all.flatMap((file) =>
    namesIn(file)
      .filter((name) => !name.startsWith("."))
      .map((name) => ({ file, name })),
  );
  t.ok(ofPackages.some(({ name }) => name === "puppeteer-core"));
  t.strictSame(
    ofPackages.filter(({ name }) => name.split("/").includes("internal")),
    [],
  );
  t.end();
});

/** All others know only what users know: the package of the SDK, HTTP and the command line. */
t.test("tests of a part by itself say why", (t) => {
  const parts = /^(host|plugins|sdk)\//;
  const tests = sourcesBelow("test").filter((file) => !file.startsWith("test/fixtures/"));
  const inside = tests.filter((file) => importsOf(file).some((to) => parts.test(to)));
  t.ok(inside.length > 20);
  for (const file of inside) {
    const comment = /^(?:\/\*\*.*?\*\/)?/s.exec(readFileSync(join(repository, file), "utf8"))?.[0] ?? "";
    const words = comment.replaceAll(/\s+(\* )?/g, " ");
    t.match(words, /\b(tested by itself|uses the part itself)\b/i, `${file}: its first comment`);
  }
  t.end();
});
