/**
 * What every request meets: error objects, limits, deadlines, CORS, files, and a stop that loses nothing. The store of files
 * is tested by itself where its source fails and its clock is ahead.
 */
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { createFileArtifactStore } from "../../host/files/files.js";
import { repository, type StartedHost, startHost } from "../start-host.js";
import { filesConfiguration } from "./files-support.js";
import { project, session, violatedPaths } from "./sessions-support.js";

const fixtures = join(repository, "test", "fixtures", "plugins", "good");
const plugins = t.testdir({
  consumer: t.fixture("symlink", join(fixtures, "consumer")),
  troublemaker: t.fixture("symlink", join(fixtures, "troublemaker")),
  echo: t.fixture("symlink", join(fixtures, "echo-1.1")),
});
const jsonLimit = 5000;
const defaultTimeout = 1500;

/** Answers only when the test says so; a plugin that asks it is a request that runs as long as the test wants. */
const slow = createServer((_request, response) => slow.emit("asked", response));
let slowUrl: string;
let host: StartedHost;

t.before(async () => {
  slow.listen(0, "127.0.0.1");
  await once(slow, "listening");
  const { port } = slow.address() as AddressInfo;
  slowUrl = `http://127.0.0.1:${port}/`;
  host = await startHost({
    plugins: [plugins],
    configuration: {
      fetch: { allowedInternalHosts: [`127.0.0.1:${port}`] },
      limits: { json: jsonLimit, project: 50_000 },
      requests: { timeout: defaultTimeout, concurrency: 2, queue: 1 },
      releases: {
        "1.0": { echo: "^1", consumer: "*", troublemaker: "*" },
        next: { echo: "^1.1" },
      },
      plugins: {
        defaultRelease: "1.0",
        grants: { consumer: { network: [`127.0.0.1:${port}`, "127.0.0.1:1"] } },
        config: { echo: { greeting: { text: "Hi", mark: "!" } } },
      },
      cors: { origins: ["https://app.example.com"], maxAge: 60 },
    },
  });
});
t.teardown(async () => {
  await host.stop();
  slow.close();
  slow.closeAllConnections();
});

const base = (): string => `${host.url}/EAIWS/plugins`;

const postTo = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${base()}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** A request that runs until the returned server response is ended. */
async function running(): Promise<{ answer: Promise<Response>; finish: () => void }> {
  const asked = once(slow, "asked");
  const answer = postTo("consumer/fetch", { url: slowUrl });
  const [response] = (await asked) as [ServerResponse];
  return { answer, finish: () => void response.end("done") };
}

t.test("a request finds its release, plugin and operation", async (t) => {
  const hello = await postTo("echo/echo?shout=true", { name: "Ann" });
  t.equal(hello.status, 200);
  t.equal(hello.headers.get("slipway-plugin"), "Echo@1.1.0");
  t.match(hello.headers.get("content-type"), /^application\/json/);
  t.match(await hello.json(), { text: /ANN/ });
  const next = await fetch(`${host.url}/next/EAIWS/plugins/echo/item/a%2Fb`);
  t.equal(await next.text(), 'item {"id":"a/b"}');
  t.match(next.headers.get("content-type"), /^text\/plain/);
  t.equal((await fetch(`${base()}/echo/item/7`, { method: "HEAD" })).status, 200);

  const release = await fetch(`${host.url}/9.9/EAIWS/plugins/echo/echo`);
  t.equal(release.status, 404);
  t.match(await release.json(), {
    id: "request-not-found",
    code: 404,
    type: "request",
    additionalInformation: { releases: ["1.0", "next"] },
  });
  t.equal(
    (await fetch(`${host.url}/next/EAIWS/plugins/consumer/project`)).status,
    404,
    "not in this release",
  );
  for (const path of [
    "eCHO/echo",
    "echo/Echo",
    "echo/echo//",
    "echo/item/",
    "echo/item/%E0%A4%A",
    "nothing/at",
  ]) {
    const missing = await fetch(`${base()}/${path}`);
    t.match(await missing.json(), { id: "request-not-found", code: 404 }, path);
  }
  t.match(await (await fetch(`${host.url}/api/nothing`)).json(), { id: "request-not-found" });

  const wrong = await fetch(`${base()}/echo/echo`, { method: "DELETE" });
  t.equal(wrong.status, 405);
  t.equal(wrong.headers.get("allow"), "POST, OPTIONS");
  t.match(await wrong.json(), { id: "request-method-not-allowed", code: 405 });
  const api = await fetch(`${host.url}/api/sessions`, { method: "PUT" });
  t.equal(api.status, 405);
  t.match(api.headers.get("allow"), /POST/);
  t.match(await api.json(), { id: "request-method-not-allowed", code: 405 });
});

t.test("what is wrong with a request is told before it reaches a plugin", async (t) => {
  const before = host.log.length;
  const wrong = await postTo("echo/echo?shout=perhaps", { name: 5, more: true });
  t.equal(wrong.status, 400);
  t.equal(wrong.headers.get("slipway-plugin"), "Echo@1.1.0");
  t.strictSame(await violatedPaths(wrong), ["body.more", "body.name", "query.shout"]);
  t.strictSame(await violatedPaths(await postTo("echo/echo", "")), ["body.name"], "no body at all");
  for (const body of ['{"name": ', "5", '"text"', '{"__proto__": {"name": "x"}}']) {
    const broken = await postTo("echo/echo", body);
    t.match(await broken.json(), { code: 400, id: "request-bad-request", message: /body/ }, body);
  }
  const untyped = await postTo("echo/echo", "name=Ann", {
    "Content-Type": "application/x-www-form-urlencoded",
  });
  t.match(await untyped.json(), { code: 415, id: "request-unsupported-media-type", message: /urlencoded/ });
  const stream = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent <= jsonLimit; sent += 1000) controller.enqueue(Buffer.alloc(1000, 0x20));
      controller.close();
    },
  });
  const chunked = await fetch(`${base()}/echo/echo`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: stream,
    duplex: "half",
  });
  t.match(await chunked.json(), { code: 413, id: "request-too-large" });
  const large = await postTo("echo/echo", { name: "x".repeat(jsonLimit) });
  t.match(await large.json(), { code: 413, additionalInformation: { limit: jsonLimit } });

  const ids = ["request", "headers"].map((name) => `${name}-id.1`);
  for (const id of ids) {
    const answer = await fetch(`${host.url}/api/access`, { headers: { "X-Request-Id": id } });
    t.equal(answer.headers.get("x-request-id"), id);
  }
  const insane = await fetch(`${host.url}/api/access`, { headers: { "X-Request-Id": 'a"b c' } });
  t.match(insane.headers.get("x-request-id"), /^[0-9a-f-]{36}$/);
  await host.logged((line) => line["requestId"] === ids[0] && line["status"] === 200);
  t.notOk(host.log.slice(before).some((line) => /plugin-error/.test(JSON.stringify(line))));
});

t.test("sessions: malformed is 400, unknown is 422, in body and in query", async (t) => {
  const unknown = "73bd68f4-da62-11d8-b9d6-00e081513ada";
  const get = (query: string): Promise<Response> => fetch(`${base()}/echo/session${query}`);
  t.strictSame(await (await get(`?sessionId=${unknown}`)).json(), {
    code: 422,
    id: "request-session-not-found",
    type: "request",
    message: `The session ${unknown} is unknown or has expired. Open the project again.`,
    cause: [],
    additionalInformation: {},
    scopes: [],
  });
  t.strictSame(await violatedPaths(await get("?sessionId=nonsense")), ["query.sessionId"]);
  t.strictSame(await violatedPaths(await get("")), ["query.sessionId"]);
  const optional = (query: string): Promise<Response> => fetch(`${base()}/consumer/optional${query}`);
  t.match(await (await optional("")).json(), { name: null });
  t.equal((await optional(`?sessionId=${unknown}`)).status, 422);

  const opened = await session(
    await fetch(`${host.url}/api/sessions?locale=de_CH`, { method: "POST", body: JSON.stringify(project()) }),
  );
  const { sessionId } = opened;
  t.match(await (await get(`?sessionId=${sessionId.toUpperCase()}`)).json(), {
    locale: "de_CH",
    revision: 1,
  });
  t.match(await (await optional(`?sessionId=${sessionId}`)).json(), { name: "Small" });
  const twice = await postTo(`consumer/pdf?sessionId=${unknown}`, { html: "", filename: "", sessionId });
  t.strictSame(await violatedPaths(twice), ["query.sessionId"], "a contradiction");
});

t.test("a plugin that fails costs its own requests only, and says nothing of its inside", async (t) => {
  const thrown = await fetch(`${base()}/troublemaker/throw`);
  t.equal(thrown.status, 500);
  t.match(await thrown.json(), { id: "plugin-error", code: 500, scopes: [] });
  const never = await fetch(`${base()}/troublemaker/never`);
  t.equal(never.status, 504);
  t.match(await never.json(), { id: "request-timeout", code: 504 });
  t.equal((await postTo("echo/echo", { name: "Ann" })).status, 200);
  const controller = new AbortController();
  const left = fetch(`${base()}/troublemaker/slow`, { signal: controller.signal });
  await host.logged((line) => line["msg"] === "slow began");
  controller.abort();
  await t.rejects(left);
  await host.logged((line) => line["msg"] === "slow was cancelled");
  await host.logged((line) => line["msg"] === "request without its whole answer");
});

t.test("more requests than a plugin takes are refused at once; other plugins do not notice", async (t) => {
  const first = await running();
  const second = await running();
  const waiting = postTo("consumer/fetch", { url: "http://127.0.0.1:1/" });
  let refused = await postTo("consumer/fetch", { url: slowUrl });
  while (refused.status !== 503) refused = await postTo("consumer/fetch", { url: slowUrl });
  t.ok(Number(refused.headers.get("retry-after")) > 0);
  t.match(await refused.json(), { id: "request-overloaded", code: 503, type: "request" });
  t.equal((await postTo("echo/echo", { name: "Ann" })).status, 200);
  t.equal((await fetch(`${host.url}/healthz`)).status, 200);
  first.finish();
  second.finish();
  t.equal((await first.answer).status, 200);
  t.equal((await second.answer).status, 200);
  t.not((await waiting).status, 503, "the one that waited had its turn");
});

t.test("CORS for the origins of the configuration", async (t) => {
  const preflight = (origin: string): Promise<Response> =>
    fetch(`${base()}/echo/echo`, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
  const allowed = await preflight("https://app.example.com");
  t.equal(allowed.status, 204);
  t.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example.com");
  t.equal(allowed.headers.get("access-control-allow-headers"), "content-type");
  t.equal(allowed.headers.get("access-control-max-age"), "60");
  const foreign = await preflight("https://evil.example.com");
  t.equal(foreign.headers.get("access-control-allow-origin"), null);
  t.match(foreign.headers.get("vary"), /Origin/);
  const failed = await fetch(`${host.url}/nothing`, { headers: { Origin: "https://app.example.com" } });
  t.equal(
    failed.headers.get("access-control-allow-origin"),
    "https://app.example.com",
    "errors can be read too",
  );
  t.equal(failed.headers.get("x-content-type-options"), "nosniff");
});

t.test("files: names, ranges, conditions", async (t) => {
  const content = "0123456789".repeat(100);
  const name = "../Büro „neu“.txt";
  const stored = checked(
    new Validator().compile(
      Type.Object({ url: Type.String(), name: Type.String() }),
      "file",
    )(await (await postTo("consumer/file", { name, content, mediaType: "text/plain" })).json()),
    "file",
  );
  t.equal(stored.name, "_Büro „neu“.txt");
  t.ok(stored.url.startsWith(`${host.url}/files/`));
  const whole = await fetch(stored.url);
  t.equal(await whole.text(), content);
  t.match(
    whole.headers.get("content-disposition"),
    /^attachment; filename="_B_ro _neu_.txt"; filename\*=UTF-8''_B%C3%BCro/,
  );
  t.match(whole.headers.get("content-security-policy"), /sandbox/);
  t.equal(whole.headers.get("x-content-type-options"), "nosniff");
  const etag = whole.headers.get("etag") ?? "";
  t.match(etag, /^"[0-9a-f]{64}"$/);

  const ranged = (headers: Record<string, string>): Promise<Response> => fetch(stored.url, { headers });
  const part = await ranged({ Range: "bytes=10-19" });
  t.equal(part.status, 206);
  t.equal(part.headers.get("content-range"), "bytes 10-19/1000");
  t.equal(await part.text(), "0123456789");
  t.equal(await (await ranged({ Range: "bytes=-5" })).text(), "56789");
  t.equal((await ranged({ Range: "bytes=0-1, 5-6" })).status, 200, "several ranges: the whole file");
  t.equal((await ranged({ Range: "bytes=0-1", "If-Range": '"other"' })).status, 200);
  const outside = await ranged({ Range: "bytes=1000-" });
  t.equal(outside.status, 416);
  t.equal(outside.headers.get("content-range"), "bytes */1000");
  t.equal((await ranged({ "If-None-Match": `"x", W/${etag}` })).status, 304);
  const head = await fetch(stored.url, { method: "HEAD" });
  t.equal(head.headers.get("content-length"), "1000");
  t.equal((await fetch(stored.url, { method: "POST" })).status, 405);
  t.equal((await fetch(stored.url.replace(/[^/]+$/, "other.txt"))).status, 404);
  t.equal((await fetch(`${host.url}/files/${"A".repeat(24)}/x.txt`)).status, 404);
});

t.test("files survive a restart, expire, and leave nothing when their source fails", async (t) => {
  const ignore = (): void => undefined;
  let ahead = 0;
  const options = {
    folder: t.testdir(),
    configuration: filesConfiguration({ maximumBytes: 100 }),
    now: () => Date.now() + ahead,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  };
  const store = createFileArtifactStore(options);
  await store.open();
  const kept = await store.create({
    name: "a.txt",
    mediaType: "text/plain",
    content: Readable.from([[Buffer.from("abc")]]),
  });
  async function* failing(): AsyncGenerator<Buffer[]> {
    yield [Buffer.from("some")];
    throw new Error("the source broke");
  }
  await t.rejects(store.create({ name: "b.txt", mediaType: "text/plain", content: failing() }), {
    message: "the source broke",
  });
  const tooMuch = { name: "c.txt", mediaType: "text/plain", content: Buffer.alloc(100) };
  await t.rejects(store.create(tooMuch), { code: 503, id: "request-overloaded" });
  await writeFile(join(options.folder, "left.content"), "over");

  const again = createFileArtifactStore(options);
  await again.open();
  t.strictSame(await again.find(kept.id), kept);
  t.equal(await text(again.read(kept)), "abc");
  t.equal((await readdir(options.folder)).length, 2);
  t.equal(await again.removeExpired(), 0);
  ahead = 61_000;
  t.equal(await again.find(kept.id), undefined);
  t.equal(await again.removeExpired(), 1);
  t.equal(await again.find(kept.id), undefined);
  t.strictSame(await readdir(options.folder), []);
});

t.test("the target of a request has each form that HTTP knows", async (t) => {
  const { port } = new URL(host.url);
  const statusOf = async (method: string, target: string): Promise<string | undefined> => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    return /^HTTP\/1\.1 (\d+) /.exec(await text(socket))?.[1];
  };
  const answers: Record<string, string> = {
    "/healthz": "200",
    "/healthz?a=b?c#d": "200",
    "/healthz#?": "200",
    "http://127.0.0.1/healthz": "200",
    "HTTP://127.0.0.1/healthz?a#b": "200",
    "http://user@127.0.0.1:1/healthz": "200",
    "http://127.0.0.1/x/../healthz": "404",
    "//127.0.0.1/healthz": "404",
    "http://[/": "400",
    "http://127.0.0.1:99999/healthz": "400",
    "*healthz": "400",
  };
  for (const [target, status] of Object.entries(answers))
    t.equal(await statusOf("GET", target), status, target);
  t.equal(await statusOf("OPTIONS", "*"), "404");
});

t.test("what is no HTTP gets an error object, too", async (t) => {
  const socket = connect(Number(new URL(host.url).port), "127.0.0.1");
  socket.end("NONSENSE\r\n\r\n");
  const answer = await text(socket);
  t.match(answer, /^HTTP\/1\.1 400 /);
  t.match(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))), { code: 400, id: "request-bad-request" });
});

t.test("a stop lets the running request finish, refuses new ones and leaves nothing", async (t) => {
  const ready = await fetch(`${host.url}/readyz`);
  t.equal(ready.status, 200);
  t.match(await ready.json(), { status: "ready", parts: { pdf: { ready: true }, plugins: { ready: true } } });
  const states: unknown = await (await fetch(`${host.url}/api/plugins`)).json();
  const processes = [...JSON.stringify(states).matchAll(/"processId":(\d+)/g)].map((match) =>
    Number(match[1]),
  );
  t.equal(processes.length, 3);

  const last = await running();
  host.process.kill("SIGTERM");
  let state = await fetch(`${host.url}/readyz`);
  while (state.status === 200) state = await fetch(`${host.url}/readyz`);
  t.match(await state.json(), { status: "not ready", reasons: ["the host is stopping"] });
  const refused = await postTo("echo/echo", { name: "Ann" });
  t.equal(refused.status, 503);
  t.equal(refused.headers.get("connection"), "close");
  t.match(await refused.json(), { id: "host-stopping", code: 503 });
  t.equal((await fetch(`${host.url}/healthz`)).status, 200);
  last.finish();
  t.match(await (await last.answer).json(), { text: "done" });
  t.equal(await host.exited, 0);
  await t.rejects(fetch(`${host.url}/healthz`));
  for (const id of processes) t.throws(() => process.kill(id, 0), { code: "ESRCH" });
  const children = await readFile(
    `/proc/${host.process.pid}/task/${host.process.pid}/children`,
    "utf8",
  ).catch(() => "");
  t.equal(children, "");
});
