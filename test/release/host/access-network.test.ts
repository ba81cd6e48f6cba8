/** A host that a network reaches: keys that it needs, proxies that it trusts, limits for clients, a trail that has to be written. */
import { mkdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import { type Answer, ask, idIn, keyCommand, newKey, smallPlugin } from "../../host/access-support.js";
import { until } from "../../host/plugins-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let url: string;
let folder: string;
let key: string;
const configured = { host: "0.0.0.0", trustedProxies: ["loopback", "10.1.0.0/16"] };

t.teardown(() => host?.stop());
const root = t.testdir(smallPlugin);

const start = async (rateLimits: Record<string, number>): Promise<void> => {
  host = await startHost({
    var: folder,
    plugins: [join(root, "plugins")],
    templates: [join(root, "none")],
    configuration: { ...configured, rateLimits },
  });
  url = `http://127.0.0.1:${new URL(host.url).port}`;
};

/** As a proxy asks for a client. */
const behind = (
  address: string,
  path: string,
  more: { key?: string; method?: string } = {},
): Promise<Answer> => ask(url, path, { ...more, headers: { "X-Forwarded-For": address } });

t.test("an address beyond this machine needs a key, and the message says how to make one", async (t) => {
  folder = join(root, "var");
  const settings = join(root, "slipway.json");
  await writeFile(settings, JSON.stringify({ ...configured, var: folder, port: 0 }));
  const refused = await runCommand(["start", "--config", settings]);
  t.match(refused, { code: 2, errors: /`host` must be .*slipway key new NAME --role .*allowedAddresses/ });
  const { code, output } = await runCommand([
    "key",
    "new",
    "admin",
    "--role",
    "operate",
    "--config",
    settings,
  ]);
  t.equal(code, 0, "the command works where the host does not");
  key = output.trim();
  await start({ period: 2, requests: 30, sessions: 2, refusedKeys: 3 });
  t.equal((await ask(url, "/api/plugins", { key })).status, 200);
  t.equal((await ask(url, "/api/plugins")).status, 401);
});

t.test("trusted proxies say who asks; what clients say of themselves does not count", async (t) => {
  const seen = async (forwarded: string): Promise<unknown> => {
    const { headers } = await behind(forwarded, "/api/access", { key });
    const line = await host.logged(({ requestId }) => requestId === headers["x-request-id"]);
    return line["client"];
  };
  t.equal(await seen("203.0.113.7"), "203.0.113.7");
  t.equal(await seen("6.6.6.6, 203.0.113.7"), "203.0.113.7", "made up by the client in front of the proxy");
  t.equal(await seen("203.0.113.7, 10.1.2.3"), "203.0.113.7", "two proxies");
  t.equal(await seen("203.0.113.7, 10.2.2.3"), "10.2.2.3", "a second one that is not trusted");
  t.equal(await seen("203.0.113.7:4711"), "203.0.113.7");
  t.equal(await seen("[2001:db8::1]:4711"), "2001:db8::1");
  for (const hostile of ["<script>", "999.1.1.1", "unknown", ",,,", "a".repeat(5000), "127.0.0.1, é"])
    t.match(await seen(hostile), /^(127\.0\.0\.1|::1)$/, JSON.stringify(hostile.slice(0, 20)));
});

t.test("addresses of files have what a trusted proxy was asked by, as long as it can be one", async (t) => {
  const made = async (headers: Record<string, string>): Promise<string> => {
    const { body } = await ask(url, "/EAIWS/plugins/Paper/file", { headers });
    return new URL(String(body["url"])).origin;
  };
  const proto = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "reports.example.com" };
  t.equal(await made(proto), "https://reports.example.com");
  t.equal(
    await made({ ...proto, "X-Forwarded-Host": "evil.example, reports.example.com" }),
    "https://reports.example.com",
  );
  const own = new URL(url);
  for (const hostile of ["a b", "x/../y", "user@host", "reports.example.com#", "a:99999999", "[::1"])
    t.equal(await made({ "X-Forwarded-Host": hostile }), own.origin, hostile);
  t.equal(await made({ "X-Forwarded-Proto": "javascript" }), own.origin);
});

t.test("wrong keys: 429 for the one who tries, not for others, and not for a right key", async (t) => {
  const wrong = (at: number): string => `slipway_abcdefgh_${String(at).padEnd(43, "w")}`;
  const tries = [];
  for (let at = 0; at < 5; at++)
    tries.push((await behind("203.0.113.20", "/api/plugins", { key: wrong(at) })).status);
  t.strictSame(tries, [401, 401, 401, 429, 429]);
  const { headers, body } = await behind("203.0.113.20", "/api/plugins", { key: wrong(9) });
  t.match({ headers, body }, { headers: { "retry-after": /^[12]$/ }, body: { id: "request-rate-limited" } });
  t.equal(
    (await behind("203.0.113.20", "/api/plugins", { key })).status,
    200,
    "a right one from the same address",
  );
  t.equal((await behind("203.0.113.21", "/api/plugins", { key: wrong(1) })).status, 401);
  t.equal((await behind("2001:db8::1", "/api/plugins", { key: wrong(1) })).status, 401);
});

t.test("requests and openings of sessions have limits for each client, which pass", async (t) => {
  const statuses = async (
    address: string,
    count: number,
    path: string,
    method = "GET",
  ): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: count }, () => behind(address, path, { method })));
    return [...new Set(answers.map(({ status }) => status))].sort();
  };
  t.strictSame(await statuses("203.0.113.30", 40, "/api/access"), [200, 429]);
  t.strictSame(await statuses("203.0.113.31", 10, "/api/access"), [200], "somebody else");
  t.strictSame(
    await statuses("203.0.113.30", 40, "/healthz"),
    [200],
    "whether a host is healthy may be asked always",
  );
  await until(async () => (await behind("203.0.113.30", "/api/access")).status === 200);
  t.strictSame(await statuses("203.0.113.32", 4, "/api/sessions", "POST"), [401, 429]);
  // The first 64 bits are those of one client.
  t.strictSame(await statuses("2001:db8:1:1::1", 20, "/api/access"), [200]);
  t.match(await statuses("2001:db8:1:1::2", 20, "/api/access"), [200, 429]);
  const direct = await Promise.all(Array.from({ length: 60 }, () => ask(url, "/api/access")));
  t.ok(
    direct.every(({ status }) => status === 200),
    "programs of this machine are not counted",
  );
});

t.test("requests that two programs could understand in two ways are refused", async (t) => {
  const raw = async (lines: string[]): Promise<string> => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.end(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
    return (await text(socket)).split("\r\n", 1)[0] ?? "";
  };
  const post = ["POST /api/sessions HTTP/1.1", "Host: a"];
  t.match(await raw([...post, "Content-Length: 1", "Transfer-Encoding: chunked"]), / 400 /);
  t.match(await raw([...post, "Content-Length: 1", "Content-Length: 2"]), / 400 /);
  t.match(await raw([...post, "Transfer-Encoding: chunked, identity"]), / 400 /);
  t.match(await raw(["GET /api/access HTTP/1.1", "Host: a", "Host: b"]), / 400 /);
  t.match(await raw(["GET /api/access HTTP/1.1", "Host: a", "X-A : b"]), / 400 /);
  t.match(await raw([`GET /api/access?${"a".repeat(9000)} HTTP/1.1`, "Host: a"]), / 414 /);
  for (const parameters of ["a=1&".repeat(100), "&".repeat(7000)])
    t.match(await raw([`GET /api/access?${parameters} HTTP/1.1`, "Host: a"]), / 400 /);
  t.match(await raw([`GET /nothing?${"a=1&".repeat(99)}a=1 HTTP/1.1`, "Host: a"]), / 404 /);
  t.match(await raw([`GET /api/access HTTP/1.1`, "Host: a", `X-A: ${"a".repeat(20_000)}`]), / 431 /);
  t.match(
    await raw([
      "GET /api/access HTTP/1.1",
      "Host: a",
      `Authorization: Bearer ${key}`,
      "Authorization: Bearer x",
    ]),
    / 400 /,
  );
});

t.test("while the audit trail cannot be written, nothing is changed", async (t) => {
  const file = join(folder, "audit.jsonl");
  const look = () => ask(url, "/api/plugins/look", { method: "POST", key, body: {} });
  t.equal((await look()).status, 200);
  await rename(file, `${file}.away`);
  await mkdir(file);
  t.match(await look(), { status: 503, headers: { "retry-after": "60" }, body: { id: "audit-unavailable" } });
  t.equal((await ask(url, "/api/plugins", { key })).status, 200, "looking goes on");
  await rmdir(file);
  t.equal((await look()).status, 200);
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  t.match(JSON.parse(lines.at(-1) ?? ""), { action: "plugin.look", outcome: "done", key: "admin" });
  t.match(JSON.parse(lines.at(-2) ?? ""), { action: "plugin.look", begun: /./ });
});

t.test("without its last key the host refuses everybody, now and after a restart", async (t) => {
  const second = await newKey(t, folder, "admin", "--role", "read");
  t.equal((await keyCommand(folder, "remove", idIn(second))).code, 0);
  const removed = await keyCommand(folder, "remove", "admin");
  t.match(removed, { code: 0, errors: /last one.*refuses all requests/s });
  await until(async () => (await ask(url, "/api/plugins", { key })).status === 401);
  t.equal((await ask(url, "/api/plugins")).status, 401);
  t.match((await ask(url, "/api/access")).body, { required: true, roles: [] });
  await rm(join(folder, "keys.json"));
  t.equal((await ask(url, "/api/plugins")).status, 401);
  t.equal(await host.stop(), 0);
  const settings = join(root, "slipway.json");
  t.match(await runCommand(["start", "--config", settings]), { code: 2, errors: /slipway key new/ });
});
