/**
 * Small ways to learn, to fill or to confuse: each closed, seen from outside. The policy of addresses is tested by itself:
 * from a test machine most of them lead nowhere.
 */
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Log } from "@slipway/sdk";
import t from "tap";
import { AddressPolicy } from "../../../host/fetch/address-policy.js";
import { outgoingFetch } from "../../host/fetch-support.js";
import { until } from "../../host/plugins-support.js";
import { project, session } from "../../host/sessions-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

const consumer = join(repository, "test", "fixtures", "plugins", "good", "consumer");
const folder = t.testdir({ plugins: { consumer: t.fixture("symlink", consumer) }, var: {} });
const varFolder = join(folder, "var");
const megabyte = 1_000_000;
let host: StartedHost;
let filePath: string;

t.before(async () => {
  // What an earlier version left.
  const old = process.umask(0o022);
  await mkdir(join(varFolder, "sessions"));
  await writeFile(join(varFolder, "events.jsonl"), "");
  host = await startHost({
    var: varFolder,
    plugins: [join(folder, "plugins")],
    templates: [varFolder],
    configuration: { limits: { json: 8 * megabyte } },
  });
  process.umask(old);
  const headers = { "Content-Type": "application/json" };
  const opened = await fetch(`${host.url}/api/sessions`, { method: "POST", body: JSON.stringify(project()) });
  await session(opened);
  const body = JSON.stringify({ name: "a.txt", content: "x".repeat(megabyte), mediaType: "text/plain" });
  const made = await fetch(`${host.url}/EAIWS/plugins/consumer/file`, { method: "POST", headers, body });
  filePath = new URL(/"url":"([^"]+)"/.exec(await made.text())?.[1] ?? "").pathname;
});
t.teardown(() => host?.stop());

const opened = (): Socket => {
  const { hostname, port } = new URL(host.url);
  return connect(Number(port), hostname);
};

/** What the host says to the lines of a request, after which the connection ends. */
async function say(...lines: string[]): Promise<string> {
  const socket = opened();
  socket.write([...lines, "Connection: close", "", ""].join("\r\n"));
  return await text(socket);
}

t.test("two keys in one request are none", async (t) => {
  for (const path of ["/api/plugins", "/readyz", "/EAIWS/plugins/consumer/x"]) {
    const answer = await say(
      `GET ${path} HTTP/1.1`,
      "Host: localhost",
      "Authorization: a",
      "authorization: b",
    );
    t.match(answer, /^HTTP\/1.1 400 /, path);
    t.match(answer, /headers\.Authorization/);
  }
});

t.test("no error is kept by caches", async (t) => {
  const answers = [
    ...[
      "/x",
      "/files/x/y",
      "/EAIWS/plugins/consumer/x",
      "/api/x",
      "/admin/x",
      "/docs/x",
      "/9.9/EAIWS/plugins/x/y",
    ].map((path) => say(`GET ${path} HTTP/1.1`, "Host: localhost")),
    say(`GET ${filePath} HTTP/1.1`, "Host: localhost", "Range: bytes=99999999-"),
    say("DELETE /admin/ HTTP/1.1", "Host: localhost"),
    say("GET / HTTP/1.1", "Host: wpad"),
    say("GET http://[/ HTTP/1.1", "Host: localhost"),
    say("GET / HTTP/1.1", "Host: localhost", "Expect: miracles"),
    say("GET / HTTP/9.9", "Host: localhost"),
  ];
  for (const answer of await Promise.all(answers)) {
    t.match(answer, /^HTTP\/1.1 4\d\d /);
    t.match(answer, /^cache-control: no-store\r$/im, answer.slice(0, 60));
  }
});

t.test("what is wrong is told in a few kilobytes, however long its name is", async (t) => {
  const long = (character: string): string => character.repeat(megabyte);
  const form = (part: string): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": "multipart/form-data; boundary=x" },
    body: `--x\r\n${part}\r\n\r\na\r\n--x\r\n${part}\r\n\r\nb\r\n--x--\r\n`,
  });
  const json = (path: string, body: unknown): [string, RequestInit] => [
    path,
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
  ];
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`${at}${"\u0001".repeat(2000)}`, 1]),
  );
  const asked: [string, RequestInit][] = [
    ["/api/sessions", form(`Content-Disposition: form-data; name="${long("n")}"`)],
    ["/api/sessions", form(`Content-Disposition: form-data; name="a"; filename="${long("f")}"`)],
    ["/api/plugins", form(`Content-Disposition: form-data; name="${long("n")}"`)],
    json("/EAIWS/plugins/consumer/file", { [long("m")]: 1 }),
    json("/EAIWS/plugins/consumer/file", { name: 1, content: long("\u0001"), mediaType: [long("t")] }),
    json("/EAIWS/plugins/consumer/file", many),
    json("/api/sessions", { [long("m")]: 1 }),
    json("/api/sessions", many),
    [
      "/api/sessions",
      { method: "POST", headers: { "Content-Type": `text/${"x".repeat(15_000)}` }, body: "x" },
    ],
    ...[
      "/",
      "/api/",
      "/files/",
      "/EAIWS/plugins/",
      "/EAIWS/plugins/consumer/",
      "/api/sessions/",
      "/api/plugins/",
    ].map((path): [string, RequestInit] => [`${path}${"p".repeat(7800)}`, {}]),
    [`/api/plugins/${"%01".repeat(2500)}/disable`, json("", {})[1]],
    [`/api/events?${"q".repeat(7800)}=1`, {}],
    [`/api/requests?${"%01".repeat(2500)}=1`, {}],
  ];
  for (const [path, init] of asked) {
    const answer = await fetch(`${host.url}${path}`, init);
    const content = await answer.text();
    const name = `${path.slice(0, 30)} ${String(init.body ?? "").slice(0, 50)}`;
    t.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${name}`);
    t.ok(content.length < 32_000, `${content.length} ${name}`);
    t.equal(JSON.parse(content).code, answer.status);
  }
});

t.test("only its owner may read what the host keeps", async (t) => {
  const open: string[] = [];
  for (const name of await readdir(varFolder, { recursive: true })) {
    const path = join(varFolder, name);
    const found = await stat(path).catch(() => undefined);
    const isOfClients = /^(?:sessions|files|tmp)\b|^\w+\.jsonl?$/.test(name) || !name.includes("/");
    const isKept = found !== undefined && isOfClients && !/^host\.(?:lock|pid)$/.test(name);
    if (isKept && (found.mode & 0o077) !== 0) open.push(`${(found.mode & 0o777).toString(8)} ${name}`);
  }
  t.strictSame(open, []);
  t.ok((await readdir(join(varFolder, "sessions"))).length > 0);
  t.ok((await readdir(join(varFolder, "files"))).length > 0);
});

/** Bytes that a process takes. */
async function memoryOf(id: number | undefined): Promise<number> {
  return 1024 * Number(/^VmRSS:\s*(\d+)/m.exec(await readFile(`/proc/${id}/status`, "utf8"))?.[1]);
}

t.test("answers are made as fast as they are read", { skip: process.platform !== "linux" }, async (t) => {
  const running = async (): Promise<number> => {
    const status: unknown = await (await fetch(`${host.url}/api/status`)).json();
    return Number(/"running":(\d+)/.exec(JSON.stringify(status))?.[1]);
  };
  const before = { memory: await memoryOf(host.process.pid), running: await running() };
  const socket = opened();
  const download = `GET ${filePath} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  socket.write(download.repeat(20_000));
  await new Promise((resolve) => socket.once("readable", resolve));
  let most = 0;
  // The host takes a part of what came at each turn; these are more turns than it needs for all.
  for (let turn = 0; turn < 100; turn++) most = Math.max(most, await running());
  t.ok(most <= before.running + 1, `${most} at a time`);
  const grown = (await memoryOf(host.process.pid)) - before.memory;
  t.ok(grown < 200 * megabyte, `${Math.round(grown / megabyte)} MB more`);
  socket.destroy();
  await until(async () => (await running()) <= before.running);

  const reader = opened();
  const last = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  reader.write(`${download.repeat(3)}GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(15) + last);
  const answers = (await text(reader)).match(/HTTP\/1\.1 \d\d\d/g) ?? [];
  const expected = Array.from({ length: 60 }, (_, at) => `HTTP/1.1 ${at % 4 === 3 ? 404 : 200}`);
  t.strictSame(answers, [...expected, "HTTP/1.1 200"], "who reads gets all, in order");
});

t.test("addresses that are not of the public internet are internal", (t) => {
  const policy = new AddressPolicy({ allowedHosts: ["*"], allowedInternalHosts: [] });
  const isPublic = (address: string): boolean => {
    try {
      policy.checkUrl(new URL(`http://${address}/`));
      return true;
    } catch {
      return false;
    }
  };
  const table: Record<string, string[]> = {
    "this machine": [
      "127.0.0.1",
      "127.255.0.1",
      "0.0.0.0",
      "[::]",
      "[::1]",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
    ],
    "private and local": [
      "10.0.0.1",
      "172.31.0.1",
      "192.168.0.1",
      "169.254.169.254",
      "100.64.0.1",
      "[fd00::1]",
    ],
    "link-local and site-local": ["[fe80::1]", "[fec0::1]"],
    "mapped IPv4": ["[::ffff:10.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
    "IPv4-compatible": ["[::127.0.0.1]", "[::10.0.0.1]", "[::8.8.8.8]"],
    "translated, RFC 6145": ["[::ffff:0:127.0.0.1]"],
    NAT64: ["[64:ff9b::127.0.0.1]", "[64:ff9b::8.8.8.8]", "[64:ff9b:1::10.0.0.1]"],
    "6to4": ["[2002:7f00:1::]", "[2002:0808:0808::1]", "192.88.99.1"],
    Teredo: ["[2001::1]", "[2001:0:53aa:64c:0:0:80ff:fffe]"],
    documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "[2001:db8::1]", "[3fff::1]"],
    benchmarking: ["198.18.0.1", "198.19.255.255", "[2001:2::1]"],
    multicast: ["224.0.0.1", "239.255.255.255", "255.255.255.255", "[ff02::1]"],
    reserved: ["240.0.0.1", "192.0.0.1", "0.1.2.3", "[100::1]", "[2001:10::1]", "[2001:20::1]", "[5f00::1]"],
    "not given out": [
      "[1000::1]",
      "[4000::1]",
      "[8000::1]",
      "[a000::1]",
      "[c000::1]",
      "[e000::1]",
      "[f000::1]",
    ],
  };
  for (const [kind, addresses] of Object.entries(table))
    for (const address of addresses) t.notOk(isPublic(address), `${kind}: ${address}`);
  for (const address of ["8.8.8.8", "1.1.1.1", "[2606:4700::1]", "[2a00:1450::1]", "[::ffff:8.8.8.8]"])
    t.ok(isPublic(address), address);
  t.end();
});

t.test("a name that leads to an internal server is as unreachable as one that there is not", async (t) => {
  const lines: string[] = [];
  const note = (message: string, facts?: unknown): void =>
    void lines.push(`${message} ${facts instanceof Object ? String(Reflect.get(facts, "error")) : ""}`);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const ask = outgoingFetch({}, log);
  const answer = async (url: string): Promise<unknown> =>
    await ask(url, { signal: AbortSignal.timeout(20_000) }).catch((error: unknown) => ({
      ...Object(error),
      message: String(error),
      cause: undefined,
    }));
  const internal = await answer("http://localhost/");
  t.match(internal, { id: "fetch-error", code: 502 });
  t.strictSame(internal, await answer("http://nothing.invalid/"));
  t.match(lines[0], /is an internal address/, "the log knows the difference");
  t.notMatch(lines[1], /internal/);
});

t.test("a server cannot hold up the one who loads a link", async (t) => {
  const quiet = (): void => undefined;
  const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const answers = {
    "/upgrade": "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
    "/cut": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
    "/nothing": "",
    "/no-http": "SSH-2.0-server\r\n",
  };
  const silent = { "/silent": "", "/stalls": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf" };
  const server = createServer((socket) => {
    socket.on("error", quiet);
    socket.once("data", (data) => {
      const path = data.toString().split(" ")[1] ?? "";
      const answer = new Map(Object.entries(answers)).get(path);
      if (answer === undefined) socket.write(new Map(Object.entries(silent)).get(path) ?? "");
      else socket.end(answer);
    });
  }).listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await once(server, "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const settings = { allowedInternalHosts: [host], readTimeout: 200 };
  const ask = outgoingFetch(settings, log);
  const from = (path: string) => ask(`http://${host}${path}`, { signal: AbortSignal.timeout(60_000) });
  for (const path of Object.keys(answers))
    await t.rejects(from(path), { id: "fetch-error", code: 502 }, path);
  for (const path of Object.keys(silent))
    await t.rejects(from(path), { id: "request-timeout", code: 504 }, path);
});
