/**
 * A machine that fails: no room, a closed disk, broken files, a clock that jumps; and what `slipway check` says of it. The
 * store of files is tested by itself where its room is a hundred bytes: a host's first file would fill it.
 */
import { once } from "node:events";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import t from "tap";
import { createFileArtifactStore } from "../../../host/files/files.js";
import { filesConfiguration } from "../../host/files-support.js";
import { until } from "../../host/plugins-support.js";
import { project, type SessionAnswer, session } from "../../host/sessions-support.js";
import { smallDisk } from "../../host/small-disk.js";
import { runCommand } from "../../run-command.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

const fixtures = join(repository, "test", "fixtures", "plugins", "good");
const json = { "Content-Type": "application/json" };
/** Something that starts and is no browser: what is tested here needs none. */
const noBrowser = { pdf: { executable: "/bin/true", sandbox: "off" } };

const open = async (host: StartedHost): Promise<SessionAnswer> => session(await ask(host, "/api/sessions"));
const ask = (host: StartedHost, path: string, method = "POST"): Promise<Response> =>
  fetch(`${host.url}${path}`, {
    method,
    ...(method === "POST" && { headers: json, body: JSON.stringify(bodyOf(path)) }),
  });
const bodyOf = (path: string): unknown => {
  if (path === "/api/sessions") return project();
  return path.endsWith("/file") ? { name: "a.txt", content: "text", mediaType: "text/plain" } : {};
};
const plugin = "/EAIWS/plugins/consumer";
const usesSession = (host: StartedHost, id: string): Promise<Response> =>
  fetch(`${host.url}${plugin}/project?sessionId=${id}`);
const storageOf = async (host: StartedHost): Promise<unknown> => {
  const answer: { parts: Record<string, unknown> } = JSON.parse(
    await (await fetch(`${host.url}/readyz`)).text(),
  );
  return answer.parts["storage"];
};

t.test("a full and a closed disk: 503, what was acknowledged stays, and it mends itself", async (t) => {
  const disk = await smallDisk();
  if (disk === undefined) return t.comment("skipped: this user may not mount a disk of its own");
  const plugins = t.testdir({ consumer: t.fixture("symlink", join(fixtures, "consumer")) });
  const host = await startHost({
    var: join(disk.folder, "var"),
    plugins: [plugins],
    configuration: { ...noBrowser, plugins: { rescanInterval: 200 } },
  });
  t.teardown(async () => {
    await host.stop();
    await disk.remove();
  });
  const { sessionId } = await open(host);
  t.equal((await ask(host, `${plugin}/file`)).status, 200);

  await disk.fill();
  for (const path of ["/api/sessions", `${plugin}/file`, "/api/plugins/consumer/disable"]) {
    const refused = await ask(host, path);
    t.equal(refused.status, 503, path);
    if (!path.endsWith("disable")) t.ok(Number(refused.headers.get("retry-after")) > 0, path);
  }
  t.equal((await ask(host, "/api/plugins/consumer/enable")).ok, true);
  await symlink(join(fixtures, "echo-1.0"), join(plugins, "echo"));
  await until(async () => /no room.*tried again/.test(await (await fetch(`${host.url}/api/plugins`)).text()));
  t.equal((await usesSession(host, sessionId)).status, 200, "sessions can be used");
  await until(async () => /no room/.test(JSON.stringify(await storageOf(host))));
  t.match(await storageOf(host), {
    ready: false,
    detail: /^Nothing can be stored: there is no room; make some/,
  });

  await disk.free();
  await until(async () => /"Echo"/.test(await (await fetch(`${host.url}/api/plugins`)).text()));
  await until(async () =>
    (await ask(host, "/1.0/EAIWS/plugins/Echo/unknown", "GET")).headers.has("Slipway-Plugin"),
  );
  t.equal((await ask(host, `${plugin}/file`)).status, 200, "there is room again");
  await until(async () => /"Echo"/.test(await readFile(join(host.var, "plugins.json"), "utf8")));

  await disk.close();
  t.equal((await ask(host, "/api/sessions")).status, 503);
  t.equal((await ask(host, `${plugin}/file`)).status, 503);
  t.equal((await ask(host, `/api/sessions/${sessionId}`, "DELETE")).status, 503);
  t.equal((await usesSession(host, sessionId)).status, 200, "what was not removed is there");
  await until(async () => /EROFS/.test(JSON.stringify(await storageOf(host))));
  await disk.open();
  t.equal((await ask(host, `/api/sessions/${sessionId}`, "DELETE")).status, 204);
  await until(async () => /"ready":true/.test(JSON.stringify(await storageOf(host))));
});

t.test("a clock that jumps by years, and files that were broken meanwhile", async (t) => {
  const folder = t.testdir({
    clock: "0",
    plugins: { consumer: t.fixture("symlink", join(fixtures, "consumer")) },
  });
  const clock = join(folder, "clock");
  const options = {
    var: join(folder, "var"),
    plugins: [join(folder, "plugins")],
    configuration: noBrowser,
    environment: {
      NODE_OPTIONS: `--import ${pathToFileURL(join(repository, "test", "host", "shifted-clock.mjs")).href}`,
      SHIFTED_CLOCK: clock,
    },
  };
  let host = await startHost(options);
  t.teardown(() => host.stop());
  const sessions = [await open(host), await open(host), await open(host)];
  const [{ sessionId } = { sessionId: "" }, broken, torn] = sessions;
  const file: { url: string } = JSON.parse(await (await ask(host, `${plugin}/file`)).text());
  const year = 365 * 24 * 3_600_000;
  for (const shift of [year, -2 * year]) {
    await writeFile(clock, String(shift));
    await until(async () => {
      const date = Date.parse((await fetch(`${host.url}/healthz`)).headers.get("date") ?? "");
      const hostTime = (await session(await ask(host, `/api/sessions/${sessionId}/keepalive`))).expiresAt;
      return Math.abs(Date.parse(hostTime) - Date.now() - shift) < 3 * 24 * 3_600_000 && date > 0;
    });
    t.equal((await usesSession(host, sessionId)).status, 200, "a session goes on");
    t.equal((await fetch(file.url)).status, 200, "so does a file");
    const opened = await open(host);
    t.equal((await usesSession(host, opened.sessionId)).status, 200);
    t.equal((await ask(host, `/api/sessions/${opened.sessionId}`, "DELETE")).status, 204);
  }
  const noticed = ({ msg, seconds }: Record<string, unknown>): boolean =>
    /clock .* jumped/.test(String(msg)) && Math.sign(Number(seconds)) === -1;
  await host.logged(noticed);
  await writeFile(clock, "0");
  await until(async () => {
    const { expiresAt } = await session(await ask(host, `/api/sessions/${sessionId}`, "GET"));
    return Math.abs(Date.parse(expiresAt) - Date.now()) < 2 * 24 * 3_600_000;
  });
  await host.kill();

  const place = host.var;
  const files = await readdir(join(place, "files"));
  await writeFile(join(place, "sessions", broken?.sessionId ?? "", "record.json"), "{");
  await writeFile(join(place, "sessions", torn?.sessionId ?? "", "record.json"), Buffer.from([0, 255, 0]));
  await rm(join(place, "plugins.json"));
  await mkdir(join(place, "plugins.json"));
  await writeFile(join(place, "events.jsonl"), Buffer.alloc(100, 7));
  await writeFile(join(place, "files", files.find((name) => name.endsWith(".json")) ?? ""), "");
  for (const name of await readdir(join(place, "snapshots", "Consumer")).catch(() => []))
    await writeFile(join(place, "snapshots", "Consumer", name, "snapshot.json"), "[]");
  host = await startHost(options);
  t.equal((await usesSession(host, sessionId)).status, 200, "what is whole is served");
  t.equal((await usesSession(host, broken?.sessionId ?? "")).status, 422);
  t.equal((await fetch(`${host.url}${new URL(file.url).pathname}`)).status, 404);
  const said = host.log.map(({ msg }) => String(msg));
  t.equal(said.filter((line) => /no record that can be read/.test(line)).length, 2);
  t.ok(said.some((line) => /state of the plugins is broken; it was set aside/.test(line)));
  t.ok((await readdir(place)).some((name) => name.startsWith("plugins.json.broken-")));
  await host.stop();

  await rm(join(place, "files"), { recursive: true });
  await writeFile(join(place, "files"), "");
  const refused = await runCommand(["start", "--port", "0", "--var", place]);
  t.equal(refused.code, 1);
  t.match(refused.errors, /files is no folder; move it away/);
});

t.test("check finds what is wrong with the machine, and touches nothing", async (t) => {
  const folder = t.testdir({
    plugins: {},
    var: { "keys.json": '{"keys":[]}', files: { late: "" } },
  });
  const plugins = join(folder, "plugins");
  await cp(join(fixtures, "echo-1.0"), join(plugins, "echo"), { recursive: true });
  const before = await readdir(plugins, { recursive: true });
  await chmod(join(folder, "var", "keys.json"), 0o644);
  const late = new Date(Date.now() + 10 * 24 * 3_600_000);
  await utimes(join(folder, "var", "files", "late"), late, late);
  const other = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(other, "listening");
  t.teardown(() => other.close());
  const { port } = other.address() as AddressInfo;
  const flags = ["--port", String(port), "--var", join(folder, "var"), "--plugins", plugins];
  const checked = await runCommand(["check", "--json", ...flags, "--templates", join(folder, "none")], {
    environment: {
      TZ: "Atlantis/Capital",
      HTTPS_PROXY: "http://proxy.example.com",
      SLIPWAY_TEMPLATES__STORE__URL: `http://127.0.0.1:1/store/`,
      SLIPWAY_TEMPLATES__STORE__ALLOWED_INTERNAL_HOSTS: "127.0.0.1:1",
      SLIPWAY_PDF__EXECUTABLE: "/bin/true",
      SLIPWAY_FILES__MINIMUM_FREE: "0",
    },
  });
  t.equal(checked.code, 1);
  const {
    ok,
    checks,
  }: { ok: boolean; checks: { name: string; ok: boolean; hint?: true; detail: string }[] } = JSON.parse(
    checked.output,
  );
  t.equal(ok, false);
  const details = (name: string, good: boolean): string =>
    checks.flatMap((check) => (check.name === name && check.ok === good ? [check.detail] : [])).join("\n");
  t.match(details("port", false), /^\d+ of 127\.0\.0\.1 is in use by .*end that, or choose another port/);
  if (process.platform === "linux") t.match(details("port", false), `with process id ${process.pid}`);
  t.match(details("keys", false), /others can read .*chmod 600/);
  t.match(details("clock", false), /files in .* are from .*; set it/);
  t.match(details("time zones", false), /Atlantis\/Capital, which is no time zone/);
  t.match(details("folder templates", false), /there is no folder .*none; .*folders\.templates/);
  t.match(details("template store", false), /cannot be reached/);
  t.match(details("pdf", false), /browser/);
  t.match(details("proxy", true), /HTTPS_PROXY is set/);
  for (const name of [
    "configuration",
    "node",
    "var",
    "disk",
    "folder plugins",
    "procedures",
    "fonts",
    "plugins",
  ])
    t.not(details(name, true), "", name);
  t.strictSame(await readdir(plugins, { recursive: true }), before);
  t.notOk((await readdir(join(folder, "var"))).includes("host.pid"), "a running host would not notice");
});

t.test("where room is short the oldest files go, but none that is young or being read", async (t) => {
  const lines: string[] = [];
  const note = (message: string): void => void lines.push(message);
  const configuration = filesConfiguration({ maximumBytes: 100, minimumLifetime: 1, minimumFree: 0 });
  const folder = t.testdir();
  const store = createFileArtifactStore({
    folder,
    configuration,
    log: { debug: note, info: note, warn: note, error: note },
  });
  await store.open();
  const create = async (bytes: number) => {
    const made = await store.create({ name: "a.bin", mediaType: "a/b", content: Buffer.alloc(bytes) });
    await until(() => Date.now() > made.created + 1);
    return made;
  };
  const [read, oldest, newest] = [await create(40), await create(30), await create(30)];
  const reading = store.read(read);
  const next = await create(20);
  t.equal(await store.find(oldest.id), undefined, "the oldest that nobody reads");
  for (const { id } of [read, newest, next]) t.ok(await store.find(id));
  t.equal((await buffer(reading)).length, 40);
  t.match(await store.usage(), { count: 3, bytes: 90, evicted: 1 });
  t.ok(lines.some((line) => /deleted early for lack of space/.test(line)));
  await create(50);
  t.equal(await store.find(read.id), undefined, "it is read no more");
  // Who makes room does not wait until the disk is done.
  await until(async () => (await readdir(folder)).length === 2 * (await store.usage()).count);

  configuration.minimumLifetime = 60_000;
  await t.rejects(create(60), { code: 503, id: "request-overloaded" }, "nothing else may go");
});
