/** A host without keys answers by its own names only: whoever owns another name can make it lead here. */
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import t from "tap";
import { type StartedHost, startHost } from "../../start-host.js";

let host: StartedHost;
let port: string;

t.before(async () => {
  const none = t.testdir({});
  host = await startHost({
    plugins: [none],
    templates: [none],
    configuration: {
      host: "0.0.0.0",
      allowedAddresses: ["0.0.0.0"],
      trustedProxies: ["127.0.0.1"],
      publicUrl: "https://Reports.Example.com/slipway",
      hostNames: ["Printing", "bücher.example", "192.0.2.7", "2001:db8::7"],
    },
  });
  ({ port } = new URL(host.url));
});
t.teardown(() => host?.stop());

/** What the host says to some lines of a request, of which the last one is to end the connection. */
async function say(
  lines: readonly string[],
  address = "127.0.0.1",
): Promise<{ status: number; body: string }> {
  const socket = connect(Number(port), address);
  socket.write([...lines, "Connection: close", "", ""].join("\r\n"));
  const answer = await text(socket);
  return { status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
}

const asked = async (name: string, path = "/api/plugins", more: readonly string[] = []): Promise<number> =>
  (await say([`GET ${path} HTTP/1.1`, `Host: ${name}`, ...more])).status;

t.test("it is this machine, the address of the connection, and what the configuration names", async (t) => {
  const own = [
    ...["localhost", "LocalHost", "localhost.", "app.localhost", "127.0.0.1", "127.1.2.3", "127.0.0.1."],
    ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "0.0.0.0"],
    ...["reports.example.com", "REPORTS.example.com.", "printing", "PRINTING", "xn--bcher-kva.example"],
    ...["192.0.2.7", "[2001:db8::7]", "[2001:DB8:0::7]"],
  ];
  for (const name of own) {
    t.equal(await asked(name), 200, name);
    t.equal(await asked(`${name}:${port}`), 200, `${name}, with the port`);
    t.equal(await asked(`${name}:1`), 200, `${name}, with the port of something in front`);
  }
  const [other] = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal);
  if (other === undefined) return t.comment("this machine has no other address");
  const lines = ["GET /api/plugins HTTP/1.1", `Host: ${other.address}:${port}`];
  t.equal((await say(lines, other.address)).status, 200, "the address that was asked");
  t.equal((await say(lines)).status, 421, "another one");
});

const foreign = [
  ...[
    "wpad",
    "intranet",
    "a",
    "evil.example",
    "evil.example.",
    "localhost.evil.example",
    "127.0.0.1.example",
  ],
  ...["notlocalhost", "printing.example", "www.reports.example.com", "10.0.0.1", "[2001:db8::8]", "[::]"],
  ...[
    "evil.example@127.0.0.1",
    "127.0.0.1@evil",
    "localhost/x",
    "localhost evil",
    "[::1",
    "::1",
    "localhost:x",
  ],
  ...["127.0.0.1,evil", "localhost:99999", "%6cocalhost", "*"],
];

t.test("any other name is 421 for every path and method, and the answer says how to name it", async (t) => {
  for (const name of foreign) t.equal(await asked(name), 421, name);
  for (const path of ["/", "/admin", "/readyz", "/metrics", "/openapi.json", "/api/nothing", "/x"])
    t.equal(await asked("wpad", path), 421, path);
  for (const path of ["/EAIWS/plugins/oex/config.json", "/files/x/y", "/1.0/EAIWS/plugins/x/y"])
    for (const method of ["GET", "POST", "OPTIONS", "DELETE"])
      t.equal((await say([`${method} ${path} HTTP/1.1`, "Host: wpad"])).status, 421, `${method} ${path}`);
  const page = [`Host: wpad:${port}`, `Origin: http://wpad:${port}`, "Content-Length: 0"];
  const { status, body } = await say(["POST /api/plugins HTTP/1.1", ...page]);
  t.equal(status, 421);
  t.match(JSON.parse(body), { code: 421, id: "request-misdirected", message: /"wpad:\d+".*hostNames/ });
  t.ok(JSON.parse((await say(["GET / HTTP/1.1", `Host: ${"x".repeat(9000)}`])).body).message.length < 300);
});

t.test("an address in place of a path counts as well", async (t) => {
  const target = async (url: string, name: string): Promise<number> =>
    (await say([`GET ${url} HTTP/1.1`, `Host: ${name}`])).status;
  t.equal(await target(`http://localhost:${port}/api/plugins`, "localhost"), 200);
  t.equal(await target(`http://wpad:${port}/api/plugins`, "localhost"), 421);
  t.equal(await target(`HTTP://WPAD/api/plugins`, "localhost"), 421);
  t.equal(await target("http://localhost@wpad/api/plugins", "localhost"), 421);
  t.equal(await target(`http://localhost/api/plugins`, "wpad"), 421);
});

t.test("what a trusted proxy says counts beside its own name for the host", async (t) => {
  const forwarded = (name: string): string[] => ["X-Forwarded-For: 203.0.113.7", `X-Forwarded-Host: ${name}`];
  t.equal(await asked("localhost", "/api/plugins", forwarded("reports.example.com")), 200);
  t.equal(await asked("localhost", "/api/plugins", forwarded("evil.example")), 421);
  // A page may send these headers to its own server.
  t.equal(await asked("evil.example", "/api/plugins", forwarded("localhost")), 421);
});

t.test("one Host, except from clients that are too old to have one", async (t) => {
  const path = "GET /api/plugins HTTP/1.1";
  t.equal((await say([path])).status, 400);
  t.equal((await say([path, "Host: localhost", "Host: localhost"])).status, 400);
  t.equal((await say([path, "Host: localhost", "hOST: wpad"])).status, 400);
  t.equal((await say([path, "Host: wpad", "Host: localhost"])).status, 421);
  t.equal((await say([path, "Host:"])).status, 200, "which no browser sends");
  t.equal((await say(["GET /api/plugins HTTP/1.0"])).status, 200);
  t.equal((await say(["GET /api/plugins HTTP/1.0", "Host: wpad"])).status, 421);
});

t.test("a load balancer may ask by any name whether the process answers, and learns no more", async (t) => {
  for (const name of ["wpad", "10.0.0.1:8080", "slipway_backend"])
    t.equal(await asked(name, "/healthz"), 200, name);
  for (const path of ["/healthz/", "/healthz/../api/plugins", "//healthz", "/healthz%2f", "/HEALTHZ"])
    t.equal(await asked("wpad", path), 421, path);
});
