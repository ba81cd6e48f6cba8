/** Template stores through HTTP: what they give, what they cannot do, and how a folder becomes one. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t from "tap";
import { handmadeTar, pax } from "../../host/archive-support.js";
import { until } from "../../host/plugins-support.js";
import {
  archived,
  indexText,
  type Listed,
  listed,
  type Misbehaviour,
  packed,
  type StoredTemplate,
  serveFolder,
  sha256Of,
  startStore,
  stored,
  storedReport,
  storeKey,
} from "../../host/template-store-support.js";
import { definition, reportOnly, writeFiles } from "../../host/templates-support.js";
import { article, isJson, project, ReporterClient } from "../../plugins/reporter-client.js";
import { runCommand } from "../../run-command.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";
import { printedPages } from "../../templates/printed-pages.js";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const category = { key: "default", name: { en: "Default" } };
const folder = await mkdtemp(join(tmpdir(), "slipway-store-"));
const ownTemplates = join(folder, "templates");
await writeFiles(join(ownTemplates, "own"), reportOnly("own", "<p>Own</p>", { category, sortWeight: 5 }));

const plugins = join(folder, "plugins");
await mkdir(plugins);
await symlink(join(repository, "plugins", "reporter"), join(plugins, "reporter"));
const ownPlugins = join(folder, "own-plugins");
await writeFiles(join(ownPlugins, "headers"), {
  "package.json": JSON.stringify({
    name: "@test/headers",
    version: "1.0.0",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "Headers", entry: "index.js" },
  }),
  "index.js": `import { definePlugin, route, Type } from "@slipway/sdk";
    const query = Type.Object({ name: Type.String(), value: Type.String() });
    const handler = ({ query: { name, value }, header }) => { header(name, value); return {}; };
    export default definePlugin({ setup: () => ({ routes: [route.get("set", { summary: "Sets", query, handler })] }) });`,
});

const store = await startStore();
const other = await startStore();
const closed = await startStore();
const published = join(folder, "published");
const web = await serveFolder(published);

/** All that the tests of one host configure. */
function start(folders: string[], settings: Record<string, unknown> = {}): Promise<StartedHost> {
  const storeSettings = {
    url: `${store.url}/base`,
    allowedInternalHosts: [store.host, other.host, web.host],
    timeout: 60_000,
    freshness: 3_600_000,
    templates: 40,
    indexBytes: 20_000,
    archiveBytes: 60_000,
    processes: 1,
    ...settings,
  };
  return startHost({
    var: join(folder, "var"),
    plugins: folders,
    templates: [ownTemplates],
    configuration: {
      templates: { timeLimit: 2000, processes: 1, store: storeSettings },
      cors: { origins: ["https://app.example.com"] },
    },
  });
}

const places = join(folder, "var", "template-store");
const archives = join(places, "archives");
let host = await start([plugins, ownPlugins]);
t.teardown(async () => {
  await host.stop();
  await Promise.all([store, other, closed, web].map((server) => server.close()));
  await rm(folder, { recursive: true, force: true });
});

const list = (query: Record<string, string> | string): Promise<Listed> => listed(host.url, query);
const options = async (key: string): Promise<number> =>
  (await fetch(`${host.url}/EAIWS/plugins/Reporter/template/${key}/options.json`)).status;

/** A report with text and picture of its own, which must not be mixed up. */
const letter = stored("letter", {
  "template.json": definition("letter", {
    category,
    name: { en: "Letter", de: "Brief" },
    sortWeight: 1,
    options: {
      categories: [
        {
          key: "all",
          label: { en: "All" },
          fields: [{ key: "sign", label: { en: "Sign" }, type: "boolean" }],
        },
      ],
    },
  }),
  "report.ejs":
    '<h1><%= d.t("title") %></h1><img alt="" src="<%= d.asset("assets/pixel.png") %>"><%- include("partials/end") %>',
  "partials/end.ejs": "<p>The end</p>",
  "style.css": "img { width: 10mm }",
  "i18n/en.json": '{ "title": "Letter of the store" }',
  "i18n/de.json": '{ "title": "Brief des Ladens" }',
  "assets/pixel.png": pixel,
});
const label = storedReport("label", "<p>Label</p>", { sortWeight: 9 });
const offer = storedReport("offer", "<p>Offer</p>", {
  category: { key: "special", name: { en: "Special" } },
});

/** Of the second host, which has room for few. */
const diskBytes = Math.max(1024, letter.archive.length + label.archive.length + 10);

t.test("a list has what the store gives the token, in its language and by weight", async (t) => {
  store.tokens.set("alice", [label, letter, offer]);
  store.tokens.set("bob", [label]);
  const none = await list({});
  t.strictSame([none.keys, none.store], [["own"], null], "no store is asked without being named");
  await writeFile(places, "in the way of what the host would keep");
  const unable = await list({ authToken: "alice" });
  const failed = 'failed; reason="The host failed to ask the store."';
  t.strictSame([unable.keys, unable.store], [["own"], failed], "a host that can keep nothing has its own");
  await rm(places);
  const alice = await list({ authToken: "alice" });
  t.strictSame([alice.status, alice.keys, alice.store], [200, ["letter", "own", "label"], "ok"]);
  t.match(alice.records[0], {
    source: "store",
    key: "letter",
    name: "Letter",
    templateKey: /^letter~[\w-]{32}$/,
  });
  t.match(alice.records[1], { source: "server", key: "own", templateKey: "own" });
  const special = await list({ authToken: "alice", category: "special" });
  t.strictSame(special.keys, ["offer"]);
  const german = await new ReporterClient(host.url).open(project([article(1, "1")]), "de_DE");
  t.match((await list({ authToken: "alice", sessionId: german })).records[0], { name: "Brief" });

  const bob = await list({ authToken: "bob" });
  t.strictSame(bob.keys, ["own", "label"], "nothing of one token shows up for another");
  t.not(storeKey(bob, "label"), storeKey(alice, "label"), "and its key is another one");
  t.strictSame((await list({ authToken: "" })).keys, ["own"]);
  const loaded = store.asked.filter(({ path }) => path.endsWith(".tgz"));
  t.equal(loaded.length, 3, "an archive is loaded once");
  t.ok(loaded.every(({ token }) => token === "alice"));

  t.equal(await options(storeKey(alice, "letter")), 200);
  t.equal(await options(storeKey(bob, "label")), 200);
  const [, secret] = storeKey(alice, "letter").split("~");
  for (const guess of ["letter", `label~${secret}`, `letter~${"A".repeat(32)}`, "letter~"])
    t.equal(await options(guess), 404, guess);
});

t.test("a store is asked once at a time, again when told to, and for what is new", async (t) => {
  const asked = (): number => store.asked.filter(({ token }) => token === "carol").length;
  store.tokens.set("carol", [label]);
  const first = await Promise.all(Array.from({ length: 5 }, () => list({ authToken: "carol" })));
  t.ok(first.every(({ keys }) => keys.includes("label")));
  await list({ authToken: "carol" });
  t.equal(asked(), 1, "what is fresh is used again");
  await list({ authToken: "carol", update: "" });
  t.match(store.asked.at(-1), { status: 304, etag: /^"/ }, "what has not changed is not sent again");
  store.tokens.set("carol", [letter]);
  t.strictSame((await list({ authToken: "carol", update: "" })).keys, ["letter", "own"]);
  const key = storeKey(first[0] ?? (await list({ authToken: "carol" })), "label");
  t.equal(await options(key), 404, "what the store does not list any more has no key");
  const kept = storeKey(await list({ authToken: "carol" }), "letter");
  store.tokens.delete("carol");
  const refused = await list({ authToken: "carol", update: "" });
  t.strictSame(
    [refused.keys, refused.store],
    [["own"], 'failed; reason="The store refused the request (401)."'],
  );
  t.equal(await options(kept), 404, "a token that is refused has no templates any more");
});

t.test("a report with a template of the store has its texts, partials and pictures", async (t) => {
  const client = new ReporterClient(host.url);
  const key = storeKey(await list({ authToken: "alice" }), "letter");
  const sessionId = await client.open(project([article(1, "10")]), "de_DE");
  const made = await client.post(`template/${key}/v1/generate`, {
    sessionId,
    templateOptions: { sign: true },
  });
  t.match([made.status, made.json["errors"]], [200, undefined], made.text);
  const pdf = await fetch(String(made.json["url"]));
  const [page] = await printedPages(new Uint8Array(await pdf.arrayBuffer()));
  t.match(page, { text: /Brief des Ladens.*The end/, images: 1 });
  t.notMatch(made.text, key.slice(-20), "the file has nothing of the key");
  const data = await client.data({ sessionId, templateKey: key, templateOptions: { sign: true } });
  t.match(data, { options: { sign: true } });
});

t.test("a template of a store that never ends costs its own report alone", async (t) => {
  store.tokens.set("dave", [storedReport("loop", "<% for (;;) {} %>"), label]);
  const all = await list({ authToken: "dave" });
  const client = new ReporterClient(host.url);
  const sessionId = await client.open(project([article(1, "10")]));
  const generate = (templateKey: string) => client.post("generate", { templateKey, sessionId });
  const order: string[] = [];
  const loop = generate(storeKey(all, "loop")).finally(() => order.push("loop"));
  const own = await generate("own");
  order.push("own");
  t.equal(own.status, 200, own.text);
  const failed = await loop;
  t.match(
    [failed.status, failed.json],
    [500, { id: "template-error", message: /not finished after 2000 ms/ }],
  );
  t.equal(order[0], "own", "the server's own did not wait for it");
  t.equal((await generate(storeKey(all, "label"))).status, 200, "and the others of the store go on");
});

const json = (response: ServerResponse, value: unknown): unknown =>
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
const redirect =
  (location: string): Misbehaviour =>
  (_request, response) =>
    response.writeHead(302, { Location: location }).end();

/** How a store can fail as a whole, and what is said of it. */
const failures: [string, Misbehaviour, RegExp][] = [
  ["500", (_, response) => response.writeHead(500).end("secret detail"), /answered with status 500/],
  ["403", (_, response) => response.writeHead(403).end(), /refused the request \(403\)/],
  ["404", (_, response) => response.writeHead(404).end(), /answered with status 404/],
  ["HTML", (_, response) => response.writeHead(200).end("<html>Log in</html>"), /not answer with an index/],
  ["nothing", (_, response) => response.writeHead(200).end(), /not answer with an index/],
  ["304 to nobody", (_, response) => response.writeHead(304).end(), /answered with status 304/],
  [
    "other protocol",
    (_, response) => json(response, { protocol: 2, templates: {} }),
    /speaks the protocol 2/,
  ],
  ["no list", (_, response) => json(response, { protocol: 1 }), /not valid: `index\.json\.templates`/],
  [
    "wrong entry",
    (_, response) => json(response, { protocol: 1, templates: [{ ...label.entry, sha256: "x" }] }),
    /not valid: `index\.json\.templates\[0\]\.sha256`/,
  ],
  [
    "a key twice",
    (_, response) => json(response, { protocol: 1, templates: [label.entry, label.entry] }),
    /lists the key .label. twice/,
  ],
  [
    "too many",
    (_, response) =>
      json(response, { protocol: 1, templates: Array.from({ length: 41 }, () => label.entry) }),
    /lists 41 templates; at most 40/,
  ],
  [
    "too much",
    (_, response) => response.writeHead(200).end("x".repeat(30_000)),
    /larger than the 20000 bytes/,
  ],
  ["torn connection", (request) => request.socket.destroy(), /cannot be reached/],
  ["half an answer", (_, response) => tear(response), /cannot be reached/],
  ["redirects for ever", redirect("index.json"), /more than 3 redirects/],
  ["redirect to a forbidden server", redirect("https://10.0.0.1/index.json"), /is an internal address/],
  ["redirect without https", redirect(`${closed.url}/base/index.json`), /must use https/],
  ["redirect to a file", redirect("file:///etc/passwd"), /Only http and https/],
];

function tear(response: ServerResponse): void {
  response.writeHead(200, { "Content-Length": 100 });
  response.write("{", () => response.destroy());
}

t.test("a store that fails takes nothing from the server's own templates", async (t) => {
  for (const [name, misbehave, said] of failures) {
    const token = `token-${name.replaceAll(" ", "-")}`;
    store.misbehaviours.set(token, misbehave);
    const found = await list({ authToken: token });
    t.strictSame([found.status, found.keys], [200, ["own"]], name);
    t.match(found.store, /^failed; reason="[^"]+"$/, name);
    t.match(found.store, said, name);
  }
  const ready = await fetch(`${host.url}/readyz`);
  t.equal(ready.status, 200, "the host serves all the same");
});

const report = { name: "template/report.ejs", content: "<p>x</p>" };
const described = (key: string, changes = {}) => ({
  name: "template/template.json",
  content: definition(key, { category, ...changes }),
});
const withEntry = (key: string, entry: Parameters<typeof packed>[1][number]): StoredTemplate =>
  packed(key, [described(key), report, entry]);

/** Templates that cannot be used, and what the log says of each. */
const broken: [StoredTemplate, RegExp][] = [
  [storedReport("lies-about-hash", "1", {}, { sha256: "0".repeat(64) }), /another hash than the index says/],
  [storedReport("is-larger", "2", {}, { bytes: 10 }), /larger than the 11 bytes/],
  [storedReport("is-smaller", "3", {}, { bytes: 50_000 }), /bytes; the index says 50000/],
  [storedReport("is-too-large", "4", {}, { bytes: 60_001 }), /60001 bytes; at most 60000/],
  [storedReport("is-elsewhere", "5", {}, { archive: `${closed.url}/base/x.tgz` }), /is on another server/],
  [storedReport("has-a-scheme", "6", {}, { archive: "file:///etc/passwd" }), /is on another server/],
  [storedReport("is-away", "7", {}, { archive: "away.tgz" }), /status 404/],
  [storedReport("other-version", "8", { version: "2.0.0" }), /holds .other-version. .2.0.0./],
  [packed("other-key", [described("another"), report]), /holds .another. .1.0.0./],
  [storedReport("wrong-code", "<% if ( %>"), /report.ejs:1/],
  [packed("no-report", [described("no-report")]), /report.ejs: the file is missing/],
  [packed("no-definition", [report]), /no template.json, neither on top/],
  [storedReport("wants-scripts", "9", { scripts: true }), /templates.store.scripts/],
  [
    storedReport("wants-access", "10", { allowUnsafeVelocityAccess: true }),
    /templates.allowUnsafeVelocityAccess/,
  ],
  [storedReport("shares", "11", { shared: ["_standard"] }), /all of its files in its archive/],
  [withEntry("link", { name: "template/x", type: "2", target: "/etc/passwd" }), /is a link/],
  [withEntry("hard-link", { name: "template/x", type: "1", target: "template/report.ejs" }), /is a link/],
  [withEntry("device", { name: "template/x", type: "3" }), /neither a file nor a folder/],
  [withEntry("way-out", { name: "template/../../x", content: "x" }), /leads out of its folder/],
  [withEntry("absolute", { name: "/template/x", content: "x" }), /is absolute/],
  [withEntry("beside", { name: "other/x", content: "x" }), /more beside the folder .template./],
  [withEntry("case-twin", { name: "template/Report.ejs", content: "x" }), /differs from .* only in case/],
  [withEntry("twice", { name: "template/report.ejs", content: "x" }), /is there twice/],
  [withEntry("deep", { name: `template/${"d/".repeat(9)}x`, content: "x" }), /nested deeper than 8/],
  [
    packed("many", [
      described("many"),
      report,
      ...Array.from({ length: 500 }, (_, index) => ({ name: `template/${index}` })),
    ]),
    /more than 500 files/,
  ],
  [
    stored("many-texts", {
      ...reportOnly("many-texts", "<p>x</p>"),
      "i18n/en.json": `{"a":"${" ".repeat(300_000)}"}`,
    }),
    /in i18n have \d+ bytes; together they may have 262144/,
  ],
  [
    stored("many-languages", { ...reportOnly("many-languages", "<p>x</p>"), ...manyLanguages() }),
    /i18n has 101 files; it may have 100/,
  ],
  [
    packed("nested", [{ name: "template/template.json", content: "[".repeat(200_000) }, report]),
    /template\.json: nested deeper than 200 levels/,
  ],
  [
    packed("deeper", [pax({ path: `template/${"d/".repeat(60)}x` }), { name: "x" }]),
    /is nested deeper than 50 folders/,
  ],
  [archived("bomb", bomb()), /holds more than/],
  [archived("no-archive", Buffer.from("no archive")), /no .tgz, .tar or .zip archive/],
  [archived("cut-off", label.archive.subarray(0, 100)), /ends early/],
  [archived("goes-on", Buffer.concat([label.archive, Buffer.from("more")])), /data after its end|damaged/],
];

function manyLanguages(): Record<string, string> {
  const name = (index: number): string => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
  return Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`i18n/${name(index)}.json`, "{}"]));
}

/** Of 45 MB, most of which is said to be one file. */
function bomb(): Buffer {
  return gzipSync(
    handmadeTar([described("bomb"), report, { name: "template/assets/x", content: Buffer.alloc(45e6) }]),
  );
}

t.test("a template that cannot be used is left out and told, the others are there", async (t) => {
  store.tokens.set("erin", [label, ...broken.map(([template]) => template)]);
  const found = await list({ authToken: "erin" });
  t.strictSame([found.keys, found.store], [["own", "label"], `ok; omitted=${broken.length}`]);
  for (const [{ entry }, reason] of broken) {
    const ofEntry = () => host.log.find((each) => each["key"] === entry["key"]);
    await until(() => ofEntry() !== undefined);
    t.match(ofEntry(), { level: 40, reason }, String(entry["key"]));
  }
  const before = host.log.length;
  await list({ authToken: "erin", update: "" });
  t.notOk(
    host.log.slice(before).some(({ msg }) => String(msg).includes("left out")),
    "and told once",
  );
});

t.test("a request may name another store, if the configuration does", async (t) => {
  other.tokens.set("", [label]);
  other.tokens.set("alice", [offer]);
  const url = `${other.url}/base/`;
  t.strictSame((await list({ owdsURL: url })).keys, ["own", "label"], "what is there for everybody");
  const alice = await list({ owdsURL: url, authToken: "alice", category: "*" });
  t.strictSame(alice.keys, ["offer", "own"], "and for a token");
  const same = await list({ authToken: "alice", category: "special" });
  t.not(
    storeKey(same, "offer"),
    storeKey(alice, "offer"),
    "the same template of another store has another key",
  );
  const refused: [string, RegExp][] = [
    [closed.url, /must use https/],
    ["http://store.example.com/x", /must use https/],
    ["https://store.example.com/x", /may not load links from store\.example\.com/],
    ["https://127.0.0.1/", /is an internal address/],
    ["https://[::ffff:127.0.0.1]/", /is an internal address/],
  ];
  for (const [owdsURL, reason] of refused) {
    const found = await list({ owdsURL, authToken: "alice" });
    t.strictSame([found.status, found.keys], [200, ["own"]], owdsURL);
    t.match(found.store, reason, owdsURL);
  }
  t.equal(closed.asked.length, 0, "the other servers were not asked for anything");
  for (const query of [
    { owdsURL: "nowhere" },
    { owdsURL: "file:///etc/passwd" },
    { owdsURL: `http://user:hunter2@${other.host}/` },
    { owdsURL: `${url}?key=hunter2` },
    { authToken: "hunter 2" },
    "authToken=hunter2&authToken=hunter3",
  ]) {
    const found = await list(query);
    t.match(
      [found.status, found.error],
      [400, { id: "request-bad-request" }],
      JSON.stringify(query).slice(0, 80),
    );
    t.notMatch(JSON.stringify(found.error), /hunter/, "which does not repeat it");
  }
  const long = await list({ authToken: "hunter2".repeat(1200) });
  t.match([long.status, long.error], [414, { id: "request-too-large" }]);
  t.notMatch(JSON.stringify(long.error), /hunter/);
});

t.test("a store is asked for so many archives at a time, whoever asks", async (t) => {
  const many = Array.from({ length: 4 }, (_, index) =>
    storedReport(`many-${index}`, `<p>${index} of many</p>`),
  );
  const waiting: (() => void)[] = [];
  let [running, most] = [0, 0];
  const tokens = ["many-a", "many-b", "many-c"];
  for (const token of tokens)
    store.misbehaviours.set(token, (request, response) => {
      if (request.url === "/base/index.json") return response.writeHead(200).end(indexText(many));
      running += 1;
      most = Math.max(most, running);
      waiting.push(() => {
        running -= 1;
        response.end(many.find(({ file }) => request.url === `/base/${file}`)?.archive);
      });
    });
  const lists = Promise.all(tokens.map((authToken) => list({ authToken })));
  const indexes = () =>
    store.asked.filter(({ token, path }) => token?.startsWith("many-") && /json$/.test(path));
  await until(() => indexes().length === tokens.length && running === 8);
  const answers = setInterval(() => waiting.shift()?.(), 5);
  for (const found of await lists) t.match(found, { store: "ok", keys: { length: many.length + 1 } });
  clearInterval(answers);
  t.equal(most, 8);
});

t.test("a token goes to its store and nowhere else", async (t) => {
  const token = "only-for-the-store";
  const moved = storedReport("moved", "<p>Moved</p>");
  other.tokens.set("", [moved]);
  store.misbehaviours.set(token, (request, response) => {
    if (request.url === "/base/index.json") response.writeHead(200).end(indexText([moved]));
    else redirect(`${other.url}${request.url}`)(request, response);
  });
  const found = await list({ authToken: token });
  t.strictSame([found.keys, found.store], [["moved", "own"], "ok"], "the redirect was followed");
  t.ok(store.asked.some((each) => each.token === token && each.status === 302));
  t.ok(
    other.asked.every((each) => each.token !== token),
    "without the token",
  );
});

t.test("the host says which stores it asked and what came of it", async (t) => {
  store.tokens.set("frank", [label]);
  await list({ authToken: "frank" });
  await list({ owdsURL: closed.url, authToken: "frank" });
  const answer: unknown = await (await fetch(`${host.url}/api/templates`)).json();
  const states = isJson(answer) && Array.isArray(answer["stores"]) ? answer["stores"].filter(isJson) : [];
  t.match(
    states.find(({ url }) => url === `${store.url}/base/`),
    { state: "ok", templates: 1, checked: /^\d{4}-.*Z$/ },
  );
  t.match(
    states.find(({ url }) => url === `${closed.url}/`),
    { state: "failed", templates: 0, error: /must use https/ },
  );
});

t.test("pages of allowed origins can read what came of asking", async (t) => {
  const response = await fetch(`${host.url}/EAIWS/plugins/Reporter/templates.json?authToken=alice`, {
    headers: { Origin: "https://app.example.com" },
  });
  t.match(response.headers.get("Access-Control-Expose-Headers"), /, Slipway-Template-Store$/);
  t.equal(response.headers.get("Slipway-Template-Store"), "ok");
});

t.test("a plugin sets headers of its own and no others", async (t) => {
  const set = (name: string, value: string): Promise<Response> =>
    fetch(`${host.url}/EAIWS/plugins/Headers/set?${new URLSearchParams({ name, value })}`);
  const taken = await set("Slipway-Own", "fine; a=1");
  t.strictSame([taken.status, taken.headers.get("Slipway-Own")], [200, "fine; a=1"]);
  const refused: [string, string][] = [
    ["Slipway-Plugin", "other@1.0.0"],
    ["slipway-plugin", "other@1.0.0"],
    ["Set-Cookie", "a=b"],
    ["Slipway-Own", "a\r\nSet-Cookie: a=b"],
    ["Slipway-Own", "ü"],
  ];
  for (const [name, value] of refused) {
    const answer = await set(name, value);
    t.match([answer.status, await answer.json()], [500, { id: "plugin-error" }], `${name}: ${value}`);
    t.equal(answer.headers.get("Set-Cookie"), null);
    t.equal(answer.headers.get("Slipway-Plugin"), "Headers@1.0.0");
  }
});

t.test("keys outlast a restart; no token is in the log or on disk", async (t) => {
  const alice = await list({ authToken: "alice" });
  const key = storeKey(alice, "letter");
  const lines = JSON.stringify(host.log);
  await host.stop();
  const files = await readdir(places, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((each) => each.isFile())
    .map((each) => readFile(join(each.parentPath, each.name), "latin1"));
  const written = (await Promise.all(texts)).join("\n");
  t.match(written, key.slice(-20), "keys are there");
  for (const token of ["alice", "only-for-the-store", "token-500", "hunter"]) {
    t.notOk(written.includes(token), `${token} on disk`);
    t.notOk(lines.includes(token), `${token} in the log`);
  }
  t.notOk(lines.includes(key.slice(-20)), "nor a key in the log");

  // The archives that were used last stay; one of them is not what it was.
  const later = new Date(Date.now() + 60_000);
  const fileOf = ({ archive }: StoredTemplate): string => join(archives, `${sha256Of(archive)}.tgz`);
  await writeFile(fileOf(label), "damaged");
  for (const each of [letter, label]) await utimes(fileOf(each), later, later);
  await writeFile(join(places, "known.json.1-1.part"), "{");
  const asked = store.asked.length;
  host = await start([plugins], { url: undefined, timeout: 4000, freshness: 0, diskBytes });
  t.equal(await options(key), 200);
  t.equal(store.asked.length, asked, "without asking the store");
  const owdsURL = `${store.url}/base`;
  // Until processes are up and the templates are checked.
  await until(async () => (await list({ owdsURL, authToken: "alice" })).store === "ok");
  const again = await list({ owdsURL, authToken: "alice" });
  t.strictSame(again.keys, alice.keys);
  t.equal(storeKey(again, "letter"), key, "and stay the same");
  t.ok(
    store.asked.slice(asked).some(({ path }) => path === `/base/${label.file}`),
    "what was damaged is loaded again",
  );
  t.notOk(
    host.log.some(({ reason }) => reason === "its archive is gone"),
    "at once",
  );
  t.equal((await stat(join(places, "secret"))).mode & 0o077, 0, "the secret is its owner's");
  t.notOk(
    (await readdir(places)).some((name) => name.endsWith(".part")),
    "leftovers are swept",
  );
});

t.test("a slow store gives what it has in time, and archives take so much room and no more", async (t) => {
  const owdsURL = `${store.url}/base`;
  const slow = storedReport("slow", "<p>Slow</p>");
  store.misbehaviours.set("slow", (request, response) => {
    if (request.url === "/base/index.json") response.writeHead(200).end(indexText([letter, slow]));
    else if (request.url === `/base/${letter.file}`) response.writeHead(200).end(letter.archive);
  });
  store.misbehaviours.set("trickle", (_request, response) => {
    const timer = setInterval(() => response.write(" "), 50);
    response.once("close", () => clearInterval(timer));
  });
  const silent = new Set<string>();
  const silentToken = (index: number): string => {
    const token = `silent-${index}`;
    store.misbehaviours.set(token, () => silent.add(token));
    return token;
  };
  const ended: string[] = [];
  const ask = (authToken: string): Promise<Listed> =>
    list({ owdsURL, authToken }).finally(() => ended.push(authToken));
  const early = Promise.all(["slow", "trickle", silentToken(0)].map(ask));
  await until(() => silent.size === 1);
  const crowd = Promise.all(Array.from({ length: 20 }, (_, index) => ask(silentToken(index + 1))));
  await until(() => silent.size > 12);
  t.strictSame((await list({})).keys, ["own"]);
  t.notOk(ended.includes("slow"), "requests that do not wait for a store come through");
  const late = /^failed; reason="The (store|server) did not answer (within (4000|500) ms|in time)."$/;
  const [some, ...none] = await early;
  t.match(some, { keys: ["letter", "own"], store: late }, "what is there is given");
  t.equal(await options(storeKey(some ?? (await ask("slow")), "letter")), 200, "and can be used");
  for (const each of [...none, ...(await crowd)]) t.match(each, { keys: ["own"], store: late });
  t.match((await ask(silentToken(99))).store, /within 500 ms/, "a store that hangs is not waited for long");
  await until(async () => (await ask("alice")).store === "ok");
  t.match(await list({ authToken: "alice" }), {
    keys: ["own"],
    store: /^failed; reason="No template store is/,
  });

  const names = await readdir(archives);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(archives, name))).size));
  t.ok(sizes.length > 0);
  t.ok(sizes.reduce((sum, each) => sum + each, 0) <= diskBytes, `${sizes.join(" + ")} bytes of ${diskBytes}`);
});

t.test("published templates are a store that any web server can serve", async (t) => {
  const sources = join(folder, "sources");
  await writeFiles(sources, {
    "_standard/style.css": "p { color: black }",
    "_standard/partials/end.ejs": "<p>Shared end</p>",
    "_standard/i18n/en.json": '{ "title": "Shared title" }',
    "news/template.json": definition("news", { category, shared: ["_standard"] }),
    "news/report.ejs": '<h1><%= d.t("title") %></h1><%- include("partials/end") %>',
    "list/template.json": definition("list", { category }),
    "list/report.ejs": "<p>List</p>",
  });
  const publish = (...more: string[]) => runCommand(["template", "publish", "--templates", sources, ...more]);
  const all = await publish("--out", published);
  t.match([all.code, all.output], [0, `${join(published, "index.json")}\n`], all.errors);
  const files = await readdir(published);
  const names = files.map((name) => name.replace(/[0-9a-f]{8}\.tgz$/, "<hash>.tgz"));
  t.strictSame(names.sort(), ["index.json", "list-1.0.0-<hash>.tgz", "news-1.0.0-<hash>.tgz"]);

  await until(async () => (await list({ owdsURL: web.url })).store === "ok");
  const found = await list({ owdsURL: web.url });
  t.strictSame([found.keys, found.store], [["list", "news", "own"], "ok"]);
  const client = new ReporterClient(host.url);
  const sessionId = await client.open(project([article(1, "10")]));
  const made = await client.post("generate", { sessionId, templateKey: storeKey(found, "news") });
  t.match((await client.pages(made.json["url"]))[0], /Shared title Shared end/);

  const one = await publish("list", "--out", published);
  t.equal(one.code, 0);
  t.strictSame(await readdir(published), files, "the same template is the same archive");
  t.strictSame(
    (await list({ owdsURL: web.url, update: "" })).keys,
    ["list", "own"],
    "the index has what was named",
  );
  await writeFiles(sources, { "wrong/template.json": definition("wrong"), "wrong/report.ejs": "<% if ( %>" });
  const wrong = await publish("list", "wrong", "nothing", "--out", join(sources, "published"));
  t.equal(wrong.code, 1);
  t.match(
    wrong.errors,
    /is inside a template folder.*\nThere is no template .nothing.; there are list, news, wrong.\nwrong: report.ejs:1: /,
  );
  t.notOk((await readdir(sources)).includes("published"), "nothing was written");
});
