/** Templates are edited in all the ways that editors and copy tools have, while reports run. */
import { renameSync } from "node:fs";
import { cp, mkdtemp, rename, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { pluginFiles, until } from "../host/plugins-support.js";
import { definition, writeFiles } from "../host/templates-support.js";
import { demoFile, ReporterClient } from "../plugins/reporter-client.js";
import { startHost } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";

const edits = 500;
const clients = 4;
const keys = ["swapped", "saved", "sharing"] as const;

/** Each file that makes a report says which edit it is of. */
function swapped(edit: number): Record<string, string> {
  return {
    "template.json": definition("swapped", { version: `${edit}` }),
    "report.ejs": `<p>R${edit}</p><%- include("part") %><p class="s"><%= d.t("word") %></p><img src="<%= d.asset("assets/e${edit}.svg") %>" alt="">`,
    "part.ejs": `<p>P${edit}</p>`,
    "style.css": `.s::after { content: " S${edit}" }`,
    "i18n/en.json": `{ "word": "W${edit}" }`,
    [`assets/e${edit}.svg`]:
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>',
  };
}

const shared = (edit: number): Record<string, string> => ({
  "part.ejs": `<p>C${edit}</p>`,
  "i18n/en.json": `{ "word": "D${edit}" }`,
});

const below = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

t.test(`${edits} edits under load`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-edits-"));
  await writeFiles(folder, {
    ...below("swapped", swapped(0)),
    ...below("_base", shared(0)),
    "saved/template.json": definition("saved"),
    "saved/report.ejs": "<p>E0</p>",
    "sharing/template.json": definition("sharing", { shared: ["_base"] }),
    "sharing/report.ejs": '<%- include("part") %><p><%= d.t("word") %></p>',
  });
  const host = await startHost({ templates: [folder], configuration: { templates: { settlingTime: 20 } } });
  t.teardown(async () => {
    await host.stop();
    await rm(folder, { recursive: true });
  });
  const client = new ReporterClient(host.url);
  const sessionId = await client.open(await demoFile("json"));
  const marks = async (templateKey: string) => {
    const answer = await client.post("generate", { templateKey, sessionId });
    if (answer.status !== 200) throw new Error(`${templateKey}: ${answer.status} ${answer.text}`);
    const file = await fetch(String(answer.json["url"]));
    const [page] = await printedPages(new Uint8Array(await file.arrayBuffer()));
    const found = [...(page?.text ?? "").matchAll(/\b([A-Z])(\d+)\b/g)];
    return {
      letters: found.map((each) => each[1]).join(""),
      edits: found.map((each) => Number(each[2])),
      errors: answer.json["errors"],
    };
  };

  const seen = { swapped: new Set<number>(), saved: new Set<number>(), sharing: new Set<number>() };
  const letters = { swapped: "RPWS", saved: "E", sharing: "CD" };
  const wrong: unknown[] = [];
  let running = true;
  let reports = 0;
  const load = Array.from({ length: clients }, async (_, index) => {
    const newest = { swapped: 0, saved: 0, sharing: 0 };
    for (let turn = index; running; turn++) {
      const key = keys[turn % keys.length] ?? "saved";
      const report = await marks(key);
      const [edit = -1] = report.edits;
      const isWhole = report.letters === letters[key] && report.edits.every((each) => each === edit);
      // A client never sees an edit undone: what was served to it before is the least that it gets.
      if (!isWhole || edit < newest[key] || report.errors !== undefined) wrong.push({ key, ...report });
      newest[key] = edit;
      seen[key].add(edit);
      reports++;
    }
  });

  const save = saver(folder);
  for (let edit = 1; edit <= edits; edit++) await save(edit);
  const last = { swapped: edits - (edits % 10), saved: edits, sharing: edits - (edits % 10) - 5 };
  for (const key of keys)
    await until(async () => (await marks(key)).edits.every((each) => each === last[key]));
  running = false;
  await Promise.all(load);

  t.strictSame(wrong, [], "every report is made of one state of its template");
  t.ok(reports > clients * keys.length);
  for (const key of keys) t.ok(seen[key].size > 5, `${key}: reports of ${seen[key].size} states`);
  const states: { templates: { error?: string }[] } = JSON.parse(
    await (await fetch(`${host.url}/api/templates`)).text(),
  );
  t.strictSame(
    states.templates.flatMap(({ error }) => error ?? []),
    [],
    "nothing is left of what was broken",
  );
  t.comment(`${reports} reports, states seen: ${keys.map((key) => `${key} ${seen[key].size}`).join(", ")}`);
});

/** A plugin whose report waits between finding its template and rendering it. */
const patient = pluginFiles(
  "Patient",
  "1.0.0",
  `import { EventEmitter, once } from "node:events";
import { definePlugin, route } from "@slipway/sdk";

export default definePlugin({
  setup(host) {
    const steps = new EventEmitter();
    let found = false;
    return {
      routes: [
        route.get("report", {
          summary: "Renders once it may.",
          async handler() {
            const template = await host.templates.find({ key: "held", locale: "en_US" });
            if (template === undefined) throw new Error("There is no template");
            found = true;
            await once(steps, "release");
            const locales = { locale: "en_US", formatLocale: "en_US" };
            return await host.templates.render({ ...locales, key: "held", version: template.version, data: "{}" });
          },
        }),
        route.get("found", { summary: "Whether the template is found.", handler: () => ({ found }) }),
        route.get("release", { summary: "Lets the report go on.", handler: () => ({ released: steps.emit("release") }) }),
      ],
    };
  },
});
`,
);

t.test(
  "a report that has found its template is made of it, however often it is edited meanwhile",
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "slipway-edits-"));
    await writeFiles(folder, {
      ...below("plugins/patient", patient),
      "templates/held/template.json": definition("held"),
      "templates/held/report.ejs": "<p>V0</p>",
    });
    const host = await startHost({
      plugins: [join(folder, "plugins")],
      templates: [join(folder, "templates")],
      configuration: { templates: { settlingTime: 10 } },
    });
    t.teardown(async () => {
      await host.stop();
      await rm(folder, { recursive: true });
    });
    const ask = async (route: string) => {
      const answer = await fetch(`${host.url}/EAIWS/plugins/Patient/${route}`);
      return Object(await answer.json());
    };
    const version = async () => {
      const { templates } = Object(await (await fetch(`${host.url}/api/templates`)).json());
      return templates[0].version;
    };
    const report = ask("report");
    await until(async () => (await ask("found")).found);
    const versions = new Set([await version()]);
    for (let edit = 1; edit <= 60; edit++) {
      await writeFile(join(folder, "templates", "held", "report.ejs"), `<p>V${edit}</p>`);
      await until(async () => !versions.has(await version()));
      versions.add(await version());
    }
    t.strictSame(await ask("release"), { released: true });
    t.match((await report).html, /<p>V0<\/p>/);
  },
);

/** Makes the edits one after the other, each in another way. */
function saver(folder: string): (edit: number) => Promise<void> {
  const report = join(folder, "saved", "report.ejs");
  const exchange = async (name: string, files: Record<string, string>) => {
    await writeFiles(join(folder, ".incoming"), files);
    // In one turn: on a busy machine a template between two turns is gone for longer than an exchange takes.
    renameSync(join(folder, name), join(folder, ".outgoing"));
    renameSync(join(folder, ".incoming"), join(folder, name));
    await rm(join(folder, ".outgoing"), { recursive: true });
  };
  const ways = [
    async (text: string) => writeFile(report, text),
    async (text: string) => {
      await writeFile(`${report}.tmp`, text);
      await rename(`${report}.tmp`, report);
    },
    async (text: string) => {
      await writeFile(report, "<% half of it");
      await writeFile(report, text);
    },
    async (text: string) => {
      await unlink(report);
      await writeFile(report, text);
    },
    async (text: string) => {
      await cp(report, `${report}~`);
      await writeFile(report, "");
      await writeFile(report, text);
      await rm(`${report}~`);
    },
  ];
  return async (edit) => {
    await ways[edit % ways.length]?.(`<p>E${edit}</p>`);
    if (edit % 10 === 0) await exchange("swapped", swapped(edit));
    else if (edit % 5 === 0) await exchange("_base", shared(edit));
  };
}
