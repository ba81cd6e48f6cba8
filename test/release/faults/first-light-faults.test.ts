/** The spine when something is killed, signalled or missing: reports come, sessions stay, nothing is left behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import t, { type Test } from "tap";
import { browserOf, commandOf, processesOf, until } from "../../host/pdf-support.js";
import { pluginFiles } from "../../host/plugins-support.js";
import { type Answer, demoFile, isJson, ReporterClient } from "../../plugins/reporter-client.js";
import {
  cleanEnvironment,
  commandLine,
  prepare,
  repository,
  type StartedHost,
  startHost,
} from "../../start-host.js";

/** Answers only when a test says so: a report with a link to it runs as long as the test wants. */
const slow = createServer((_request, response) => slow.emit("asked", response));
slow.listen(0, "127.0.0.1");
await once(slow, "listening");
const slowHost = `127.0.0.1:${(slow.address() as AddressInfo).port}`;
t.teardown(() => {
  slow.close();
  slow.closeAllConnections();
});

const configuration = { fetch: { allowedInternalHosts: [slowHost] } };
/** Behaves as Chromium does where the system denies it the namespaces of its sandbox. */
const denied = `#!/bin/sh
if [ "$1" = --version ]; then echo "Chromium 1.0"; exit; fi
echo "[1:1:1120/132517.574474:FATAL:zygote.cc(128)] No usable sandbox!" >&2
exit 1
`;
/** Never looks at its channel again, and starts a process that has none. */
const blocking = `
import { spawn } from "node:child_process";
import { definePlugin, route } from "@slipway/sdk";
export default definePlugin({
  setup: () => ({
    routes: [
      route.get("block", {
        summary: "Never returns",
        handler: () => {
          const child = spawn(process.execPath, ["--eval", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
          console.log("started");
          for (;;);
        },
      }),
    ],
  }),
});
`;
const reporter = t.fixture("symlink", join(repository, "plugins", "reporter"));
const folder = t.testdir({ empty: {}, file: "", denied, plugins: { reporter } });
const place = join(folder, "var");

const started = (): Promise<StartedHost> => startHost({ var: place, configuration });

/** A report that does not end before `finish`; the host works on it when this resolves. */
async function running(host: StartedHost, sessionId: string) {
  const asked = once(slow, "asked");
  const appendLinks = [`http://${slowHost}/terms.pdf`];
  const answer = new ReporterClient(host.url).post("template/quote/v1/generate", { sessionId, appendLinks });
  const [response] = (await asked) as [ServerResponse];
  return { answer, finish: () => void response.writeHead(404).end() };
}

function cameWithoutItsLink(t: Test, { status, json }: Answer): void {
  t.equal(status, 200);
  t.match(json["errors"], [{ id: "attachment-error" }]);
}

/** Every process below the host, at any depth. */
async function processesBelow(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, "utf8").catch(() => "");
  const direct = children.trim().split(" ").filter(Boolean).map(Number);
  return [...direct, ...(await Promise.all(direct.map(processesBelow))).flat()];
}

/** A process may have ended since it was found: the finishing of a report, for one. */
function signal(processId: number, name: NodeJS.Signals): void {
  try {
    process.kill(processId, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Also true for one that has ended and whose parent has not taken notice yet. */
async function isGone(processId: number): Promise<boolean> {
  const stat = await readFile(`/proc/${processId}/stat`, "utf8").catch(() => ") X");
  return /\) [XZ]/.test(stat);
}

async function allGone(processes: readonly number[]): Promise<void> {
  await until(async () => (await Promise.all(processes.map(isGone))).every(Boolean), "every process ends");
}

/** What a host leaves in its folder besides what it is meant to keep. */
async function leftOvers(): Promise<string[]> {
  const found = await readdir(place, { recursive: true });
  return found.filter((path) => /profile-|\.part\b|^tmp\/|staging|host\.pid/.test(path));
}

t.test("kill -9 and signals", { skip: process.platform !== "linux" && "it looks into /proc" }, async (t) => {
  await prepare(place);
  let host = await started();
  const pid = (): number => host.process.pid ?? 0;
  const sessionId = await new ReporterClient(host.url).open(await demoFile("obk"));
  const pagesOf = async ({ json }: Answer) => new ReporterClient(host.url).pages(json["url"]);
  let printed: string[] = [];

  await t.test("kill -9 of the browser during a report: the report still comes", async (t) => {
    const browser = browserOf(host.var);
    for (const each of processesOf(browser)) process.kill(each.pid, "SIGSTOP");
    const report = await running(host, sessionId);
    process.kill(browser, "SIGKILL");
    report.finish();
    const answer = await report.answer;
    cameWithoutItsLink(t, answer);
    printed = await pagesOf(answer);
    t.match(printed.join(" "), /EUR 36,036\.85/);
    t.not(browserOf(host.var), browser, "from another browser");
  });

  await t.test("kill -9 of the host during a report: nothing runs on, the session is there", async (t) => {
    const report = await running(host, sessionId);
    const below = await processesBelow(pid());
    t.ok(below.length >= 4, "renderers, browser and plugin");
    const failed = t.rejects(report.answer);
    await host.kill();
    await failed;
    await allGone(below);
    host = await started();
    const again = await new ReporterClient(host.url).post("template/quote/v1/generate", { sessionId });
    t.equal(again.status, 200);
    t.strictSame(await pagesOf(again), printed);
    const left = (await leftOvers()).filter((path) => !path.includes(`-${pid()}-`));
    t.strictSame(left, ["host.pid"], "only what belongs to the new host");
  });

  await t.test("a signal to all processes: the report is finished, new ones are refused", async (t) => {
    const report = await running(host, sessionId);
    const below = await processesBelow(pid());
    const browser = browserOf(host.var);
    // As a terminal does at Ctrl+C, and a service manager at its stop.
    for (const each of [pid(), ...below]) signal(each, "SIGTERM");
    const client = new ReporterClient(host.url);
    await until(async () => (await fetch(`${host.url}/readyz`)).status === 503, "the host stops");
    const refused = await client.post("template/quote/v1/generate", { sessionId });
    t.equal(refused.status, 503);
    report.finish();
    const answer = await report.answer;
    cameWithoutItsLink(t, answer);
    t.equal(await host.exited, 0);
    await host.stop(); // removes what was made for it
    await allGone([...below, browser]);
    t.strictSame(await leftOvers(), []);

    host = await started();
    const url = String(answer.json["url"]).replace(/^http:\/\/[^/]+/, host.url);
    t.strictSame(await new ReporterClient(host.url).pages(url), printed, "its file outlives the host");
  });

  await t.test(
    "kill -9 of the host while a plugin blocks: it ends, and so does what it started",
    async (t) => {
      const plugins = await mkdtemp(join(tmpdir(), "slipway-blocking-"));
      t.teardown(() => rm(plugins, { recursive: true }));
      await mkdir(join(plugins, "blocking"));
      for (const [name, content] of Object.entries(pluginFiles("blocking", "1.0.0", blocking)))
        await writeFile(join(plugins, "blocking", name), content);
      const blocked = await startHost({
        plugins: [plugins],
        configuration: { plugins: { grants: { blocking: { programs: true } } } },
      });
      const failed = t.rejects(fetch(`${blocked.url}/EAIWS/plugins/blocking/block`));
      await blocked.logged(({ msg }) => msg === "started");
      const below = await processesBelow(blocked.process.pid ?? 0);
      t.equal(below.filter((each) => commandOf(each).includes("--eval setInterval")).length, 1);
      await blocked.kill();
      await failed;
      await allGone(below);
      await rm(blocked.var, { recursive: true });
    },
  );

  await t.test("the death of npm, which signals only its shell, ends the host", async (t) => {
    await prepare(join(folder, "npm"));
    const script = `import { spawn } from "node:child_process";
      spawn(process.execPath, ${JSON.stringify([commandLine, "start", "--port", "0", "--var", join(folder, "npm")])},
        { stdio: ["ignore", "inherit", "ignore"] });`;
    const npm = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      env: { ...cleanEnvironment(), npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(createInterface({ input: npm.stdout }), "line");
    const below = await processesBelow(npm.pid ?? 0);
    t.ok(below.length >= 4);
    npm.kill("SIGTERM");
    await allGone(below);
    t.notOk((await readdir(join(folder, "npm"))).includes("host.pid"), "in good order");
  });

  t.equal(await host.stop(), 0);
});

t.test("a machine without a browser", async (t) => {
  const empty = join(folder, "empty");
  const environment = { PATH: empty, PUPPETEER_CACHE_DIR: empty, PUPPETEER_EXECUTABLE_PATH: "" };
  // The browser of npm cannot be unpacked below a file.
  const pdf = { browserCache: join(folder, "file", "cache") };
  const host = await startHost({ configuration: { pdf }, environment });
  t.teardown(() => host.stop());
  const client = new ReporterClient(host.url);
  const ready = await fetch(`${host.url}/readyz`);
  if (ready.status === 200) {
    t.comment("not shown here: a browser is installed in one of the usual folders");
    return;
  }
  t.equal(ready.status, 503);
  const ways = /npx puppeteer browsers install.*apt-get install.*npm install.*pdf\.executable/;
  t.match(await ready.json(), {
    reasons: [ways],
    parts: { pdf: { ready: false }, plugins: { ready: true } },
  });
  t.equal((await fetch(`${host.url}/healthz`)).status, 200);
  const sessionId = await client.open(await demoFile("obk"));
  t.ok(isJson(await client.data({ sessionId })), "what needs no browser works");
  const refused = await fetch(`${host.url}/EAIWS/plugins/Reporter/template/quote/v1/generate`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId }),
  });
  t.equal(refused.status, 503);
  t.ok(Number(refused.headers.get("retry-after")) > 0);
  t.match(await refused.json(), { code: 503, id: "plugin-unavailable", scopes: [] });

  const file = join(repository, "config", "demo", "demo-project.obk");
  for (const command of [
    ["report", file, "--template", "quote"],
    ["demo", "--port", "0", "--var", join(folder, "demo")],
  ]) {
    const child = spawn(process.execPath, [commandLine, ...command, "--plugins", join(folder, "plugins")], {
      env: { ...cleanEnvironment(), ...environment, SLIPWAY_PDF__BROWSER_CACHE: pdf.browserCache },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    t.equal(code, 1);
    t.match(said.trim().split("\n").at(-1), ways, `${command[0]} says how to get one with its last word`);
  }
  t.notOk((await readdir(join(folder, "demo"))).includes("host.pid"));
});

t.test("a machine that denies the browser its sandbox", async (t) => {
  const executable = join(folder, "denied");
  await chmod(executable, 0o755);
  const host = await startHost({ configuration: { pdf: { executable, sandbox: "on" } } });
  t.teardown(() => host.stop());
  const ready = await fetch(`${host.url}/readyz`);
  t.equal(ready.status, 503);
  t.match(await ready.json(), { reasons: [/sandbox.*namespaces.*pdf\.sandbox.*SLIPWAY_PDF__SANDBOX/] });
  const client = new ReporterClient(host.url);
  const sessionId = await client.open(await demoFile("obk"));
  const refused = await client.post("template/quote/v1/generate", { sessionId });
  t.match(refused.json, { code: 503, id: "plugin-unavailable" });
  const said = host.log.filter((line) => line["msg"] === "the browser could not be started");
  t.equal(said.length, 1, "said once, however often it is tried");
});
