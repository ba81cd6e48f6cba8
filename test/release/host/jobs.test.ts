/** Requests that are answered later: the same answers, whatever becomes of host and client meanwhile. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { newKey } from "../../host/access-support.js";
import {
  ask,
  askLater,
  getJob,
  inState,
  jobOf,
  notesIn,
  startWorkshop,
  workshop,
} from "../../host/jobs-support.js";
import { until } from "../../host/plugins-support.js";
import { findServer, newDatabase, noServer } from "../../host/postgresql-support.js";
import { project, session } from "../../host/sessions-support.js";
import type { StartedHost } from "../../start-host.js";

const server = await findServer(t);
let folder: string;
let host: StartedHost;
let gates = 0;

/** What `make` waits for, and where it takes notes. */
function held() {
  gates += 1;
  const [gate, notes] = [join(folder, `gate-${gates}`), join(folder, `notes-${gates}`)];
  return { body: { text: "made", gate, notes }, notes, open: () => writeFile(gate, "") };
}

const start = (configuration: Record<string, unknown> = {}, more: object = {}): Promise<StartedHost> =>
  startWorkshop(folder, { configuration: { jobs: configuration, ...more } });

t.before(async () => {
  folder = await workshop(t);
  host = await start();
});
t.teardown(() => host?.stop());

const volatile = new Set(["date", "x-request-id", "connection", "keep-alive", "etag", "last-modified"]);
async function shown(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => !volatile.has(name));
  const text = await answer.text();
  return { status: answer.status, headers: Object.fromEntries(headers), body: text };
}

function withoutSunset({ headers: { sunset: _, ...headers }, ...rest }: Awaited<ReturnType<typeof shown>>) {
  return { ...rest, headers };
}

t.test("the result is the answer that the request would have got", async (t) => {
  const asked: [string, unknown?][] = [
    ["make", { text: "\u0000ä\ud800" }],
    ["make", {}],
    ["make", { text: null }],
    ["list/a%2Fb?number=5&words=a&words=%C3%A4"],
    ["file"],
    ["text"],
    ["page"],
    ["elsewhere"],
    ["refuse", {}],
    ["fail", {}],
  ];
  for (const [operation, body] of asked) {
    const direct = await shown(await ask(host.url, operation, body));
    const answer = await ask(host.url, operation, body, { Prefer: "respond-async" });
    t.match([answer.status, answer.headers.get("preference-applied")], [202, "respond-async"], operation);
    const accepted = await jobOf(answer);
    t.equal(answer.headers.get("location"), `/api/jobs/${accepted.id}`);
    t.ok(accepted.id.length >= 24 && Number(answer.headers.get("retry-after")) > 0);
    const ended = await getJob(host.url, accepted.id, "?wait=60");
    const state = direct.status < 400 ? "done" : "failed";
    t.match(ended, { state, attempt: 1, plugin: "Workshop@1.0.0", result: { code: direct.status } });
    t.ok(ended.created <= (ended.started ?? "") && (ended.started ?? "") <= (ended.finished ?? ""));
    const later = await shown(await fetch(ended.result?.url ?? "", { redirect: "manual" }));
    if (operation === "fail") {
      t.match(JSON.parse(later.body), { id: "plugin-error", additionalInformation: { requestId: /./ } });
      t.notMatch(later.body, /hidden/);
    } else {
      // A file lives from when it was made, and a second may pass in between.
      const last = await shown(await ask(host.url, operation, body));
      const ends = [direct, later, last].map(({ headers }) =>
        Date.parse(headers.sunset ?? new Date(0).toUTCString()),
      );
      t.strictSame(
        ends,
        [...ends].sort((one, other) => one - other),
        `${operation}: ends of files`,
      );
      t.strictSame(withoutSunset(later), withoutSunset(direct), operation);
    }
    if (direct.status >= 400) t.equal(ended.error?.id, JSON.parse(direct.body).id);
  }
});

t.test("what is wrong is refused at once, and no job", async (t) => {
  const before = await (await fetch(`${host.url}/api/jobs`)).text();
  const unknown = "00000000-0000-4000-8000-000000000000";
  for (const [operation, body, status] of [
    ["make", { text: 5 }, 400],
    ["name", { gate: "x" }, 400],
    ["name", { gate: "x", sessionId: unknown }, 422],
    ["nothing", {}, 404],
    ["list/a?number=x", undefined, 400],
  ] as const) {
    const direct = await shown(await ask(host.url, operation, body));
    const later = await shown(await ask(host.url, operation, body, { Prefer: "respond-async" }));
    t.equal(direct.status, status);
    t.strictSame(later, direct, operation);
  }
  t.equal(await (await fetch(`${host.url}/api/jobs`)).text(), before);
  for (const path of ["unknown", "unknown/result"])
    t.match(await (await fetch(`${host.url}/api/jobs/${path}`)).json(), {
      code: 404,
      id: "request-not-found",
    });
});

t.test("other preferences change nothing; wait answers a quick request as ever", async (t) => {
  for (const Prefer of [
    "wait=5",
    "handling=lenient",
    "return=minimal; respond-async",
    'note="later, respond-async, please"',
    "respond-async please",
    '"respond-async"',
  ]) {
    const answer = await ask(host.url, "make", {}, { Prefer });
    t.match([answer.status, answer.headers.get("preference-applied")], [200, null], Prefer);
  }
  const quick = await ask(
    host.url,
    "make",
    { text: "a" },
    {
      Prefer: 'note="a \\" , b"; c="d;e,", Respond-Async;x, wait = "60", wait=1, ;=, handling',
    },
  );
  t.equal(quick.headers.get("preference-applied"), "respond-async, wait=60");
  t.match([quick.status, quick.headers.get("slipway-made"), await quick.json()], [200, "yes", { text: "a" }]);
  const { body, open } = held();
  const slow = await ask(host.url, "make", body, { Prefer: "respond-async, wait=1" });
  t.equal(slow.status, 202);
  const { id } = await jobOf(slow);
  const early = await fetch(`${host.url}/api/jobs/${id}/result`);
  t.match([early.status, await early.json()], [409, { id: "request-conflict" }]);
  await until(async () => (await getJob(host.url, id)).progress !== undefined);
  t.strictSame((await getJob(host.url, id)).progress, { part: 0.4, text: "page 40 of 100" });
  const waiting = getJob(host.url, id, "?wait=60");
  await open();
  t.match(await waiting, { state: "done" });
});

t.test("a job is cancelled while it waits and while it runs", async (t) => {
  const one = await start({ concurrency: 1, queue: 2 });
  t.teardown(() => one.stop());
  const first = held();
  const running = await askLater(one.url, "make", first.body);
  await until(async () => (await notesIn(first.notes)).length > 0);
  const second = held();
  const waiting = await askLater(one.url, "make", second.body);
  const third = await askLater(one.url, "make", { text: "third" });
  const refused = await ask(one.url, "make", {}, { Prefer: "respond-async" });
  t.equal(refused.status, 503, "the queue is full");
  t.match(await refused.json(), { id: "request-overloaded" });
  t.ok(Number(refused.headers.get("retry-after")) > 0);

  const ready: unknown = await (await fetch(`${one.url}/readyz`)).json();
  const problems = [/^100 % of jobs\.queue are used/];
  t.match(ready, { parts: { jobs: { ready: true, detail: "1 running, 2 waiting.", problems } } });

  const cancel = (id: string) => fetch(`${one.url}/api/jobs/${id}`, { method: "DELETE" });
  t.match(await jobOf(await cancel(waiting.id)), { state: "cancelled", attempt: 0 });
  t.match(await jobOf(await cancel(running.id)), { state: "cancelled", attempt: 1 });
  await until(async () => (await notesIn(first.notes)).includes("given up"));
  await inState(one.url, third.id, "done");
  t.match(await jobOf(await cancel(third.id)), { state: "done" });
  t.strictSame(await notesIn(second.notes), [], "it was never begun");
  t.equal((await fetch(`${one.url}/api/jobs/${running.id}/result`)).status, 409);
  for (const unknown of ["unknown", "error"]) t.equal((await cancel(unknown)).status, 404);
  const listed = await (await fetch(`${one.url}/api/jobs?state=cancelled`)).json();
  t.match(listed, { jobs: [{ id: waiting.id }, { id: running.id }] });
});

t.test("the answer is made from the project of the moment at which the request came", async (t) => {
  const post = (path: string, method: string, body: unknown) =>
    fetch(host.url + path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const opened = await session(await post("/api/sessions", "POST", project()));
  const { sessionId } = opened;
  const { body, open } = held();
  const asked = await askLater(host.url, "name", { sessionId, gate: body.gate });
  t.equal(asked.revision, 1);
  const { header, ...rest } = project();
  const renamed = { ...rest, header: { ...Object(header), name: "Other" } };
  for (const revision of [2, 3, 4])
    t.equal((await session(await post(`/api/sessions/${sessionId}`, "PUT", renamed))).revision, revision);
  await open();
  const { result } = await inState(host.url, asked.id, "done");
  t.same(await (await fetch(result?.url ?? "")).json(), { name: opened.project.name });

  const late = held();
  const closed = await askLater(host.url, "name", { sessionId, gate: late.body.gate });
  t.equal((await fetch(`${host.url}/api/sessions/${sessionId}`, { method: "DELETE" })).status, 204);
  await late.open();
  t.match(await inState(host.url, closed.id, "failed"), {
    result: { code: 422 },
    error: { id: "request-session-not-found" },
  });
});

/** A host with its own folder, killed or stopped while it works on a job, and started again. */
async function interrupted(
  jobs: Record<string, unknown>,
  end: (host: StartedHost, id: string) => Promise<unknown>,
) {
  const var_ = join(folder, `var-${gates}`);
  const options = { var: var_ };
  const before = await startWorkshop(folder, {
    ...options,
    configuration: { jobs, requests: { drain: 200 } },
  });
  const { body, notes, open } = held();
  const { id } = await askLater(before.url, "make", body);
  const waiting = await askLater(before.url, "make", { text: "second" });
  await until(async () => (await notesIn(notes)).length > 0);
  await end(before, id);
  const after = await startWorkshop(folder, { ...options, configuration: { jobs } });
  return { after, id, waiting, notes, open };
}

t.test("kill -9: a job is begun again, and what waits is not lost", async (t) => {
  const { after, id, waiting, notes, open } = await interrupted({ concurrency: 1 }, (before) =>
    before.kill(),
  );
  t.teardown(() => after.stop());
  await until(async () => (await notesIn(notes)).length === 2);
  t.match(await getJob(after.url, id), { state: "running", attempt: 2 });
  t.same(await notesIn(notes), ["begun", "begun"], "the first attempt ended with its host");
  await open();
  const { result } = await inState(after.url, id, "done");
  t.equal(result?.code, 200);
  t.match(await (await fetch(`${after.url}/api/jobs/${id}/result`)).json(), { text: "made" });
  t.match(await inState(after.url, waiting.id, "done"), { attempt: 1 });
});

t.test("kill -9 at the last attempt: a clear error", async (t) => {
  const { after, id } = await interrupted({ attempts: 1 }, (before) => before.kill());
  t.teardown(() => after.stop());
  t.match(await inState(after.url, id, "failed"), { attempt: 1, error: { id: "job-abandoned" } });
  const result = await fetch(`${after.url}/api/jobs/${id}/result`);
  t.match([result.status, await result.json()], [500, { id: "job-abandoned", message: /started once/ }]);
});

t.test("a host that stops gives its jobs back, which is no failure", async (t) => {
  const { after, id, notes, open } = await interrupted({ attempts: 1 }, async (before, id) => {
    const waiting = getJob(before.url, id, "?wait=60");
    // The question for the status is one of them.
    await until(async () =>
      /"running":[2-9]/.test(JSON.stringify(await (await fetch(`${before.url}/api/status`)).json())),
    );
    t.equal(await before.stop(), 0);
    t.match(await waiting, { id }, "a client that waits is told how it is");
  });
  t.teardown(() => after.stop());
  t.strictSame((await notesIn(notes)).slice(0, 2), ["begun", "given up"]);
  await open();
  t.match(await inState(after.url, id, "done"), { attempt: 2, result: { code: 200 } });
});

t.test(
  "two hosts on one database: the other one goes on",
  { skip: server === undefined && noServer },
  async (t) => {
    const engine = { url: await newDatabase(t, server ?? "") };
    const [one, other] = await Promise.all([
      start({ lease: 1000 }, { engine }),
      start({ lease: 1000, concurrency: 0 }, { engine }),
    ]);
    t.teardown(() => other.stop());
    const { body, notes, open } = held();
    const { id } = await askLater(other.url, "make", body);
    await until(async () => (await notesIn(notes)).length > 0);
    t.match(await inState(other.url, id, "running"), { attempt: 1 });
    const idle = held();
    const cancelled = await askLater(other.url, "make", idle.body);
    await until(async () => (await notesIn(idle.notes)).length > 0);
    await fetch(`${other.url}/api/jobs/${cancelled.id}`, { method: "DELETE" });
    await until(async () => (await notesIn(idle.notes)).includes("given up"));
    await one.kill();
    const third = await start({ lease: 1000 }, { engine });
    t.teardown(() => third.stop());
    await until(async () => (await getJob(third.url, id)).attempt > 1);
    await open();
    t.ok((await inState(other.url, id, "done")).attempt > 1);
    t.ok((await notesIn(notes)).filter((note) => note === "begun").length > 1);
    t.match(await (await fetch(`${other.url}/api/jobs/${id}/result`)).json(), { text: "made" });
  },
);

t.test("the list is for keys with a role; a job is for whoever knows its id", async (t) => {
  const var_ = join(folder, "var-keys");
  const keys = {
    read: await newKey(t, var_, "read", "--role", "read"),
    sessions: await newKey(t, var_, "sessions", "--role", "sessions"),
  };
  const guarded = await startWorkshop(folder, { var: var_ });
  t.teardown(() => guarded.stop());
  const { id } = await askLater(guarded.url, "make", { text: "a" });
  t.match(await inState(guarded.url, id, "done"), { result: { code: 200 } });
  const list = async (key?: string) => {
    const answer = await fetch(`${guarded.url}/api/jobs`, {
      headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
    });
    return { status: answer.status, text: await answer.text() };
  };
  t.equal((await list()).status, 401);
  const reader = await list(keys.read);
  t.equal(reader.status, 200);
  t.notMatch(reader.text, id);
  t.match(reader.text, id.slice(0, 8));
  t.match((await list(keys.sessions)).text, id);
  const page = { Origin: "https://evil.example.com", "Sec-Fetch-Site": "cross-site" };
  t.equal(
    (await fetch(`${guarded.url}/api/jobs`, { headers: page })).headers.get("access-control-allow-origin"),
    null,
  );
  const polled = await fetch(`${guarded.url}/api/jobs/${id}`, { headers: page });
  t.equal(
    polled.headers.get("access-control-allow-origin"),
    "*",
    "pages that may call plugins may ask for their jobs",
  );
  t.match(polled.headers.get("access-control-expose-headers"), /Location/);
});
