/** The rules for folders and files on the page of the architecture, for imports of host, SDK and plugins, and for those of tests. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import t from "tap";
import ts from "typescript";
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

/**
 * Folders with one door: a file with the name of the folder, the only one that files outside of the folder import. Tests
 * may import all files.
 */
const doors = [
  "host/eaiws",
  "host/engine/postgresql",
  "host/fetch",
  "host/files",
  "host/jobs",
  "host/pdf",
  "host/pdf/fonts",
  "host/pictures",
  "host/plugins/administration",
  "host/plugins/configuration",
  "host/plugins/deployment",
  "host/plugins/fleet",
  "host/plugins/installation",
  "host/plugins/instances",
  "host/plugins/packages",
  "host/plugins/permissions",
  "host/plugins/routes",
  "host/plugins/schedules",
  "host/plugins/session-hooks",
  "host/plugins/snapshots",
  "host/plugins/sources",
  "host/sessions",
  "host/soap",
  "host/system/confinement",
  "host/templates",
];

const files = ["host", "plugins", "sdk"].flatMap(sourcesBelow);
const imports = files.flatMap((file) => importsOf(file).map((to) => ({ from: file, to })));

/** What a file imports, also as types or when needed. */
function namesIn(file: string): string[] {
  const source = readFileSync(join(repository, file), "utf8");
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
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

t.test("folders are imported through their doors", (t) => {
  for (const folder of doors) {
    const isInside = (file: string) => file.startsWith(`${folder}/`);
    const name = `${folder}/${basename(folder)}`;
    const door = files.find((file) => file === `${name}.ts` || file === `${name}.tsx`);
    t.ok(door, `${folder} has a file with its name`);
    const inner = doors.filter((other) => other.startsWith(`${folder}/`));
    // The build compiles schemas of several folders.
    const isOther = (from: string) => !isInside(from) && !from.startsWith("host/build/");
    const others = imports.filter(
      ({ from, to }) =>
        isOther(from) && isInside(to) && to !== door && !inner.some((other) => to.startsWith(`${other}/`)),
    );
    t.strictSame(others, [], `${folder} is imported through this file`);
  }
  t.end();
});

/** One place of the sources needs another one; `step` says which import is the reason. */
interface Step {
  from: string;
  to: string;
  step: string;
}

/** The steps of rings among places, at most one ring for each place. */
function ringsAmong(steps: readonly Step[]): string[][] {
  const below = new Map<string, Map<string, string>>();
  for (const { from, to, step } of steps)
    if (from !== to) below.set(from, (below.get(from) ?? new Map<string, string>()).set(to, step));
  const done = new Set<string>();
  const ringFrom = (place: string, way: readonly string[], passed: readonly string[]): readonly string[] => {
    if (way.includes(place)) return passed.slice(way.indexOf(place));
    if (done.has(place)) return [];
    for (const [next, step] of below.get(place) ?? []) {
      const ring = ringFrom(next, [...way, place], [...passed, step]);
      if (ring.length > 0) return ring;
    }
    done.add(place);
    return [];
  };
  return [...below.keys()].map((place) => [...ringFrom(place, [], [])]).filter((ring) => ring.length > 0);
}

t.test("files form no ring", (t) => {
  t.strictSame(ringsAmong(imports.map(({ from, to }) => ({ from, to, step: `${from} -> ${to}` }))), []);
  t.end();
});

/**
 * Files of one folder count as one place, except the few on which its subfolders build: those are a separate place, below
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
  const steps = imports.map(({ from, to }) => {
    const [one, other] = [placeOf(from), placeOf(to)];
    return { from: one, to: other, step: `${one}: ${basename(from)} -> ${other}: ${basename(to)}` };
  });
  t.strictSame(ringsAmong(steps), []);
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
