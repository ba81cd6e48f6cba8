/**
 * The documentation is right: its commands and snippets run as printed, its tables are those of the code. Uses the part
 * itself where a page is compared with the schemas and readers of the code, which nothing public exports.
 */
import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import * as sdk from "@slipway/sdk";
import t from "tap";
import { slipwayProgram } from "../../host/cli/program.js";
import { flags } from "../../host/configuration/flags.js";
import { resolveConfiguration } from "../../host/configuration/resolve-configuration.js";
import { SpokenTexts } from "../../host/templates/localized-template.js";
import { readStoreIndex } from "../../host/templates/stores/store-index.js";
import { readTemplateDefinition } from "../../host/templates/template-definition.js";
import { templateHelpers } from "../../host/templates/template-helpers.js";
import { ExportConfiguration, PluginSettings } from "../../plugins/oex/configuration/export-configuration.js";
import { PluginSettings as ReporterSettings } from "../../plugins/reporter/plugin-settings.js";
import { ExportRequest } from "../../plugins/spreadsheet/request/export-request.js";
import { programCommands } from "../documentation/commands.js";
import { configurationRows, memberDefaults, memberRows } from "../documentation/configuration-table.js";
import { memberTables } from "../documentation/data-members.js";
import { likeErrorIds, raisedErrors } from "../documentation/error-ids.js";
import { anchors, ownLinks, type Page, quotedWords, readPage, section } from "../documentation/pages.js";
import { comparable, hasProgram, runCommands, runModule } from "../documentation/run-page.js";
import { checkZip } from "../foreign-zip-reader.js";
import { commandLine, repository, type StartedHost, startHost } from "../start-host.js";

const documentedPlugins = join(repository, "test", "fixtures", "plugins", "documented");

const templatePages = Object.fromEntries(
  readdirSync(join(repository, "templates"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map(({ name }) => [name, readPage(`templates/${name}/README.md`)]),
);

const pages = {
  project: readPage("README.md"),
  changes: readPage("CHANGELOG.md"),
  contributing: readPage(".github/CONTRIBUTING.md"),
  security: readPage(".github/SECURITY.md"),
  host: readPage("host/README.md"),
  architecture: readPage("host/architecture.md"),
  configuration: readPage("host/configuration/README.md"),
  access: readPage("host/security/README.md"),
  admin: readPage("host/web/admin/README.md"),
  metrics: readPage("host/observability/metrics/README.md"),
  tracing: readPage("host/observability/tracing/README.md"),
  errors: readPage("host/errors/README.md"),
  deployment: readPage("config/deployment/README.md"),
  hotPlugins: readPage("host/plugins/README.md"),
  commandLine: readPage("host/cli/README.md"),
  sdk: readPage("sdk/README.md"),
  tutorial: readPage("sdk/tutorial.md"),
  concepts: readPage("sdk/concepts.md"),
  sdkChanges: readPage("sdk/CHANGELOG.md"),
  plugins: readPage("plugins/README.md"),
  reporter: readPage("plugins/reporter/README.md"),
  oex: readPage("plugins/oex/README.md"),
  spreadsheet: readPage("plugins/spreadsheet/README.md"),
  reportData: readPage("sdk/report-data/README.md"),
  templates: readPage("templates/README.md"),
  definition: readPage("templates/definition.md"),
  layout: readPage("templates/layout.md"),
  standard: readPage("templates/_standard/README.md"),
  articles: readPage("templates/_articles/README.md"),
  store: readPage("host/templates/stores/README.md"),
  ...templatePages,
};

/**
 * The one command of templates is that of the command line's page with another key, and prints what their own tests print. The guide
 * of plugins has a test of its own.
 */
const printedElsewhere = [...Object.values(templatePages), pages.tutorial, pages.concepts];

/** Most of their commands run a host themselves, so they run beside those of the other pages. */
const withOwnHosts = [pages.commandLine, pages.templates, pages.store, pages.oex, pages.sdk];

/** Example of an index, among the blocks of its page. */
const storeIndex = "store/index.json";

/** `project` stands for the folder in which the pages tell to run commands. */
const root = t.testdir({ project: { node_modules: { ".bin": {} }, "my-plugins": {} }, "my-templates": {} });
const folder = join(root, "project");
symlinkSync(commandLine, join(folder, "node_modules", ".bin", "slipway"));
for (const name of ["config", "plugins"]) symlinkSync(join(repository, name), join(folder, name));

let host: StartedHost;
t.before(async () => {
  // What is added goes into the first one.
  const plugins = [join(folder, "my-plugins"), join(repository, "plugins"), documentedPlugins];
  host = await startHost({ plugins });
});
t.teardown(() => host.stop());

const missing = ["bash", "curl", "npx"].filter((program) => !hasProgram(program));
const skip = missing.length > 0 && `this machine lacks ${missing.join(", ")}`;

t.test("commands of the pages run as printed and answer what the pages say", { skip }, async (t) => {
  const others = Object.values(pages).filter(
    (each) => ![...withOwnHosts, ...printedElsewhere].includes(each),
  );
  const runInOrder = async (pagesToRun: Page[]): Promise<void> => {
    for (const page of pagesToRun) {
      for (const { block, output, documented } of await runCommands(page, host.url, folder)) {
        if (documented !== undefined)
          t.strictSame(comparable(JSON.parse(output)), comparable(documented), page.path);
        else t.notMatch(output, /"code":\d+,"id":/, `${page.path}: ${block.content}`);
      }
    }
  };
  await Promise.all([runInOrder(withOwnHosts), runInOrder(others)]);
  const session: unknown = JSON.parse(readFileSync(join(folder, "session.json"), "utf8"));
  const documented = pages.plugins.blocks.find((block) => block.name === "session.json");
  t.strictSame(comparable(session), comparable(JSON.parse(documented?.content ?? "")));
  for (const file of ["angebot.pdf", "quote.pdf", "list.pdf"]) t.ok(begins(file, "%PDF-"), file);
  t.ok(begins("orders/order.xml", "<?xml"));
});

t.test("npx, which stands for itself in the commands above, finds the program", { skip }, async (t) => {
  const block = { language: "sh", name: "", content: "command npx slipway --version" };
  const [ran] = await runCommands({ path: "", text: "", blocks: [block] }, host.url, folder);
  t.match(ran?.output, /^\d+\.\d+\.\d+$/);
});

t.test("pages of templates tell how to print them", async (t) => {
  const options = programCommands(await slipwayProgram()).get("slipway report FILE") ?? [];
  for (const [key, { path, blocks }] of Object.entries(templatePages)) {
    for (const { content } of blocks.filter(({ language }) => language === "sh")) {
      t.match(content, `npx slipway report config/demo/demo-project.obk --template ${key} --locale `, path);
      for (const [option] of content.matchAll(/--[a-z-]+/g)) t.ok(options.includes(option), path);
    }
  }
});

t.test("the client of the page runs as printed", async (t) => {
  const client = pages.plugins.blocks.find(({ name }) => name === "client.mjs");
  const written = await runModule(client?.content ?? "", host.url, folder);
  t.strictSame(written.trim().split("\n"), ["offer.pdf", "order.zip"], "it prints the names of its files");
  t.ok(begins("offer.pdf", "%PDF-"));
  await checkZip(await readFile(join(folder, "order.zip")));
});

t.test("the check of webhooks of the page works as printed", async (t) => {
  const check = pages.plugins.blocks.find(({ name }) => name === "webhook.mjs");
  const path = join(folder, "webhook.mjs");
  writeFileSync(path, check?.content ?? "");
  const { isGenuine } = await import(pathToFileURL(path).href);
  const key = randomBytes(32);
  const secret = `whsec_${key.toString("base64")}`;
  const sent = (body: string, seconds: number) => {
    const time = String(Math.floor(Date.now() / 1000) - seconds);
    const signature = createHmac("sha256", key).update(`msg_1.${time}.${body}`).digest("base64");
    return {
      "webhook-id": "msg_1",
      "webhook-timestamp": time,
      "webhook-signature": `v1,b3RoZXI= v1,${signature}`,
    };
  };
  t.ok(isGenuine(sent("{}", 0), "{}", secret));
  t.notOk(isGenuine(sent("{}", 0), "{ }", secret), "another body");
  t.notOk(isGenuine(sent("{}", 0), "{}", `whsec_${randomBytes(32).toString("base64")}`), "another secret");
  t.notOk(isGenuine(sent("{}", 600), "{}", secret), "sent long ago");
});

t.test("each module of the pages is run", (t) => {
  const modules = Object.values(pages).flatMap(({ blocks }) =>
    blocks.filter(({ language }) => language === "js").map(({ name }) => name),
  );
  // The first one belongs to the tutorial, which has a test for itself.
  t.strictSame(modules, ["stock/index.js", "webhook.mjs", "client.mjs"]);
  t.end();
});

t.test("the template of the page is the one that its command makes", { skip }, (t) => {
  const files = pages.templates.blocks.filter((block) => block.name.startsWith("packing-list/"));
  t.equal(files.length, 4);
  for (const { name, content } of files)
    t.equal(content, readFileSync(join(root, "my-templates", name), "utf8"), name);
  t.end();
});

t.test("the plugin of the page is the one that runs here", (t) => {
  const files = pages.sdk.blocks.filter((block) => block.name.startsWith("greeting/"));
  t.equal(files.length, 5);
  for (const { name, content } of files)
    t.equal(content, readFileSync(join(documentedPlugins, name), "utf8"), name);
  t.end();
});

t.test("the test of the page runs as its command says", async (t) => {
  const greeting = join(documentedPlugins, "greeting");
  const run = spawn(process.execPath, ["--import", "tsx", "--test", "test.ts"], {
    cwd: greeting,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(run.stdout), once(run, "exit")]);
  t.equal(code, 0, output);
  t.match(output, /pass 3/);
});

t.test("links lead to files and headings", (t) => {
  for (const page of Object.values(pages)) {
    for (const { file, anchor } of ownLinks(page)) {
      const target = file === "" ? page.path : join(dirname(page.path), file);
      t.ok(existsSync(join(repository, target)), `${page.path}: ${file}`);
      if (anchor !== "") t.ok(anchors(readPage(target)).includes(anchor), `${page.path}: ${file}#${anchor}`);
    }
  }
  t.end();
});

t.test("contributors are told of files and scripts that there are", (t) => {
  const { text } = pages.contributing;
  const manifest: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(repository, "package.json"), "utf8"),
  );
  const scripts = [...text.matchAll(/(?:^|`)npm (?:run )?([a-z:]+)/gm)].map(([, name = ""]) => name);
  t.ok(scripts.length > 10);
  for (const name of scripts) t.ok(name in manifest.scripts, `npm run ${name}`);
  // The one that they make has no other name.
  const files = [...text.matchAll(/\b(?:config|host|plugins|sdk|templates|test)\/[\w./-]*\w/g)]
    .map(([file]) => file)
    .filter((file) => file !== "templates/price-list");
  t.ok(files.length > 20);
  for (const file of files) t.ok(existsSync(join(repository, file)), file);
  t.end();
});

t.test("settings, flags and examples of configuration are those of the code", (t) => {
  t.strictSame(tableRows(pages.configuration.text), configurationRows());
  for (const { flags: flag, variable, path } of flags)
    t.match(pages.configuration.text, `| \`${flag}\` | \`${variable}\` | \`${path.join(".")}\` |`);
  const files = [pages.host, pages.configuration, pages.hotPlugins, pages.store]
    .flatMap(({ blocks }) => blocks)
    .filter(({ name }) => name.endsWith(".json") && name !== storeIndex);
  t.equal(files.length, 10);
  for (const { name, content } of files) {
    const file = join(root, name);
    writeFileSync(file, content);
    t.ok(resolveConfiguration({ file, environment: {}, flags: {}, workingFolder: root }), name);
  }
  const variables = [
    ...`${pages.host.text}${pages.configuration.text}`.matchAll(/\b(SLIPWAY_[A-Z_]+)=([^\s`]+)/g),
  ];
  t.ok(variables.length > 2);
  for (const [, name = "", value = ""] of variables) {
    const environment = { SLIPWAY_ALLOWED_ADDRESSES: "0.0.0.0", [name]: value };
    t.ok(resolveConfiguration({ environment, flags: {}, workingFolder: root }), `${name}=${value}`);
  }
  t.end();
});

t.test("commands and their options are those of the program", async (t) => {
  const rows = section(pages.commandLine, "## Commands").matchAll(/^\| `(slipway [^`]+)` \|([^|]*)\|/gm);
  const documented = new Map([...rows].map(([, name = "", options = ""]) => [name, quotedWords(options)]));
  const shared = quotedWords(section(pages.commandLine, "## Options of many commands"));
  const commands = programCommands(await slipwayProgram());
  t.strictSame([...documented.keys()], [...commands.keys()]);
  for (const [name, options] of commands) {
    const told = documented.get(name) ?? [];
    for (const option of told) t.ok(options.includes(option), `${name} ${option}`);
    for (const option of options) t.ok([...told, ...shared].includes(option), `${name} ${option}`);
  }
});

t.test("the clauses are those that the check of archivable PDFs names", (t) => {
  const folder = join(repository, "sdk", "pdf", "archive");
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const named = sources.flatMap((source) => source.match(/(?<=")6(?:\.\d+)+(?=")/g) ?? []);
  const listed = quotedWords(section(pages.commandLine, "## Checking PDFs")).filter((word) =>
    /^6\./.test(word),
  );
  t.strictSame(listed.sort(), [...new Set(named)].sort());
  t.end();
});

t.test("the index of a template store is as hosts read it", (t) => {
  const index = pages.store.blocks.find(({ name }) => name === storeIndex)?.content ?? "";
  const [entry] = readStoreIndex(new TextEncoder().encode(index), 1);
  const members = quotedWords(section(pages.store, "## The protocol").split("Members that")[0] ?? "");
  for (const member of ["protocol", ...Object.keys(entry ?? {})]) t.ok(members.includes(member), member);
  t.match(entry, { key: "quote" });
  t.end();
});

t.test("fields of exports and settings of their plugin are those of the code", async (t) => {
  const answer = await fetch(`${host.url}/EAIWS/plugins/oex/config.json`);
  const defaults: unknown = await answer.json();
  // Their order is that of subjects, and what they do is told by the page alone.
  const fields = tableRows(section(pages.oex, "## Configuration")).map(withoutLastCell).sort();
  t.strictSame(fields, memberRows(ExportConfiguration, defaults).map(withoutLastCell).sort());
  t.strictSame(tableRows(section(pages.oex, "## Settings")), memberRows(PluginSettings, {}));
  t.strictSame(tableRows(section(pages.reporter, "## Settings")), memberRows(ReporterSettings, {}));
  const zoned = memberRows(sdk.Type.Object({ timeZone: sdk.TimeZone }), {});
  t.strictSame(tableRows(section(pages.spreadsheet, "## Settings")), zoned);
});

t.test("members and columns of spreadsheets are those of the code", async (t) => {
  const [requests = "", starts = ""] = section(pages.spreadsheet, "## Requests").split(
    "\n### Where sheets begin\n",
  );
  const members = (text: string) =>
    [...text.matchAll(/^\| `([A-Za-z]+)` \| ([^|]+) \|/gm)].map(([, name, shown]) => [name, shown]);
  t.strictSame(members(requests), memberDefaults(ExportRequest));
  t.strictSame(members(starts), memberDefaults(ExportRequest.properties.sheetSettings));

  const demo: unknown = JSON.parse(
    readFileSync(join(repository, "config", "demo", "demo-project.json"), "utf8"),
  );
  const opened = await post("/api/sessions?locale=en_GB", demo);
  const all = { showVariantText: true, externalRefColumn: sdk.builtInColumns.externalItemNumber };
  const body = { sessionId: opened["sessionId"], ...all };
  const exported = await post("/EAIWS/plugins/excel/v1/exportCSV/articlelist", body);
  const [heading = ""] = (await (await fetch(String(exported["url"]))).text()).split("\r\n");
  const columns = heading.split(",").map((name) => name.replace(" (EUR)", ""));
  const rows = section(pages.spreadsheet, "## Article list").matchAll(/^\| ([A-Z][^|]+) \|/gm);
  const named = [...rows].flatMap(([, cell = ""]) => cell.split(", ")).filter((name) => name !== "Column");
  t.strictSame(named.filter((name) => name !== "Picture").sort(), columns.sort());
});

t.test("errors are those of the code, with their statuses", (t) => {
  const raised = raisedErrors(["host", "plugins", "sdk"]);
  const rows = [...pages.errors.text.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \|/gm)];
  t.strictSame(rows.map(([, id = ""]) => id).sort(), [...raised.keys()].sort());
  for (const [, id = "", shown = ""] of rows) {
    const codes = [...(raised.get(id) ?? [])];
    const told = shown.startsWith("`errors`") ? [] : shown.split(", ").map(Number);
    for (const code of codes) t.ok(told.includes(code), `${id}: ${code}`);
    if (codes.length > 0) t.equal(told.length, codes.length, id);
  }
  for (const plugin of [pages.reporter, pages.oex, pages.spreadsheet]) {
    const named = likeErrorIds(quotedWords(section(plugin, "## Errors")));
    for (const id of named) t.ok(raised.has(id), id);
    for (const id of raisedErrors([dirname(plugin.path)]).keys()) t.ok(named.includes(id), id);
  }
  t.end();
});

t.test("the way of a request is that of the code", (t) => {
  const source = readFileSync(join(repository, "host", "app.ts"), "utf8");
  const used = [...source.matchAll(/^ +(?:if \(.*\) )?app\.use\((.+)\);$/gm)].map(([, step = ""]) => step);
  const table = section(pages.architecture, "## The way of a request");
  const told = [...table.matchAll(/^\| \d+ \| \[`(.+?)`\]/gm)].map(([, step = ""]) => step);
  t.equal(told.length, used.length);
  for (const [index, step] of used.entries()) t.ok(step.includes(told[index] ?? "?"), step);
  t.end();
});

t.test("what templates find is what the pages say", (t) => {
  const locale = sdk.parseLocale("en_GB");
  if (locale === undefined) throw new Error("en_GB is a locale");
  const helpers = templateHelpers({
    version: "1",
    assets: new Set(),
    locale,
    formatLocale: locale,
    currency: "EUR",
    texts: new SpokenTexts({}, locale),
    missing: new Set(),
  });
  const table = section(pages.templates, "## What EJS files see");
  const named = [...table.matchAll(/^\| `d\..*?\|/gm)].flatMap(([cell]) =>
    [...cell.matchAll(/\bd\.([a-z]+)/g)].map(([, name]) => name),
  );
  t.strictSame(new Set(named), new Set(["data", "page", "pages", ...Object.keys(helpers)]));
  for (const shown of [
    helpers.money("1349.1"),
    helpers.amount("1349.1"),
    helpers.number("1349.1"),
    helpers.percent("20"),
    helpers.date("2024-07-10"),
    helpers.date("2024-07-10", "medium"),
    helpers.date("2024-07-10", "long"),
  ])
    t.match(table, `\`${shown}\``);
  t.end();
});

t.test("members of template.json and of the data are those of the schemas", async (t) => {
  const table = section(pages.definition, "## Members").matchAll(/^\| `([A-Za-z$]+)` \| ([^|]+) \|/gm);
  t.strictSame(
    [...table].map(([, name, shown]) => [name, shown]),
    memberDefaults(sdk.TemplateFile),
  );
  const example = pages.definition.blocks.find(({ name }) => name === "price-list/template.json");
  const read = await readTemplateDefinition(example?.content ?? "");
  t.match(read, { ok: true, definition: { key: "price-list" } });
  const schema: unknown = JSON.parse(
    readFileSync(join(repository, "sdk", "schemas", "report-data.schema.json"), "utf8"),
  );
  t.equal(
    section(pages.reportData, "## Every member").split("\n\n").slice(1).join("\n\n").trim(),
    memberTables(schema, "d.data"),
  );
});

t.test("options of the templates are those that their pages list", async (t) => {
  t.ok(Object.keys(templatePages).length > 5);
  for (const [template, page] of Object.entries(templatePages)) {
    const file = join(repository, "templates", template, "template.json");
    const read = await readTemplateDefinition(readFileSync(file, "utf8"));
    const fields = read.ok ? read.definition.options.categories.flatMap((category) => category.fields) : [];
    t.ok(fields.length > 0, template);
    const words = quotedWords(section(page, "## Options"));
    for (const { key } of fields) t.ok(words.includes(key), `${template}: ${key}`);
  }
});

t.test("names of the SDK exist", (t) => {
  const words = quotedWords(
    section(pages.sdk, "## Projects, views, prices, files").split("\nItems have")[0] ?? "",
  );
  const names = words.map((word) => word.split("(", 1)[0] ?? "").filter((word) => /^[A-Za-z]+$/.test(word));
  t.ok(names.length > 30);
  for (const name of names.filter((name) => name !== "warnings")) t.ok(name in sdk, name);
  t.end();
});

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${host.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const value: unknown = await answer.json();
  if (!answer.ok || typeof value !== "object" || value === null) throw new Error(`${path}: ${answer.status}`);
  return Object.fromEntries(Object.entries(value));
}

/** Rows of tables of settings: a name, a type, a default, a meaning. */
function tableRows(text: string): string[] {
  return [...text.matchAll(/^\| `[A-Za-z.0-9]+` \| [^|]+ \| [^|]* \| .*\|$/gm)].map(([line]) => line);
}

function withoutLastCell(row: string): string {
  return row.replace(/[^|]*\|$/, "");
}

function begins(file: string, start: string): boolean {
  return readFileSync(join(folder, file)).toString("latin1", 0, start.length) === start;
}
