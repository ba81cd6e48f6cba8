/** What a host tells of its requests: lines of the log that belong together, lists and streams, its status; and no secrets. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Check, checked, type Static, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { HostDescription } from "../../host/host-description.js";
import { until } from "../../host/plugins-support.js";
import { demoFile, project } from "../../host/sessions-support.js";
import { listed, startStore, type TestStore } from "../../host/template-store-support.js";
import { isJson, type Json, ReporterClient } from "../../plugins/reporter-client.js";
import { runCommand } from "../../run-command.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

const fixtures = join(repository, "test", "fixtures", "plugins");
const validator = new Validator();

/** What is read of the status; the description of the host has the rest. */
const Status = Type.Object({
  ready: Type.Boolean(),
  started: Type.String(),
  process: Type.Object({ memory: Type.Integer(), heap: Type.Integer() }),
  requests: Type.Object({
    running: Type.Integer(),
    plugins: Type.Array(Type.Object({ working: Type.Integer(), waiting: Type.Integer() })),
  }),
  browser: Type.Object({ pages: Type.Integer() }),
  files: Type.Object({ count: Type.Integer() }),
  instances: Type.Array(Type.Object({ plugin: Type.String(), memory: Type.Optional(Type.Integer()) })),
});
const checkStatus = validator.compile(Status, "status");
/** What is read of a request. */
const RecentRequest = Type.Object({
  id: Type.Integer(),
  path: Type.String(),
  status: Type.Integer(),
  errorId: Type.Optional(Type.String()),
});
type RecentRequest = Static<typeof RecentRequest>;
const checkList = validator.compile(Type.Object({ requests: Type.Array(RecentRequest) }), "requests");
const checkRequest = validator.compile(RecentRequest, "request");

/** Tells with which headers it was asked. */
const server = createServer((request, response) => {
  server.emit("asked", request.headers);
  response.end("{}");
});
let store: TestStore;
let host: StartedHost;
let description: HostDescription;
let key: string;

t.before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  store = await startStore();
  const folder = t.testdir({
    plugins: {
      front: t.fixture("symlink", join(fixtures, "observed", "front")),
      back: t.fixture("symlink", join(fixtures, "observed", "back")),
      reporter: t.fixture("symlink", join(repository, "plugins", "reporter")),
    },
    var: {},
  });
  const made = await runCommand([
    ...["key", "new", "watcher", "--role", "operate", "--role", "sessions"],
    ...["--var", join(folder, "var")],
  ]);
  key = made.output.trim();
  host = await startHost({
    var: join(folder, "var"),
    plugins: [join(folder, "plugins")],
    configuration: {
      log: { level: "debug" },
      fetch: { allowedInternalHosts: [`127.0.0.1:${portOf()}`] },
      templates: { store: { allowedHosts: ["*"], allowedInternalHosts: [new URL(store.url).host] } },
      plugins: {
        limits: { front: { concurrency: 2, queue: 1 } },
        grants: { front: { network: [`127.0.0.1:${portOf()}`] } },
      },
    },
  });
  description = await HostDescription.of(host.url);
});
t.teardown(async () => {
  await host.stop();
  store.close();
  server.close();
  server.closeAllConnections();
});

function portOf(): number {
  const { port } = server.address() as AddressInfo;
  return port;
}

const ask = (path: string, options: RequestInit = {}): Promise<Response> =>
  fetch(`${host.url}${path}`, {
    ...options,
    headers: { Authorization: `Bearer ${key}`, ...options.headers },
  });

const talk = (requestId: string, body: Json = {}): Promise<Response> =>
  ask("/EAIWS/plugins/front/talk", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Request-Id": requestId },
    body: JSON.stringify(body),
  });

const linesOf = (requestId: string): Json[] => host.log.filter((line) => line["requestId"] === requestId);

const over = (requestId: string): Promise<Json> =>
  host.logged((line) => line["requestId"] === requestId && /^request\b/.test(String(line["msg"])));

async function jsonOf(answer: Response): Promise<Json> {
  const json: unknown = await answer.json();
  if (!isJson(json)) throw new Error(`${answer.status} ${JSON.stringify(json)}`);
  return json;
}

/** What an operation answers; it has to be what the host's description says. */
function described<T>(
  check: Check<T>,
  operationId: string,
  value: unknown,
  mediaType = "application/json",
): T {
  const operation = description.operations.find(({ id }) => id === operationId);
  if (operation === undefined) throw new Error(`${operationId} is not described`);
  const mistakes = description.mistakes(operation, 200, mediaType, value);
  if (mistakes !== undefined) throw new Error(`${operationId}: ${JSON.stringify(mistakes)}`);
  return checked(check(value), operationId);
}

async function requests(query = ""): Promise<RecentRequest[]> {
  return described(checkList, "listRequests", await jsonOf(await ask(`/api/requests${query}`))).requests;
}

/** Sends bytes as they are and gives all that comes back. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(host.url).port), "127.0.0.1");
  socket.write(bytes);
  return await text(socket);
}

t.test("every line of a request carries its id, through plugins, services and what they print", async (t) => {
  const id = `talk-${randomUUID()}`;
  const asked = once(server, "asked");
  const answer = await talk(id, { urls: [`http://127.0.0.1:${portOf()}/`, "http://127.0.0.1:1/away"] });
  t.equal(answer.headers.get("X-Request-Id"), id);
  t.match(await answer.json(), { answers: [200, 0] });
  const [headers] = await asked;
  t.notOk("x-request-id" in headers || "traceparent" in headers, "nothing of it goes to other servers");

  await over(id);
  await host.logged((line) => line["msg"] === "front prints late" && line["requestId"] === id);
  const found = (msg: string): Json => linesOf(id).find((line) => line["msg"] === msg) ?? {};
  const front = { plugin: "front@1.0.0" };
  t.match(found("front logs"), { ...front, level: 30, fields: { requestId: "not this one", level: 60 } });
  t.match(found("front prints"), { ...front, stream: "stdout" });
  t.match(found("and again"), { ...front, stream: "stdout" });
  t.match(found("front complains"), { ...front, stream: "stderr" });
  t.match(found("back logs"), { plugin: "back@1.0.0", level: 40 });
  t.match(found("back prints"), { plugin: "back@1.0.0" });
  t.match(found("request"), {
    ...{ ...front, method: "POST", path: "/EAIWS/plugins/front/talk", status: 200 },
    ...{ release: "1.0", operation: "talk", client: "127.0.0.1" },
  });
  t.same(
    host.log.filter(({ msg, requestId }) => requestId !== id && /^(front|back) /.test(String(msg))),
    [],
  );
});

t.test("an error names the request, and the log says why", async (t) => {
  const id = `fail-${randomUUID()}`;
  const answer = await ask("/EAIWS/plugins/front/fail", { headers: { "X-Request-Id": id } });
  t.equal(answer.status, 500);
  t.match(await answer.json(), { id: "plugin-error", additionalInformation: { requestId: id } });
  t.match(await over(id), { level: 30, status: 500, errorId: "plugin-error" });
  const why = linesOf(id).find(({ level }) => level === 50);
  t.match(why, { plugin: "back@1.0.0", msg: "work.fail failed" });
  t.match(JSON.stringify(why), "back fails");
});

t.test("what clients do wrong has an id and is no warning", async (t) => {
  const wrong: [status: number, answer: Response][] = [
    [404, await ask("/nowhere")],
    [404, await ask("/EAIWS/plugins/nobody/x")],
    [401, await ask("/api/plugins", { headers: { Authorization: "Bearer wrong" } })],
    [405, await ask("/EAIWS/plugins/front/talk")],
    [400, await talk("bad", { urls: "none" })],
  ];
  for (const [status, answer] of wrong) {
    t.equal(answer.status, status);
    const id = answer.headers.get("X-Request-Id") ?? "";
    t.match(await over(id), { status, level: 30 });
    t.same(
      linesOf(id).filter(({ level }) => Number(level) >= 40),
      [],
    );
  }
  const tooLarge = await raw(
    "POST /EAIWS/plugins/front/talk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n",
  );
  const broken = await raw("GET / HTTP/1.1\r\nbroken\r\n\r\n");
  const expecting = await raw(
    "GET /x?secret HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nX-Request-Id: hoping\r\n\r\n",
  );
  const unfinished = await raw(
    "POST /EAIWS/plugins/front/talk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  );
  for (const [answer, status, facts] of [
    [tooLarge, 413, { path: "/EAIWS/plugins/front/talk" }],
    [broken, 400, { method: "-", path: "-", client: "127.0.0.1" }],
    [expecting, 417, { requestId: "hoping", path: "/x" }],
    [unfinished, 400, { path: "/EAIWS/plugins/front/talk" }],
  ] as const) {
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
    const id = /^x-request-id: (.*)$/im.exec(answer)?.[1] ?? "";
    t.match(await over(id), { status, level: 30, ...facts });
    t.equal(linesOf(id).filter(({ msg }) => /^request\b/.test(String(msg))).length, 1, "told of once");
  }
});

t.test("a client that goes away is no failure of the plugin", async (t) => {
  const id = `gone-${randomUUID()}`;
  const leave = new AbortController();
  const path = "/EAIWS/plugins/front/wait?ms=60000";
  const asked = ask(path, { headers: { "X-Request-Id": id }, signal: leave.signal });
  await until(async () => (await status()).requests.plugins.some(({ working }) => working > 0));
  leave.abort();
  await t.rejects(asked);
  t.match(await over(id), { msg: "request without its whole answer", status: 499, errorId: undefined });
  t.same(
    linesOf(id).filter(({ level }) => Number(level) >= 40),
    [],
  );
});

async function status(): Promise<Static<typeof Status>> {
  return described(checkStatus, "getStatus", await jsonOf(await ask("/api/status")));
}

t.test("the status and the list of requests show what goes on", async (t) => {
  const path = "/EAIWS/plugins/front/wait?ms=60000";
  const leave = new AbortController();
  const [first, second, third] = [1, 2, 3].map(() => ask(path, { signal: leave.signal }));
  const load = { plugin: "front", working: 2, waiting: 1, concurrency: 2, queue: 1 };
  await until(async () => (await status()).requests.plugins.some(({ waiting }) => waiting === 1));
  const refused = await ask(path);
  t.equal(refused.status, 503);
  t.match(await refused.json(), { id: "request-overloaded" });

  const now = await status();
  t.match(now, {
    ready: true,
    reasons: [],
    releases: { "1.0": { front: "1.0.0", back: "1.0.0", Reporter: "1.0.0" } },
    defaultRelease: "1.0",
    process: { id: host.process.pid },
    requests: { plugins: [load] },
    browser: { state: "ready", busy: 0, waiting: 0, restarts: 0 },
  });
  t.equal(now.requests.running, 4);
  t.same(now.instances.map(({ plugin }) => plugin).sort(), ["Reporter", "back", "front"]);
  t.ok(now.instances.every(({ memory = 0 }) => memory > 10_000_000));
  t.ok(now.process.memory > now.process.heap && now.browser.pages > 0 && now.files.count > 0);
  t.ok(Date.parse(now.started) <= Date.now());

  leave.abort();
  await Promise.allSettled([first, second, third]);
  await until(async () => (await requests()).filter((each) => each.status === 499).length >= 3);
  const errors = await requests("?errors=true");
  t.ok(errors.every((each) => each.status >= 400));
  t.match(
    errors.find((each) => each.errorId === "request-overloaded"),
    { status: 503, path: "/EAIWS/plugins/front/wait", key: undefined, target: { operation: "wait" } },
  );
  const all = await requests("?limit=1000");
  t.ok(all.length > errors.length);
  t.same(
    all.map(({ id }) => id),
    all.map((_, index) => index + 1),
    "numbered without gaps",
  );
  t.same(await requests(`?after=${all.length - 2}&limit=1`), [all.at(-2)]);
  t.ok(all.every((each) => each.path !== "/api/status" && each.path !== "/api/requests"));
  t.equal((await ask("/api/requests?limit=0")).status, 400);
  const nobody = await fetch(`${host.url}/api/requests`);
  t.equal(nobody.status, 401);
});

t.test("the stream of requests tells of each, and waits for nobody", async (t) => {
  const last = (await requests("?limit=1"))[0]?.id ?? 0;
  const idle = await ask("/api/requests", { headers: { Accept: "text/event-stream" } });
  const stream = await ask(`/api/requests?errors=true&after=${last}`, {
    headers: { Accept: "text/event-stream" },
  });
  t.match(stream.headers.get("Content-Type"), "text/event-stream");
  const events = eventsOf(stream);
  const ids = Array.from({ length: 3 }, () => randomUUID());
  for (const id of ids) {
    await ask("/healthz");
    await ask("/EAIWS/plugins/nobody/x", { headers: { "X-Request-Id": id } });
  }
  for (const id of ids) t.match((await events.next()).value, { requestId: id, status: 404 });

  // Far more than fits between a host and a client that does not read.
  const long = `/EAIWS/plugins/nobody/${"x".repeat(400)}`;
  for (let round = 0; round < 45; round += 1) await Promise.all(Array.from({ length: 25 }, () => ask(long)));
  t.equal((await requests("?limit=1000")).length, 1000);
  t.match((await status()).ready, true);
  await idle.body?.cancel();
  await events.return(undefined);
});

async function* eventsOf(stream: Response): AsyncGenerator<RecentRequest, undefined, undefined> {
  let rest = "";
  for await (const piece of stream.body ?? []) {
    rest += Buffer.from(piece).toString("utf8");
    const frames = rest.split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined)
        yield described(checkRequest, "listRequests", JSON.parse(data), "text/event-stream");
    }
  }
  return undefined;
}

t.test("a busy host's log holds nothing that opens something", async (t) => {
  const token = `token-${randomUUID()}`;
  const password = `password-${randomUUID()}`;
  const hidden = `query-${randomUUID()}`;
  const reporter = new ReporterClient(host.url);
  const opened = await ask("/api/sessions", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(project()),
  });
  const sessionId = String((await jsonOf(opened))["sessionId"]);
  const demo = await ask(`/api/sessions?locale=en_GB&x=${hidden}`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: new Uint8Array(await demoFile("obk")),
  });
  t.equal(demo.status, 201);
  const report = await reporter.post("template/quote/v1/generate", {
    sessionId,
    appendLinks: [`http://user:${password}@127.0.0.1:${portOf()}/a.pdf?${hidden}`],
  });
  t.equal(report.status, 200);
  await reporter.post("template/quote/v1/generate", { sessionId: randomUUID() });
  await listed(host.url, { owdsURL: `${store.url}/base/`, authToken: token });
  await listed(host.url, `authToken=${token}`);
  const file = await talk("files", {
    sessionId,
    urls: [`http://127.0.0.1:${portOf()}/${hidden}?${hidden}`, `http://127.0.0.1:1/${hidden}`],
  });
  const url = String((await jsonOf(file))["url"]);
  const fileId = /\/files\/([^/]+)\//.exec(url)?.[1] ?? "";
  t.equal((await fetch(url)).status, 200);
  for (const path of [
    `/api/sessions/${sessionId}`,
    `/api/sessions/${sessionId}/project?${hidden}`,
    `/EAIWS/plugins/front/fail?sessionId=${sessionId}`,
    `/x/${sessionId}?key=${key}`,
  ])
    await ask(path);
  await fetch(`${host.url}/api/status`, { headers: { Authorization: `Basic ${password}` } });
  const last = `last-${randomUUID()}`;
  await ask("/nowhere", { headers: { "X-Request-Id": last } });
  await over(last);

  const log = host.log.map((line) => JSON.stringify(line)).join("\n");
  t.ok(log.includes(sessionId.slice(0, 8)) && log.includes(fileId.slice(0, 8)), "their beginnings are there");
  for (const [what, secret] of Object.entries({ key, token, password, hidden, sessionId, fileId })) {
    t.ok(secret.length > 20);
    t.notOk(log.includes(secret), what);
  }
  const told = JSON.stringify(await requests("?limit=1000"));
  for (const secret of [key, token, password, hidden, sessionId, fileId]) t.notOk(told.includes(secret));
});
