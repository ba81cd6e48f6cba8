/** Opening projects in every form, what is refused and why, and what the pages and commands of sessions show. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Asset } from "@slipway/sdk";
import t from "tap";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { article, demoFile, pixel, project, session, view, violatedPaths } from "./sessions-support.js";

const small = 400_000;

const fixtures = join(repository, "test", "fixtures", "plugins", "good");
const folder = t.testdir({
  var: {},
  plugins: { consumer: t.fixture("symlink", join(fixtures, "consumer")) },
});
const places = { var: join(folder, "var"), plugins: [join(folder, "plugins")] };
let host: StartedHost;

const post = (body: string | Uint8Array, type = "application/json", query = ""): Promise<Response> =>
  fetch(`${host.url}/api/sessions${query}`, { method: "POST", headers: { "Content-Type": type }, body });

const postJson = (value: unknown): Promise<Response> => post(JSON.stringify(value));

const postForm = (form: FormData): Promise<Response> =>
  fetch(`${host.url}/api/sessions`, { method: "POST", body: form });

t.before(async () => {
  host = await startHost({
    ...places,
    configuration: { limits: { project: small } },
  });
});
t.teardown(() => host.stop());

t.test("a picture of a project can be had by itself, and only from its session", async (t) => {
  const opened = await session(await post(await demoFile("json")));
  const other = await session(await postJson(project()));
  const inline = await fetch(`${host.url}/api/sessions/${opened.sessionId}/project?assets=inline`);
  const { assets = {} }: { assets?: Record<string, Asset> } = JSON.parse(await inline.text());
  const { sha256, mediaType, base64 } = Object.values(assets)[0] ?? {};
  const picture = (id: string, name = sha256) => `${host.url}/api/sessions/${id}/assets/${name}`;
  const answer = await fetch(picture(opened.sessionId));
  t.equal(answer.status, 200);
  t.equal(answer.headers.get("content-type"), mediaType);
  t.match(answer.headers.get("content-security-policy"), /default-src 'none'/);
  t.equal(Buffer.from(await answer.arrayBuffer()).toString("base64"), base64);
  const headers = { "If-None-Match": answer.headers.get("etag") ?? "", "Cache-Control": "max-age=0" };
  t.equal((await fetch(picture(opened.sessionId), { headers })).status, 304);
  for (const [address, status] of [
    [picture(other.sessionId), 404],
    [picture(opened.sessionId, "0".repeat(64)), 404],
    [picture(opened.sessionId, "..%2Fproject-1.json"), 400],
    [picture("00000000-0000-4000-8000-000000000000"), 404],
  ] as const)
    t.equal((await fetch(address)).status, status, address);
});

t.test("a project opens in each of its forms", async (t) => {
  const opened = await session(await post(await demoFile("json"), "application/json", "?locale=de_DE"));
  t.equal(opened.locale, "de_DE");
  t.equal(opened.revision, 1);
  t.ok(opened.project.articles > 0);

  const obk = await session(await post(await demoFile("obk"), "application/zip"));
  t.equal(obk.locale, "en");
  t.equal(obk.project.name, opened.project.name);
  t.equal(obk.project.articles, opened.project.articles);

  const obx = await session(await post(await demoFile("obx"), "application/xml"));
  t.ok(obx.project.articles > 0);
  t.match(obx.warnings, [{ message: /picture/ }], "an OBX refers to pictures that it does not hold");

  const untyped = await session(await post(await demoFile("obk"), "application/x-www-form-urlencoded"));
  t.equal(untyped.project.articles, obk.project.articles, "the content decides where the type is wrong");

  const wrapped = await session(await postJson({ locale: "fr_CH", project: project() }));
  t.equal(wrapped.locale, "fr_CH");

  const packed = await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Encoding": "gzip", "Content-Type": "application/json" },
    body: gzipSync(JSON.stringify(project())),
  });
  t.equal((await session(packed)).project.name, "Small");
});

t.test("a project opens from a form, and nothing of the upload stays", async (t) => {
  const form = new FormData();
  form.set("locale", "de_AT");
  form.set("project", new Blob([await demoFile("obx")]), "../../demo.obx");
  const opened = await session(await postForm(form));
  t.equal(opened.locale, "de_AT");

  const text = new FormData();
  text.set("project", JSON.stringify(project()));
  t.equal((await session(await postForm(text))).project.name, "Small");

  const large = new FormData();
  large.set("project", new Blob([Buffer.alloc(small + 1)]), "large.obk");
  t.equal((await postForm(large)).status, 413);

  const both = new FormData();
  both.append("project", new Blob(["{}"]), "one.json");
  both.append("project", new Blob(["{}"]), "two.json");
  t.equal((await postForm(both)).status, 400);
  t.match(await (await postForm(new FormData())).json(), { code: 400 });
  t.strictSame(await readdir(join(host.var, "tmp")), []);
});

t.test("a session can be looked at, replaced, kept and closed", async (t) => {
  const opened = await session(await postJson(project()));
  const url = `${host.url}/api/sessions/${opened.sessionId}`;
  t.match(await session(await fetch(url)), { ...opened, warnings: undefined });
  const list = JSON.stringify(await (await fetch(`${host.url}/api/sessions`)).json());
  t.ok(list.includes(opened.sessionId));

  const stored = await (await fetch(`${url}/project`)).json();
  t.match(stored, { assets: { picture: { mediaType: "image/png", sha256: /^[0-9a-f]{64}$/ } } });
  t.notMatch(stored, { assets: { picture: { base64: String } } });
  t.match(await (await fetch(`${url}/project?assets=inline`)).json(), {
    assets: { picture: { base64: pixel } },
  });

  const replaced = await session(await fetch(url, { method: "PUT", body: JSON.stringify(stored) }));
  t.equal(replaced.revision, 2, "assets that the session holds need no bytes");
  t.match(await (await fetch(`${url}/project?assets=inline`)).json(), {
    assets: { picture: { base64: pixel } },
  });
  const elsewhere = await postJson(stored);
  t.equal(elsewhere.status, 400, "another session does not hold them");

  const kept = await session(await fetch(`${url}/keepalive`, { method: "POST" }));
  t.ok(Date.parse(kept.expiresAt) >= Date.parse(opened.expiresAt));

  t.equal((await fetch(url, { method: "DELETE" })).status, 204);
  for (const [path, method] of [
    ["", "GET"],
    ["", "DELETE"],
    ["/project", "GET"],
    ["/keepalive", "POST"],
  ] as const) {
    const gone = await fetch(`${url}${path}`, { method });
    t.equal(gone.status, 404);
    t.match(await gone.json(), { id: "request-session-not-found", code: 404, type: "request" });
  }
  const malformed = await fetch(`${host.url}/api/sessions/nonsense`);
  t.match(await malformed.json(), { code: 400, message: /sessionId.*uuid.*nonsense/ });
});

t.test("replacements at the same time: one wins, the other is told", async (t) => {
  const { sessionId } = await session(await postJson(project()));
  const url = `${host.url}/api/sessions/${sessionId}`;
  const bodies = ["one", "two", "three", "four"].map((name) => JSON.stringify(project({ header: { name } })));
  const answers = await Promise.all(bodies.map((body) => fetch(url, { method: "PUT", body })));
  const won = answers.filter((answer) => answer.status === 200).length;
  t.ok(won >= 1);
  t.ok(answers.every((answer) => answer.status === 200 || answer.status === 409));
  t.equal((await session(await fetch(url))).revision, 1 + won);
});

t.test("a broken file is refused with the place where it is broken", async (t) => {
  const refused = async (response: Response, code: number): Promise<string> => {
    const error: unknown = await response.json();
    t.equal(response.status, code, JSON.stringify(error));
    t.match(error, { code, type: "request", cause: [], scopes: [] });
    t.notMatch(JSON.stringify(error), /node_modules|\/dist\/|at \w+ \(/);
    return JSON.stringify(error);
  };
  t.match(await refused(await post('{"formatVersion": "1",\n  "id": ?}'), 400), /line 2, column 9/);
  t.match(await refused(await post('{"a": "b'), 400), /line 1, column 9/);
  t.match(await refused(await post(""), 400), /nothing in it/);
  t.match(await refused(await post(Buffer.from([0x7b, 0x22, 0xff, 0xfe])), 400), /UTF-8/);
  t.match(
    await refused(await post(`{"project": ${"[".repeat(5000)}${"]".repeat(5000)}}`), 400),
    /200 levels/,
  );
  t.match(
    await refused(await post(Buffer.from([1, 2, 3]), "application/octet-stream"), 415),
    /application\/zip/,
  );
  t.match(await refused(await post("hello", "text/plain"), 415), /text\/plain/);

  const obk = await demoFile("obk");
  await refused(await post(obk.subarray(0, 20_000), "application/zip"), 400);
  const obx = (await demoFile("obx")).toString();
  t.match(await refused(await post(`${obx.slice(0, 5000)}<<`, "application/xml"), 400), /line \d+/);

  await refused(await post(Buffer.alloc(small + 1, 0x20)), 413);
  const bomb = await fetch(`${host.url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Encoding": "gzip" },
    body: gzipSync(Buffer.alloc(20 * small, 0x20)),
  });
  await refused(bomb, 413);
  t.match(
    await refused(await post(JSON.stringify(project()), "application/json", "?locale=xx-!"), 400),
    /locale/,
  );
});

t.test("everything that is wrong with a project is told at once", async (t) => {
  const other = "44444444-4444-4444-8444-444444444444";
  const wrong = project({
    items: [article(), article({ children: [article()] })],
    views: [view({ items: [{ id: other, basketItemIds: [other], positionNumber: "1" }] }), view()],
    defaultViewId: other,
    contacts: [{ id: 1 }],
    addresses: [{ addressType: "SoldTo", contactIds: [2] }, { addressType: "SoldTo" }],
    conditions: [{ itemId: other, level: 1, counter: 0, amount: { kind: "percentage", value: "5" } }],
    assets: {
      broken: { mediaType: "image/png", base64: "a" },
      empty: { mediaType: "image/png" },
      other: { mediaType: "image/png", base64: pixel, sha256: "0".repeat(64) },
    },
  });
  const response = await postJson(wrong);
  t.equal(response.status, 400);
  t.strictSame(await violatedPaths(response), [
    "project.addresses[0].contactIds[0]",
    "project.addresses[1].addressType",
    "project.assets.broken.base64",
    "project.assets.empty.base64",
    "project.assets.other.sha256",
    "project.conditions[0].itemId",
    "project.defaultViewId",
    "project.items[1].children[0].id",
    "project.items[1].id",
    "project.views[0].items[0].basketItemIds[0]",
    "project.views[1].id",
  ]);

  const shape = await (
    await postJson(project({ items: [{ type: "sofa" }], extra: 1, header: { number: 5 } }))
  ).json();
  t.match(shape, { message: /`project\.extra` is not a known field/ });
  t.match(shape, { message: /`project\.header\.number` must be a string/ });
  t.match(shape, { message: /`project\.items\[0\]\.type` must be one of/ });
});

t.test("real project files open", async (t) => {
  const samples = join(repository, "..", "shared", "samples");
  for (const name of ["one-article-with-contact.obk", "one-article.obx"]) {
    const file = join(samples, name);
    if (!existsSync(file)) {
      t.pass(`skipped: ${name} is not there`);
      continue;
    }
    const opened = await session(await post(await readFile(file), "application/octet-stream"));
    t.equal(opened.project.articles, 1, name);
  }
});

t.test("whatever happens to a session at the same time, every answer is one that it can give", async (t) => {
  const form = { method: "PUT", body: JSON.stringify(project()) };
  const wrong: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { sessionId } = await session(await postJson(project()));
    const url = `${host.url}/api/sessions/${sessionId}`;
    const ask = async (what: string, right: number[], asked: Promise<Response>): Promise<void> => {
      const answer = await asked;
      const text = await answer.text();
      if (!right.includes(answer.status)) wrong.push(`${what}: ${answer.status} ${text}`);
    };
    const several = [1, 2, 3].flatMap(() => [
      ask("look", [200, 404], fetch(url)),
      ask("project", [200, 404], fetch(`${url}/project`)),
      ask("pictures", [200, 404], fetch(`${url}/project?assets=inline`)),
      ask("replace", [200, 404, 409], fetch(url, form)),
      ask("keep", [200, 404], fetch(`${url}/keepalive`, { method: "POST" })),
      ask("use", [200, 422], fetch(`${host.url}/EAIWS/plugins/consumer/project?sessionId=${sessionId}`)),
    ]);
    several.push(ask("close", [204], fetch(url, { method: "DELETE" })));
    await Promise.all(several);
    t.equal((await fetch(url)).status, 404);
  }
  t.strictSame(wrong, []);
});

t.test("a full disk: 503, what was acknowledged stays, and later there is room again", async (t) => {
  const room = (bytes: number | "unlimited") =>
    promisify(execFile)("prlimit", ["--pid", String(host.process.pid), `--fsize=${bytes}:`]);
  const opened = await session(await postJson(project()));
  const url = `${host.url}/api/sessions/${opened.sessionId}`;
  const limited = await room(2000).catch(() => undefined);
  if (limited === undefined) return t.comment("skipped: this system cannot limit the files of a process");
  const large = JSON.stringify(project({ header: { name: "Large", description: "x".repeat(50_000) } }));
  for (const refused of [await post(large), await fetch(url, { method: "PUT", body: large })]) {
    t.equal(refused.status, 503);
    t.ok(Number(refused.headers.get("retry-after")) > 0);
    t.match(await refused.json(), { id: "request-overloaded", message: /disk of the host is full/ });
  }
  t.equal((await session(await fetch(url))).revision, 1);
  t.match(await (await fetch(`${url}/project`)).json(), { header: { name: "Small" } });
  const files = await readdir(join(host.var, "sessions"), { recursive: true });
  t.strictSame(
    files.filter((name) => name.endsWith(".part")),
    [],
    "nothing half-written takes room",
  );
  await room("unlimited");
  t.equal((await session(await fetch(url, { method: "PUT", body: large }))).revision, 2);
});

t.test("kill -9 of the host: its sessions are there after a restart; lifetimes and limits", async (t) => {
  const opened = await session(await postJson(project()));
  const url = `${host.url}/api/sessions/${opened.sessionId}`;
  const replaced = await session(await fetch(url, { method: "PUT", body: JSON.stringify(project()) }));
  await host.kill();
  const folder = join(host.var, "sessions");
  const count = (await readdir(folder)).length;
  await mkdir(join(folder, "left-over.part"));
  await writeFile(join(folder, opened.sessionId, "project-9.json.1.part"), "{");

  host = await startHost({
    ...places,
    configuration: { sessions: { lifetime: 1, maximumSessions: count + 1, opening: { memory: 64 } } },
  });
  const many = await postJson(project({ appData: { many: Array.from({ length: 2_000_000 }, () => []) } }));
  t.equal(many.status, 413, "a project that takes too much memory costs itself");
  t.match(await many.json(), { id: "request-too-large", message: /sessions.opening.memory/ });
  const found = await session(await fetch(`${host.url}/api/sessions/${opened.sessionId}`));
  t.equal(found.expiresAt, replaced.expiresAt);
  t.strictSame(found.project, replaced.project);
  t.equal(found.revision, 2);
  t.match(await (await fetch(`${host.url}/api/sessions/${opened.sessionId}/project?assets=inline`)).json(), {
    header: { name: "Small" },
    assets: { picture: { base64: pixel } },
  });
  t.equal((await readdir(folder)).length, count, "what was left over is swept");
  t.notOk((await readdir(join(folder, opened.sessionId))).some((name) => name.endsWith(".part")));

  const short = await session(await postJson(project()));
  const use = `${host.url}/EAIWS/plugins/consumer/project?sessionId=${short.sessionId}`;
  let answer = await fetch(use);
  while (answer.status !== 422) answer = await fetch(use);
  t.strictSame(await answer.json(), {
    code: 422,
    id: "request-session-not-found",
    type: "request",
    message: `The session ${short.sessionId} is unknown or has expired. Open the project again.`,
    cause: [],
    additionalInformation: {},
    scopes: [],
  });
  const full = await postJson(project());
  t.equal(full.status, 503);
  t.ok(full.headers.get("retry-after"));
  t.match(await full.json(), { id: "request-overloaded" });
});
