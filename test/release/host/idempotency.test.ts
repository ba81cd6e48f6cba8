/** Requests that are sent again with the same key: the work is done once. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { ask, inState, jobOf, notesIn, startWorkshop, workshop } from "../../host/jobs-support.js";
import { dropArchive } from "../../host/plugin-load/plugin-dropping.js";
import { samplePlugin } from "../../host/plugin-load/plugin-maker.js";
import { until } from "../../host/plugins-support.js";
import { project, session } from "../../host/sessions-support.js";
import type { StartedHost } from "../../start-host.js";

let folder: string;
let host: StartedHost;
const start = (): Promise<StartedHost> => startWorkshop(folder, { var: join(folder, "var") });

t.before(async () => {
  folder = await workshop(t);
  // Before the folder goes, in which it works.
  t.teardown(() => host?.stop());
  host = await start();
});

const keyed = (key: string, more: Record<string, string> = {}) => ({ "Idempotency-Key": key, ...more });

async function shown(answer: Response) {
  const { status, headers } = answer;
  const [made, replayed] = [headers.get("slipway-made"), headers.get("idempotent-replayed")];
  return { status, body: await answer.text(), made, replayed, plugin: headers.get("slipway-plugin") };
}

t.test("the answer is repeated, and the work is not", async (t) => {
  const notes = join(folder, "notes-1");
  const body = { text: "made", notes };
  const first = await shown(await ask(host.url, "make", body, keyed('"one"')));
  t.match(first, { status: 200, made: "yes", replayed: null, plugin: "Workshop@1.0.0" });
  for (const key of ['"one"', "one"])
    t.strictSame(await shown(await ask(host.url, "make", body, keyed(key))), { ...first, replayed: "true" });
  t.equal((await notesIn(notes)).length, 1);
  await ask(host.url, "make", body, keyed("two"));
  await ask(host.url, "make", body);
  t.equal((await notesIn(notes)).length, 3, "another key, and none");

  const other = await ask(host.url, "make", { ...body, text: "other" }, keyed("one"));
  t.match([other.status, await other.json()], [422, { id: "request-key-reused" }]);
  const elsewhere = await ask(host.url, "refuse", body, keyed("one"));
  t.equal(elsewhere.status, 422);
  t.match(await elsewhere.json(), { id: "request-key-reused" });
  const wrong = await ask(host.url, "make", {}, keyed("x".repeat(256)));
  t.match([wrong.status, await wrong.json()], [400, { id: "request-bad-request" }]);
});

t.test("an error of the request is repeated, one of the server is not", async (t) => {
  const refused = await shown(await ask(host.url, "refuse", {}, keyed("refused")));
  t.match(refused, { status: 422, body: /workshop-empty/, replayed: null });
  const again = await shown(await ask(host.url, "refuse", {}, keyed("refused")));
  t.strictSame(again, { ...refused, replayed: "true" });
  for (const _ of [1, 2])
    t.match(await shown(await ask(host.url, "fail", {}, keyed("failed"))), { status: 500, replayed: null });
});

t.test("while the first one runs, others are told to wait", async (t) => {
  const [gate, notes] = [join(folder, "gate"), join(folder, "notes-2")];
  const first = ask(host.url, "make", { gate, notes }, keyed("slow"));
  await until(async () => (await notesIn(notes)).length > 0);
  const second = await ask(host.url, "make", { gate, notes }, keyed("slow"));
  t.match([second.status, await second.json()], [409, { id: "request-conflict" }]);
  t.ok(Number(second.headers.get("retry-after")) > 0);
  await writeFile(gate, "");
  t.equal((await first).status, 200);
  t.match(await shown(await ask(host.url, "make", { gate, notes }, keyed("slow"))), { replayed: "true" });
  t.equal((await notesIn(notes)).length, 1);
});

t.test("one session and one job for each key, also after a kill -9", async (t) => {
  const open = (key: string, locale = "de_DE") =>
    fetch(`${host.url}/api/sessions?locale=${locale}`, {
      method: "POST",
      headers: keyed(key, { "Content-Type": "application/json" }),
      body: JSON.stringify(project()),
    });
  const opened = await open("session");
  t.equal(opened.status, 201);
  const location = opened.headers.get("location");
  const { sessionId } = await session(opened);
  t.equal((await open("session", "en_GB")).status, 422);
  const gate = join(folder, "gate-2");
  const headers = keyed("job", { Prefer: "respond-async" });
  const accepted = await ask(host.url, "make", { gate }, headers);
  t.equal(accepted.status, 202);
  const { id } = await jobOf(accepted);
  await host.kill();
  host = await start();

  const again = await open("session");
  t.match([again.status, again.headers.get("location")], [201, location]);
  t.equal((await session(again)).sessionId, sessionId);
  const repeated = await ask(host.url, "make", { gate }, headers);
  t.match([repeated.status, repeated.headers.get("location")], [202, `/api/jobs/${id}`]);
  t.match(await (await fetch(`${host.url}/api/jobs`)).json(), { jobs: [{ id }] });
  await writeFile(gate, "");
  await inState(host.url, id, "done");
  const listed: unknown = await (await fetch(`${host.url}/api/jobs`)).json();
  t.match(listed, { jobs: { length: 1 } });
});

t.test("a job that was waited for is repeated like every other answer", async (t) => {
  const waited = (key: string) => keyed(key, { Prefer: "respond-async, wait=60" });
  const first = await shown(await ask(host.url, "make", { text: "ä" }, waited("waited")));
  t.match(first, { status: 200, made: "yes", replayed: null });
  const again = await shown(await ask(host.url, "make", { text: "ä" }, waited("waited")));
  t.strictSame(again, { ...first, replayed: "true" });
  for (const _ of [1, 2]) {
    const failed = await shown(await ask(host.url, "fail", {}, waited("waited-and-failed")));
    t.match(failed, { status: 500, replayed: null });
  }
});

t.test("a plugin is added once, and rolled back once, however often the request comes", async (t) => {
  const upload = async (version: string, key: string) => {
    const file = join(folder, `sample-${version}.tgz`);
    if (!existsSync(file)) await dropArchive(await samplePlugin({ version }), file);
    const answer = await fetch(`${host.url}/api/plugins`, {
      method: "POST",
      headers: { "Content-Type": "application/gzip", ...keyed(key) },
      body: await readFile(file),
    });
    return {
      status: answer.status,
      replayed: answer.headers.get("idempotent-replayed"),
      body: await answer.json(),
    };
  };
  const first = await upload("1.0.0", "add-1");
  t.match(first, { status: 201, replayed: null, body: { plugin: { name: "Sample", version: "1.0.0" } } });
  t.strictSame(await upload("1.0.0", "add-1"), { ...first, replayed: "true" });
  t.match(await upload("1.0.0", "add-2"), { status: 409, body: { id: "plugin-conflict" } });
  t.match(await upload("1.1.0", "add-1"), { status: 422, body: { id: "request-key-reused" } });
  for (const version of ["1.1.0", "1.2.0"]) t.match(await upload(version, `add-${version}`), { status: 201 });
  const rollback = async () => {
    const answer = await fetch(`${host.url}/api/plugins/Sample/rollback`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...keyed("back") },
      body: JSON.stringify({ release: "1.0" }),
    });
    return { status: answer.status, body: await answer.text() };
  };
  const back = await rollback();
  t.match(back, { status: 200, body: /"rollbacks":\[\{[^}]*1\.1\.0/ });
  t.strictSame(await rollback(), back, "and not to the version before that");
  const { plugins } = Object(await (await fetch(`${host.url}/api/plugins`)).json());
  t.ok(
    plugins.some(
      (each: { version: string; stage: string }) => each.version === "1.1.0" && each.stage === "live",
    ),
  );
});
