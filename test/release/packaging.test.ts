/** The packages that npm makes of this tree: complete, free of what nobody needs, and running elsewhere. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import ts from "typescript";
import { type EndedCommand, runCommand } from "../run-command.js";
import { repository, startHost } from "../start-host.js";
import { shippedTemplates } from "../templates/shipped-templates.js";
import { addDependencies, type InstalledPackage, installPackage, packageAt } from "./installed-packages.js";
import { consumerMistakes, pluginMistakes } from "./sdk-consumer.js";

/** Of new plugins, in the SDK: files that are no part of it, and have packages of their own. */
const starter = "scaffold/starter";
const plainStarter = "dist/scaffold/starter-javascript";
const isOfStarter = (file: string): boolean => file.startsWith(starter) || file.startsWith(plainStarter);

let elsewhere: string;
let host: InstalledPackage;
let sdk: InstalledPackage;

t.before(async () => {
  elsewhere = await realpath(await mkdtemp(join(tmpdir(), "slipway-packages-")));
  [sdk, host] = await Promise.all([installPackage("sdk", elsewhere), installPackage(".", elsewhere)]);
  const ofPlugins = (await importsOf(host))
    .filter(({ file, name }) => file.startsWith("plugins/") && host.dependencies.includes(name))
    .map(({ name }) => name);
  await addDependencies([sdk, host], elsewhere, new Set(ofPlugins.filter((name) => name !== "@slipway/sdk")));
});
t.teardown(() => rm(elsewhere, { recursive: true, force: true }));

const slipway = (...parameters: string[]): Promise<EndedCommand> =>
  runCommand(parameters, { folder: elsewhere, ...(host.program && { program: host.program }) });

t.test("the packages hold what a host and a plugin need, and nothing of the development", async (t) => {
  const needed = [
    ...["README.md", "LICENSE", "CHANGELOG.md", "host/README.md", "host/dist/cli/slipway.js"],
    ...[
      "config/slipway.json",
      "config/slipway.schema.json",
      "config/procedures/STDB2B_WBK.json",
      "config/demo/demo-project.obk",
    ],
    ...["config/template-starter/report.ejs", "host/dist/web/index.html", "host/dist/bundled-licenses.txt"],
    ...["config/deployment/README.md", "config/deployment/slipway.service", "config/deployment/Dockerfile"],
    ...["plugins/reporter/package.json", "plugins/oex/index.ts", "templates/quote/report.ejs"],
  ];
  t.strictSame(
    needed.filter((file) => !host.files.includes(file)),
    [],
  );
  const ofSdk = ["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/packed.js"];
  const ofStarter = ["package.json", "gitignore", "tsconfig.json", "index.ts", "test/plugin.test.ts"];
  const ofPlainStarter = ["package.json", "README.md", "index.js", "test/plugin.test.js"];
  t.strictSame(
    [
      ...ofSdk,
      ...ofStarter.map((file) => `${starter}/${file}`),
      ...ofPlainStarter.map((file) => `${plainStarter}/${file}`),
      ...["dist/packed-licenses.txt", "schemas/report-data.schema.json", "schemas/template.schema.json"],
    ].filter((file) => !sdk.files.includes(file)),
    [],
  );
  const own = [...host.files, ...sdk.files].filter((file) => !isOfStarter(file));
  const unwanted = own.filter((file) =>
    /(^|\/)(test|var|node_modules|\.[^/]*|[^/]*tsconfig\.json|[^/]*\.test\.[^/]*|[^/]*\.tmp)(\/|$)/.test(
      file,
    ),
  );
  t.strictSame(unwanted, []);
  t.ok(
    // Of a build over an older one, both generations of the packed files are there.
    sdk.size < 1_700_000 && host.size < 6_000_000,
    `${sdk.size} and ${host.size} bytes are no large packages`,
  );
});

t.test(
  "npm would publish each package for everybody, with its page and licence, and corrects nothing",
  async (t) => {
    const published = ["sdk", "sdk/create", "."].map(async (workspace) => {
      const cwd = join(repository, workspace);
      const parameters = ["publish", "--dry-run", "--json", "--offline", "--ignore-scripts"];
      const { stdout, stderr } = await promisify(execFile)("npm", parameters, {
        cwd,
        maxBuffer: 16 * 1024 ** 2,
      });
      t.notMatch(stderr, /correct|npm pkg fix|npm error/, workspace);
      for (const file of ["README.md", "LICENSE", "package.json"])
        t.match(stdout, `"path": "${file}"`, workspace);
      const manifest: unknown = JSON.parse(await readFile(join(cwd, "package.json"), "utf8"));
      t.match(
        manifest,
        { description: /\w/, license: "MIT", publishConfig: { access: "public" } },
        workspace,
      );
      t.notMatch(manifest, { private: true }, workspace);
      t.match(manifest, { keywords: [/^\w+$/, /^\w+$/] }, workspace);
    });
    await Promise.all(published);
  },
);

t.test("every import of a packed file is in its package or declared by it", async (t) => {
  for (const each of [host, sdk]) {
    const imports = await importsOf(each);
    t.ok(imports.length > 100, "imports were found");
    const missing = imports.filter((one) => !isThere(each, one));
    t.strictSame(missing, []);
  }
});

t.test("source maps hold the sources that are not in the packages", async (t) => {
  for (const each of [host, sdk]) {
    const incomplete: string[] = [];
    for (const file of each.files.filter((name) => name.endsWith(".js"))) {
      const text = await readFile(join(each.folder, file), "utf8");
      const map = /^\/\/# sourceMappingURL=(.*)$/m.exec(text)?.[1];
      if (map === undefined || map.startsWith("data:")) continue;
      const path = join(dirname(file), map);
      const content = each.files.includes(path) ? await readFile(join(each.folder, path), "utf8") : "{}";
      if (!/"sourcesContent":\s*\[/.test(content)) incomplete.push(file);
    }
    t.strictSame(incomplete, []);
  }
});

t.test("what the SDK's page links to is in its package", async (t) => {
  const page = await readFile(join(sdk.folder, "README.md"), "utf8");
  const links = [...page.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, file = ""]) => file);
  t.ok(links.length > 3, "there are links");
  t.strictSame(
    links.filter((file) => !sdk.files.includes(file) && file !== "README.md"),
    [],
  );
});

t.test("an author's project compiles with the SDK alone, however it resolves modules", async (t) => {
  t.strictSame(await consumerMistakes(sdk), [[], [], []]);
});

t.test(
  "the spreadsheet plugin needs nothing of a host: it builds with the packed SDK, elsewhere",
  async (t) => {
    const folder = join(elsewhere, "spreadsheet");
    await cp(join(repository, "plugins", "spreadsheet"), folder, { recursive: true });
    const plugin = await packageAt(folder);
    const imports = await importsOf(plugin);
    t.ok(imports.length > 100, "imports were found");
    t.strictSame(
      imports.filter((each) => each.name !== "@slipway/sdk" && !isThere(plugin, each)),
      [],
    );
    t.strictSame(await pluginMistakes(folder), []);
    const packed = await slipway("plugin", "pack", folder, "--out", elsewhere);
    t.equal(packed.code, 0, packed.output + packed.errors);
    t.match(packed.output.trim(), join(elsewhere, "slipway-plugin-spreadsheet-1.0.0.tgz"));
  },
);

t.test("installed elsewhere it checks itself, prints, exports and serves", async (t) => {
  const check = await slipway("check", "--port", "0");
  t.equal(check.code, 0, check.output + check.errors);
  t.ok(check.output.includes(join(elsewhere, "var")), "var lies in the working folder");
  t.match(check.output, `${(await shippedTemplates()).length} templates serving`);
  t.match(check.output, /3 plugins serving/);

  const project = join(host.folder, "config", "demo", "demo-project.obk");
  const report = await slipway("report", project, "--template", "quote");
  t.equal(report.code, 0, report.errors);
  const pdf = report.output.trim();
  t.match(await readFile(pdf, "latin1"), /^%PDF-/);

  const started = await startHost({
    ...(host.program && { program: host.program }),
    var: join(elsewhere, "var"),
  });
  t.teardown(() => started.stop());
  const ready = await fetch(`${started.url}/readyz`);
  t.equal(ready.status, 200, await ready.text());
  const session = await post(`${started.url}/api/sessions`, await readFile(project));
  t.type(session["sessionId"], "string");
  const body = JSON.stringify({ sessionId: session["sessionId"] });
  const exported = await post(`${started.url}/EAIWS/plugins/oex/export`, body);
  const document = await fetch(String(exported["url"]));
  t.match(await document.text(), /^<\?xml/);
  t.equal(await started.stop(), 0);
  t.notOk(existsSync(join(host.folder, "var")), "nothing is written into the installation");
});

async function post(url: string, body: string | Buffer): Promise<Record<string, unknown>> {
  const type = typeof body === "string" ? "application/json" : "application/octet-stream";
  const answer = await fetch(url, { method: "POST", headers: { "Content-Type": type }, body });
  const content: Record<string, unknown> = JSON.parse(await answer.text());
  return content;
}

interface Import {
  file: string;
  imported: string;
  /** The package in what is imported. */
  name: string;
}

/** What Node.js and esbuild load; pages for browsers get their modules from addresses, and packed.js from esbuild. */
async function importsOf({ folder, files }: InstalledPackage): Promise<Import[]> {
  const code = files.filter(
    (file) =>
      /\.[cm]?[jt]s$/.test(file) &&
      !/^dist\/packed[^/]*\.js$|^host\/dist\/web\//.test(file) &&
      !isOfStarter(file),
  );
  const found = code.map(async (file) => {
    const text = await readFile(join(folder, file), "utf8");
    return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => ({
      file,
      imported: fileName,
      name: fileName.split("/", fileName.startsWith("@") ? 2 : 1).join("/"),
    }));
  });
  return (await Promise.all(found)).flat();
}

/** Whether what a file of a package imports comes with the package, with Node.js, or with a package that it declares. */
function isThere(
  { files, dependencies, peers }: InstalledPackage,
  { file, imported, name }: Import,
): boolean {
  if (!imported.startsWith(".")) return isBuiltin(imported) || [...dependencies, ...peers].includes(name);
  const path = join(dirname(file), imported);
  const written = [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".d.ts")];
  return written.some((each) => files.includes(each));
}
