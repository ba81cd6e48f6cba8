/** Names and labels of `template.json` in plain English, which `i18n/labels.csv` translates, as clients and authors see them. */
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import * as tar from "tar";
import { demoFile, ReporterClient } from "../plugins/reporter-client.js";
import { runCommand } from "../run-command.js";
import { reporterAlone, startHost } from "../start-host.js";
import { until } from "./plugins-support.js";
import { writeFiles } from "./templates-support.js";

const folder = await mkdtemp(join(tmpdir(), "slipway-labels-"));
const sources = join(folder, "sources");
const plugins = await reporterAlone();

/** A template with texts at each place that may have one. */
const list = {
  key: "list",
  shared: ["_common"],
  name: "List",
  description: 'A "list", with prices',
  category: { key: "default", name: "Standard" },
  version: "1.0.0",
  views: [{ key: "rooms", name: "Rooms" }],
  attachments: { terms: { name: "Terms", file: "assets/terms.pdf" } },
  properties: [{ key: "fact", value: "Rooms" }],
  options: {
    categories: [
      {
        key: "content",
        label: "Content",
        fields: [
          { key: "prices", label: "Prices", type: "boolean", default: true },
          {
            key: "size",
            label: { en: "Size", de: "Breite" },
            type: "string",
            options: [
              { key: "s", label: "Small" },
              { key: "20", label: { en: "20 mm" } },
            ],
          },
        ],
      },
    ],
  },
};
const sharedTable = [
  "en,de,fr,de-CH",
  "Standard,Standard,Standard,",
  "Prices,Preise,Prix,",
  "Content,Inhalt,Contenu,",
  "Small,Klein,Petit,Chlii",
  "Rooms,Räume,Pièces,",
  "Terms,AGB,Conditions,",
  "",
].join("\n");
const ownTable = [
  "en,fr,de",
  "List,Liste,Liste",
  'Content,"Contenu, en bref",',
  '"A ""list"", with prices",Des prix,"Eine ""Liste"", mit Preisen"',
  "",
].join("\r\n");
await writeFiles(sources, {
  "_common/i18n/labels.csv": sharedTable,
  "list/template.json": JSON.stringify(list, undefined, 2),
  "list/report.ejs": "<p>The list</p>",
  "list/assets/terms.pdf": "",
  "list/i18n/labels.csv": ownTable,
});

const host = await startHost({
  templates: [sources],
  plugins: [plugins],
  configuration: { templates: { settlingTime: 20 } },
});
t.teardown(async () => {
  await host.stop();
  await rm(folder, { recursive: true });
});

interface State {
  key: string;
  error?: string;
  warnings: string[];
  problems: Record<string, unknown>[];
}

async function state(url = host.url): Promise<State | undefined> {
  const answer = await fetch(`${url}/api/templates`);
  const { templates }: { templates: State[] } = JSON.parse(await answer.text());
  return templates.find(({ key }) => key === "list");
}

/** The list element of the template and its options, in a language. */
async function shown(locale: string, url = host.url) {
  const client = new ReporterClient(url);
  const sessionId = await client.open(await demoFile("json"), locale);
  const [record] = JSON.parse((await client.get(`templates.json?sessionId=${sessionId}`)).text);
  const { json } = await client.get(`template/list/options.json?sessionId=${sessionId}`);
  return { record, options: json["options"] };
}

const german = {
  record: {
    name: "Liste",
    description: 'Eine "Liste", mit Preisen',
    category: { key: "default", name: "Standard" },
    views: [{ key: "rooms", name: "Räume" }],
    properties: [{ key: "fact", value: "Rooms" }],
  },
  options: {
    attachments: { terms: { name: "AGB" } },
    categories: [
      {
        label: "Inhalt",
        fields: [
          { label: "Preise" },
          {
            label: "Breite",
            options: [
              { key: "s", label: "Klein" },
              { key: "20", label: "20 mm" },
            ],
          },
        ],
      },
    ],
  },
};

t.test("plain texts come in the language of the client, from the template or what it shares", async (t) => {
  t.match(await shown("de_DE"), german);
  t.match(
    await shown("de_CH"),
    { options: { categories: [{ label: "Inhalt", fields: [{}, { options: [{ label: "Chlii" }] }] }] } },
    "a region has only the differences",
  );
  const french = await shown("fr_FR");
  t.match(french, { record: { name: "Liste" }, options: { categories: [{ label: "Contenu, en bref" }] } });
  t.match(french.options, { categories: [{ fields: [{ label: "Prix" }, { label: "Size" }] }] });
  t.match(await shown("it_IT"), {
    record: { name: "List", description: 'A "list", with prices', category: { name: "Standard" } },
    options: { categories: [{ label: "Content", fields: [{ label: "Prices" }, { label: "Size" }] }] },
  });
  t.strictSame((await state())?.warnings, []);
});

t.test("a change of a shared table changes the templates that use it; a wrong one does not", async (t) => {
  const shared = "_common/i18n/labels.csv";
  await writeFiles(sources, { [shared]: sharedTable.replace("Klein", "Winzig") });
  await until(async () => JSON.stringify(await shown("de_DE")).includes("Winzig"));

  const head = 'the first line must be languages, "en" first, such as en,de,fr';
  const quotes = `a text with " or a comma is written like "say ""no"", please"`;
  for (const [line, table, message] of [
    [1, "de,en\nPreise,Prices\n", head],
    [1, "en,de,de\n", 'the language "de" is there twice'],
    [1, "en;de\nPrices;Preise\n", head],
    [3, "en,de\n\nPrices,Preise,Prix\n", "it has 3 cells, the first line 2"],
    [1, "", head],
    [4, 'en,de\nA,"b\nc"\nsay "no",x\n', quotes],
    [3, 'en,de\n"Prices","Preise"\nPrices,Preise', '"Prices" is there twice'],
    [2, 'en,de\n"A,b\n', quotes],
    [2, "en,de\n,Preise\n", "the English text is missing"],
  ] as const) {
    await writeFiles(sources, { [shared]: table });
    await until(async () => (await state())?.problems[0]?.["message"] === message);
    t.match((await state())?.problems, [{ file: shared, line, message }]);
  }
  t.match(await shown("de_DE"), { record: { name: "Liste" } }, "the last good version serves");

  await writeFiles(sources, { [shared]: sharedTable, "list/i18n/labels.csv": "en,fr\nList\n" });
  await until(async () => (await state())?.problems[0]?.["file"] === "i18n/labels.csv");
  t.match((await state())?.problems, [{ line: 2, message: "it has 1 cells, the first line 2" }]);
  await writeFiles(sources, { "list/i18n/labels.csv": ownTable });
  await until(async () => (await state())?.error === undefined);
  t.match(await shown("de_DE"), german);
});

t.test("the check names the texts that a language lacks, and what is no text", async (t) => {
  const own = join(folder, "checked");
  await writeFiles(own, {
    "_common/i18n/labels.csv": sharedTable,
    "list/template.json": JSON.stringify({ ...list, name: "Lits" }),
    "list/report.ejs": "<p>The list</p>",
    "list/assets/terms.pdf": "",
  });
  const check = () =>
    runCommand(["template", "check", join(own, "list"), "--no-print"], {
      environment: { SLIPWAY_PLUGINS: plugins },
    });
  const lacking = await check();
  t.equal(lacking.code, 0, lacking.output);
  const advice = "add it, or clients show it in English";
  for (const language of ["de", "fr"])
    t.ok(
      lacking.output.includes(
        `_common/i18n/labels.csv: no text in ${language} for "Lits", "A "list", with prices"; ${advice}`,
      ),
      lacking.output,
    );
  t.notMatch(lacking.output, "de-CH");
  await writeFiles(own, {
    "list/template.json": JSON.stringify(
      { ...list, name: 5, category: { key: "default", name: "" } },
      null,
      1,
    ),
  });
  const wrong = await check();
  t.equal(wrong.code, 1);
  t.match(wrong.output, /template\.json:6: `name` must be a string or object, but is 5/);
  t.match(wrong.output, /template\.json:\d+: `category\.name` must not have fewer than 1 characters/);
});

t.test("a published template has its texts with it", async (t) => {
  const out = join(folder, "published");
  const published = await runCommand(["template", "publish", "--templates", sources, "--out", out]);
  t.equal(published.code, 0, published.errors);
  const archive = (await readdir(out)).find((name) => name.endsWith(".tgz")) ?? "";
  const alone = join(folder, "alone");
  await writeFiles(alone, { ".keep": "" });
  await tar.extract({ file: join(out, archive), cwd: alone });
  await rename(join(alone, "template"), join(alone, "list"));
  const other = await startHost({ templates: [alone], plugins: [plugins] });
  t.teardown(() => other.stop());
  t.match(await shown("de_DE", other.url), german);
  t.match(await shown("fr_FR", other.url), { options: { categories: [{ label: "Contenu, en bref" }] } });
});
