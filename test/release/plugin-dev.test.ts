/** `slipway plugin dev` in a terminal: what an author sees of saves, logs and errors. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import {
  edit,
  greetingFiles,
  type StartedDevelopment,
  spawnDevelopment,
  startDevelopment,
} from "../host/plugin-dev-support.js";
import { until } from "../host/plugins-support.js";
import { reportOnly, writeFiles } from "../host/templates-support.js";
import { runCommand } from "../run-command.js";
import { cleanEnvironment, commandLine, repository } from "../start-host.js";

let folder: string;
let plugin: string;
let started: StartedDevelopment;
/** Somebody else may use the one port of all debuggers. */
let isInspected: boolean;

t.teardown(() => started?.interrupt());

t.before(async () => {
  folder = t.testdir({ temporary: {}, others: {}, greeting: greetingFiles });
  plugin = join(folder, "greeting");
  await edit(plugin, "src/index.ts", "setup: (host) =>", "setup: (host) => =>");
  isInspected = process.platform !== "win32" && !(await isListening(9229));
  started = await startDevelopment(
    [plugin, "--plugins", join(folder, "others"), ...(isInspected ? ["--inspect"] : [])],
    join(folder, "temporary"),
  );
});

/** Asks the route, with the sample session. */
async function greet(name: string): Promise<{ status: number; text: string }> {
  const [, sessionId] = /session (\S+)$/m.exec(started.printed()) ?? [];
  const answer = await fetch(`${started.url}/EAIWS/plugins/Greeting/hello.json`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId, name }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Whether somebody answers at a port of this machine. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    for (const [event, answer] of [
      ["connect", true],
      ["error", false],
    ] as const)
      socket.once(event, () => {
        socket.destroy();
        resolve(answer);
      });
  });
}

/** Does something; resolves when what is printed from then on says something. */
async function after(act: () => Promise<unknown>, wanted: RegExp): Promise<void> {
  const from = started.printed().length;
  await act();
  await started.says(wanted, from);
}

t.test("a plugin that does not compile says where, and the host runs", async (t) => {
  await started.says(
    /Greeting 1\.0\.0 cannot be used: src\/index\.ts:6:20: Unexpected "=>"\n {4}src\/index\.ts:6:20\n {4}6 \| {3}setup: \(host\) => => \(\{\n {27}\^/,
  );
  t.match(started.printed(), `Plugin    ${plugin}\n`);
  t.equal((await fetch(started.address)).status, 200);
  t.equal((await greet("Ada")).status, 404);
});

t.test("what is mended is live at once", async () => {
  await after(
    () => edit(plugin, "src/index.ts", "=> =>", "=>"),
    /Greeting 1\.0\.0 is live, \d+\.\d\d s after the save\n/,
  );
});

t.test("a debugger finds the process that answers, and has all the time it needs", async (t) => {
  if (!isInspected) return t.plan(0, "port 9229 is taken");
  await started.says(/Debugger listening on ws:\/\/127\.0\.0\.1:9229\//);
  const [target] = JSON.parse(await (await fetch("http://127.0.0.1:9229/json/list")).text());
  t.match(target, { type: "node", webSocketDebuggerUrl: /^ws:/ });
  const slow = await fetch(`${started.url}/EAIWS/plugins/Greeting/slow.json`);
  t.match(await slow.json(), { done: true }, "also where a route has a shorter deadline");
  const from = started.printed().length;
  await edit(plugin, "src/hello.ts", "return `", "// As friends do.\n  return `");
  await started.says(/Greeting 1\.0\.0 is live/, from);
  await started.says(/Debugger listening on ws:\/\/127\.0\.0\.1:9229\/[\s\S]*For help/, from);
});

t.test("a route answers with the packages of the plugin and the sample project", async (t) => {
  await after(async () => {
    const { status, text } = await greet("Ada");
    t.equal(status, 200);
    t.match(JSON.parse(text), { text: "Dear: Hello Ada", locale: /^\w+$/ });
  }, /somebody says hello name=Ada\n\S+ POST \S+hello\.json answered 200 in \d+ ms\n/);
});

t.test("what throws is told with the line of the source, and to clients without", async (t) => {
  await after(async () => {
    const { status, text } = await greet("nobody");
    t.equal(status, 500);
    t.notMatch(text, /hello\.ts|Nobody is there/);
  }, /ERROR POST hello\.json failed\n {4}src\/hello\.ts:5:32\n {4}5 \| {3}if \(name === "nobody"\) throw[^\n]+\n +\^\n {4}Error: Nobody is there\n[^\n]+greeting\/src\/hello\.ts:5:32\)\n[^\n]+greeting\/src\/index\.ts:\d+:\d+\)\n\S+ POST/);
});

t.test("setup that throws leaves what served, and what is undone is live again", async (t) => {
  await after(
    () => edit(plugin, "src/index.ts", "routes: [", "routes: [...Reflect.get(host, 'nothing'),"),
    /does not start: The plugin's setup failed: .+ The previous version keeps serving\./,
  );
  t.match(started.printed(), /ERROR The plugin's setup failed\n {4}src\/index\.ts:7:\d+\n/);
  t.equal((await greet("Ada")).status, 200);
  await after(
    () => edit(plugin, "src/index.ts", "...Reflect.get(host, 'nothing'),", ""),
    /Greeting 1\.0\.0 is live/,
  );
});

t.test("what a save waits for is told once, when it takes long", async (t) => {
  const gate = join(folder, "gate");
  const waiting = `setup: async (host) => { while (!fs.existsSync(${JSON.stringify(gate)})) await new Promise((done) => setTimeout(done, 20)); return `;
  const index = join(plugin, "src/index.ts");
  const before = await readFile(index, "utf8");
  const from = started.printed().length;
  const slow = before
    .replace("setup: (host) => (", `${waiting}(`)
    .replace(/\),?\n?\s*\}\);\s*$/, "); } });\n");
  await writeFile(index, `import fs from "node:fs";\n${slow}`);
  await started.says(/Greeting 1\.0\.0 is not live yet\. Up to now, `setup` did not return\./, from);
  t.equal((await greet("Ada")).status, 200, "the version before serves");
  await writeFile(gate, "");
  await started.says(/Greeting 1\.0\.0 is live/, from);
  t.equal(started.printed().slice(from).split("`setup` did not return").length, 2);
  await after(() => writeFile(index, before), /Greeting 1\.0\.0 is live/);
});

t.test("a file that the plugin brings is reloaded like its code", async (t) => {
  await writeFile(join(plugin, "motto.txt"), "calm");
  const template = join(plugin, "templates", "motto");
  await writeFiles(template, reportOnly("motto", "<p>calm</p>"));
  await after(async () => {
    await edit(plugin, "package.json", '"entry"', '"assets":["*.txt"],"templates":"templates","entry"');
    await edit(
      plugin,
      "src/index.ts",
      "routes: [",
      'routes: [route.get("motto.json", { summary: "Its motto.", handler: async () => ({ motto: await host.assets.text("motto.txt") }) }),',
    );
  }, /Greeting 1\.0\.0 is live/);
  const motto = async (): Promise<unknown> =>
    (await fetch(`${started.url}/EAIWS/plugins/Greeting/motto.json`)).json();
  await until(async () => /calm/.test(JSON.stringify(await motto())));
  await after(() => writeFile(join(plugin, "motto.txt"), "loud"), /Greeting 1\.0\.0 is live/);
  t.strictSame(await motto(), { motto: "loud" });

  const version = async (): Promise<string | undefined> => {
    const answer = await fetch(`${started.url}/api/templates`);
    const { templates }: { templates: { key: string; plugin?: string; version?: string }[] } = JSON.parse(
      await answer.text(),
    );
    return templates.find(({ key, plugin: by }) => key === "motto" && by === "Greeting")?.version;
  };
  await until(async () => (await version()) !== undefined);
  const before = await version();
  await after(() => writeFile(join(template, "report.ejs"), "<p>loud</p>"), /Greeting 1\.0\.0 is live/);
  await until(async () => ![before, undefined].includes(await version()));
});

t.test("pages of others and other names are refused", async (t) => {
  const foreign = await fetch(`${started.url}/api/development`, {
    headers: { Origin: "https://example.com" },
  });
  t.equal(foreign.status, 403);
  for (const path of ["/dev/", "/api/development/lines"]) {
    const status = await new Promise((resolve, reject) => {
      get(started.url + path, { headers: { Host: "example.com" } }, (answer) => {
        resolve(answer.statusCode);
        answer.resume();
      }).on("error", reject);
    });
    t.equal(status, 421, path);
  }
  t.ok(new URL(started.url).hostname === "127.0.0.1");
});

t.test("Ctrl+C ends it well and leaves nothing behind", async (t) => {
  t.equal(await started.interrupt(), 0);
  t.strictSame(await readdir(join(folder, "temporary")), []);
});

t.test(
  "saves are found where the system watches no files; a closed terminal leaves nothing behind",
  async (t) => {
    const temporary = join(folder, "temporary");
    const closed = await startDevelopment([plugin, "--plugins", join(folder, "others")], temporary, {
      NODE_OPTIONS: `--import=${pathToFileURL(join(repository, "test/host/no-watches.mjs"))}`,
    });
    t.teardown(() => closed.process.kill("SIGKILL"));
    const told = /Files cannot be watched \(ENOSPC: .+\); the host looks for changes every second instead\./;
    await closed.says(told);
    const from = closed.printed().length;
    await edit(plugin, "src/hello.ts", "somebody says hello", "somebody calls");
    await closed.says(/Greeting 1\.0\.0 is live/, from);
    t.notMatch(closed.printed().slice(from), told, "it is told once");
    const ended = once(closed.process, "exit");
    closed.process.stdout?.destroy();
    closed.process.stderr?.destroy();
    // The shell and the system tell it.
    closed.process.kill("SIGHUP");
    closed.process.kill("SIGHUP");
    t.strictSame(await ended, [0, null]);
    t.strictSame(await readdir(temporary), []);
  },
);

t.test("a plugin that blocks while it starts does not keep Ctrl+C waiting", async (t) => {
  const [temporary, marked] = [join(folder, "temporary"), join(folder, "marked")];
  await cp(plugin, join(folder, "blocking"), { recursive: true });
  await writeFile(
    join(folder, "blocking/src/index.ts"),
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marked)}, ""); for (;;);`,
  );
  const child = spawnDevelopment([join(folder, "blocking"), "--plugins", join(folder, "others")], temporary);
  t.teardown(() => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  await until(() => existsSync(marked));
  child.kill("SIGINT");
  t.strictSame(await ended, [1, null]);
  t.strictSame(await readdir(temporary), []);
});

t.test("Ctrl+C in the middle of a start leaves nothing behind", async (t) => {
  const temporary = t.testdir();
  const commands: [parameters: string[], made: string][] = [
    [["plugin", "check", plugin], "."],
    [["plugin", "dev", plugin, "--plugins", join(folder, "others")], "."],
    [["plugin", "dev", plugin, "--plugins", join(folder, "others")], "pdf"],
  ];
  for (const [parameters, made] of commands) {
    const child = spawn(process.execPath, [commandLine, ...parameters], {
      env: { ...cleanEnvironment(), TMPDIR: temporary },
      stdio: "ignore",
    });
    t.teardown(() => child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const folders = () => readdirSync(temporary).filter((name) => name.startsWith("slipway-"));
    await until(() => folders().some((name) => existsSync(join(temporary, name, made))));
    child.kill("SIGINT");
    await ended;
    t.strictSame(folders(), [], `${parameters.slice(0, 2).join(" ")}, when ${made} was there`);
  }
});

t.test("what is no folder is wrong use", async (t) => {
  const { code, errors } = await runCommand(["plugin", "dev", join(plugin, "package.json")]);
  t.equal(code, 2);
  t.match(errors, /is no folder/);
});
