/** Plugins that come over the host API, as commands, pages and scripts send them. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import t from "tap";
import { handmadeArchive, handmadeTar } from "../../host/archive-support.js";
import { fixtures, until } from "../../host/plugins-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

const folder = t.testdir({ plugins: {}, empty: {} });
const plugins = join(folder, "plugins");
const megabyte = 1024 * 1024;
const gzip = { "Content-Type": "application/gzip" };

let host: StartedHost;
let archives: Record<"echo" | "failing" | "consumer", Buffer>;
t.before(async () => {
  await cp(join(fixtures, "good", "echo-1.0"), join(plugins, "echo"), { recursive: true });
  host = await startHost({
    plugins: [plugins],
    templates: [join(folder, "empty")],
    configuration: { plugins: { settlingTime: 50, archives: { bytes: 1 } } },
  });
  archives = {
    echo: await archiveOf("good", "echo-1.1"),
    failing: await archiveOf("broken", "failing-setup"),
    consumer: await archiveOf("good", "consumer"),
  };
});
t.teardown(() => host.stop());

/** As `npm pack` would make it. */
async function archiveOf(...place: string[]): Promise<Buffer> {
  const source = join(fixtures, ...place);
  const entries = (await readdir(source)).map(async (name) => ({
    name: `package/${name}`,
    content: await readFile(join(source, name)),
  }));
  return gzipSync(handmadeTar(await Promise.all(entries)));
}

const post = (
  body: NonNullable<RequestInit["body"]>,
  headers: Record<string, string> = {},
): Promise<Response> => fetch(`${host.url}/api/plugins`, { method: "POST", body, headers });

function form(...files: Buffer[]): FormData {
  const made = new FormData();
  for (const file of files) made.append("plugin", new Blob([Uint8Array.from(file)]), "../../plugin.tgz");
  return made;
}

/** Hidden names included. */
const lying = async (): Promise<string[]> => (await readdir(plugins)).sort();

t.test("of two uploads of one version at the same moment one is taken, and answers", async (t) => {
  const both = await Promise.all([post(archives.echo, gzip), post(form(archives.echo))]);
  t.strictSame(both.map(({ status }) => status).sort(), [201, 409]);
  for (const answer of both) {
    const body: unknown = await answer.json();
    if (answer.status === 409) t.match(body, { id: "plugin-conflict", message: /already/ });
    else t.match(body, { plugin: { name: "Echo", version: "1.1.0", stage: "live", releases: ["1.0"] } });
    t.notMatch(JSON.stringify(body), folder);
  }
  t.strictSame(await lying(), ["echo", "fixture-echo-1.1-1.1.0.tgz"]);
  const answer = await fetch(`${host.url}/EAIWS/plugins/Echo/item/1`);
  t.equal(answer.headers.get("slipway-plugin"), "Echo@1.1.0");
  const later = await post(archives.echo, { "Content-Type": "application/octet-stream" });
  t.match(await later.json(), { code: 409, id: "plugin-conflict" });
});

t.test("a plugin called like what every object has is one like others", async (t) => {
  const manifest = {
    name: "odd-name",
    version: "1.0.0",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "constructor", entry: "index.js" },
  };
  const content = `import { definePlugin } from "@slipway/sdk";
export default definePlugin({ setup: () => ({ routes: [] }) });`;
  const files = [
    { name: "package/package.json", content: JSON.stringify(manifest) },
    { name: "package/index.js", content },
  ];
  const answer = await post(gzipSync(handmadeTar(files)), gzip);
  t.match(await answer.json(), { plugin: { name: "constructor", stage: "live" } });
});

t.test("what cannot be a plugin is refused with its reason, and nothing of it stays", async (t) => {
  const before = await lying();
  const manifest = (name: string, version = "1.0.0") =>
    JSON.stringify({
      name,
      version,
      type: "module",
      engines: { slipway: "^1.0.0" },
      slipway: { plugin: "Odd", entry: "index.js" },
    });
  const half = archives.echo.subarray(0, archives.echo.length / 2);
  const refusals: [Buffer, RegExp][] = [
    [Buffer.alloc(0), /ends early/],
    [Buffer.from("{}"), /it is no .tgz, .tar or .zip archive/],
    [half, /ends early/],
    [Buffer.concat([archives.echo, randomBytes(100)]), /data after its end|damaged/],
    [handmadeArchive({ name: "package/../../../evil.js", content: "x" }), /evil\.js/],
    [handmadeArchive({ name: "package/link", type: "2", target: "/etc/passwd" }), /is a link/],
    [handmadeArchive(), /package\.json\.name/],
    [handmadeArchive({ name: "package/zeros", content: Buffer.alloc(2 * megabyte) }), /more than 1 MB/],
    [archiveWith(manifest(".hidden")), /hidden/],
    [archiveWith(manifest("x".repeat(210), `1.0.0-${"x".repeat(90)}`)), /too long/],
    [archiveWith(manifest("odd")), /index\.js/],
    [archives.failing, /does not like Mondays/],
  ];
  for (const [archive, reason] of refusals) {
    const answer = await post(archive, gzip);
    const body: unknown = await answer.json();
    t.match(body, { code: 422, id: "plugin-rejected", message: reason });
    t.notMatch(JSON.stringify(body), folder);
  }
  t.strictSame(await lying(), before);
  t.match(await (await post(form(archives.failing))).json(), { code: 422 }, "and may come again");
  t.strictSame(await lying(), before);
});

t.test("what is no upload of a plugin is refused before anything is written", async (t) => {
  const before = await lying();
  const typed = async (type: string, more = {}) =>
    (await (await post(archives.consumer, { "Content-Type": type, ...more })).json()) as unknown;
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"])
    t.match(await typed(type), { code: 415, id: "request-unsupported-media-type" }, type);
  t.match(await typed("application/gzip", { "Content-Encoding": "gzip" }), { code: 415 });
  for (const wrong of [form(), form(archives.consumer, archives.failing)])
    t.match(await (await post(wrong)).json(), { code: 400, id: "request-bad-request" });
  const origin = { ...gzip, Origin: "https://evil.example.com" };
  t.match(await (await post(archives.consumer, origin)).json(), { code: 403, id: "request-forbidden" });

  const large = randomBytes(2 * megabyte);
  t.match(await (await post(large, gzip)).json(), { code: 413, id: "request-too-large" });
  t.match(await (await post(form(large))).json(), { code: 413, id: "request-too-large" });
  const hidden = await fetch(`${host.url}/api/plugins`, {
    method: "POST",
    headers: gzip,
    body: new Blob([large]).stream(),
    duplex: "half",
  });
  t.match(await hidden.json(), { code: 413 }, "also when it does not say how large it is");
  t.strictSame(await lying(), before);
});

t.test("a connection that is cut leaves nothing; a client that goes away changes nothing", async (t) => {
  const before = await lying();
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    "POST /api/plugins HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/gzip\r\nContent-Length: 9999\r\n\r\n",
  );
  socket.write(archives.consumer.subarray(0, 100));
  await until(async () => (await lying()).some((name) => name.startsWith(".adding-")));
  socket.destroy();
  await until(async () => (await lying()).join() === before.join());

  const gone = new AbortController();
  const upload = fetch(`${host.url}/api/plugins`, {
    method: "POST",
    headers: gzip,
    body: archives.failing,
    signal: gone.signal,
  });
  await until(async () => (await lying()).includes("fixture-failing-setup-1.0.0.tgz"));
  gone.abort();
  await t.rejects(upload);
  await until(async () => (await lying()).join() === before.join());
  t.pass("what is refused afterwards is taken out all the same");
});

t.test("a full disk and a folder that is gone are told, and what mends them is enough", async (t) => {
  const before = await lying();
  const room = (bytes: number | "unlimited") =>
    promisify(execFile)("prlimit", ["--pid", String(host.process.pid), `--fsize=${bytes}:`]);
  const limited = await room(50_000).catch(() => undefined);
  if (limited !== undefined) {
    for (const body of [randomBytes(megabyte / 2), form(randomBytes(megabyte / 2))]) {
      const full = await post(body, body instanceof FormData ? {} : gzip);
      t.match(await full.json(), {
        code: 503,
        id: "request-overloaded",
        message: /disk of the host is full/,
      });
    }
    await room("unlimited");
  }
  t.strictSame(await lying(), before);

  await rename(plugins, `${plugins}-away`);
  for (const body of [archives.consumer, form(archives.consumer)]) {
    const lost = await post(body, body instanceof FormData ? {} : gzip);
    t.match(await lost.json(), { code: 409, id: "plugin-conflict", message: /cannot write .*ENOENT/ });
  }
  await rename(`${plugins}-away`, plugins);
  const added = await post(archives.consumer, gzip);
  t.match(await added.json(), { plugin: { name: "consumer", stage: "live" } });
  t.strictSame(await lying(), [...before, "fixture-consumer-1.0.0.tgz"].sort());
});

t.test("the command sends a folder from anywhere, and says what became of it", async (t) => {
  const elsewhere = join(folder, "elsewhere");
  await mkdir(elsewhere);
  const add = (source: string, ...more: string[]) =>
    runCommand(["plugin", "add", source, "--url", host.url, ...more], { folder: elsewhere });
  const added = await add(join(fixtures, "good", "troublemaker"), "--json");
  t.equal(added.code, 0, added.errors);
  t.equal(added.errors, "", "nobody waits at a terminal");
  t.match(JSON.parse(added.output), { plugin: { stage: "live", folder: /\.tgz$/ } });
  t.strictSame(await readdir(elsewhere), []);
});

function archiveWith(manifest: string): Buffer {
  return gzipSync(handmadeTar([{ name: "package/package.json", content: manifest }]));
}
