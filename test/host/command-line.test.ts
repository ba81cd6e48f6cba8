/** The commands as users and scripts meet them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import { cleanEnvironment, commandLine, repository, startHost } from "../start-host.js";

interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

async function slipway(parameters: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [commandLine, ...parameters], {
    cwd: t.testdirName,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code, output, errors };
}

const demo = (ending: string): string => join(repository, "config", "demo", `demo-project.${ending}`);
const folder = t.testdir({ empty: {} });

t.test("help, versions and slips of the finger", async (t) => {
  const help = await slipway(["--help"]);
  t.equal(help.code, 0);
  for (const command of ["start", "demo", "report", "check"])
    t.match(help.output, new RegExp(`^ +${command}\\b`, "m"));
  const start = await slipway(["help", "start"]);
  for (const flag of ["--port", "--host", "--var", "--plugins", "--templates", "--config"])
    t.match(start.output, flag);
  const slip = await slipway(["strat"]);
  t.equal(slip.code, 1);
  t.match(slip.errors, /unknown command 'strat'.*Did you mean start\?/s);
  t.match((await slipway(["start", "--prot", "1"])).errors, /Did you mean --port\?/);
});

t.test("a wrong configuration ends with 2 and the list of its mistakes", async (t) => {
  const wrong = await slipway(["start", "--port", "x"], { SLIPWAY_LOG__LEVEL: "loud" });
  t.equal(wrong.code, 2);
  t.equal(wrong.output, "");
  t.match(wrong.errors, /2 mistakes:\n.*log\.level.*\n.*port/);
});

t.test("report writes one PDF and prints its path and nothing else", async (t) => {
  const before = await readdir(repository);
  const file = join(folder, "quote.pdf");
  const made = await slipway(
    ["report", demo("json"), "--template", "quote", "--locale", "de_DE", "--out", file],
    { SLIPWAY_PUBLIC_URL: "https://elsewhere.example.com" },
  );
  t.equal(made.output, `${file}\n`, made.errors);
  t.equal(made.code, 0);
  t.equal((await readFile(file)).toString("latin1", 0, 5), "%PDF-");

  const missing = await slipway(["report", demo("obk"), "--template", "nothing"]);
  t.equal(missing.code, 1);
  t.equal(missing.output, "");
  t.match(missing.errors, /nothing/);
  t.notMatch(missing.errors, /at .*\.js:\d+/, "no stack");
  t.strictSame(await readdir(repository), before, "nothing is written elsewhere");
});

t.test("check says what is right, what is wrong and how to mend it", async (t) => {
  const right = await slipway(["check", "--var", join(folder, "var")]);
  t.equal(right.code, 0, right.output);
  for (const name of ["configuration", "var", "fonts", "pdf", "templates", "plugins"]) {
    t.match(right.output, new RegExp(`^ok +${name}`, "m"));
  }
  const wrong = await slipway(["check", "--var", commandLine], {
    SLIPWAY_PDF__EXECUTABLE: join(folder, "no-browser"),
  });
  t.equal(wrong.code, 1);
  t.match(wrong.output, /^FAIL +var .*--var/m);
  t.match(wrong.output, /^FAIL +host .*no-browser/m);
  t.match(wrong.output, /2 things have to be mended/);
});

t.test("start explains why it cannot", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const flags = ["--templates", join(folder, "empty"), "--plugins", join(folder, "empty")];
  const inUse = await slipway(["start", "--port", String(port), "--var", join(folder, "other"), ...flags]);
  taken.close();
  t.equal(inUse.code, 1);
  t.match(inUse.errors, /port \d+ of 127\.0\.0\.1 is in use.*--port/);

  const host = await startHost({ var: join(folder, "shared"), flags });
  const second = await slipway(["start", "--port", "0", "--var", join(folder, "shared"), ...flags]);
  t.equal(second.code, 1);
  t.match(second.errors, /in use by the host with process id \d+/);
  const ready = await fetch(`${host.url}/readyz`);
  t.equal(ready.status, 503);
  t.match(await ready.json(), { reasons: [/no template/, /no plugin/] });
  t.equal(await host.stop(), 0);
});

t.test("demo makes a report and leaves a host that answers", async (t) => {
  const place = join(folder, "demo");
  const child = spawn(process.execPath, [commandLine, "demo", "--port", "0", "--var", place], {
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes("Ctrl+C")) break;
  }
  const [, url = ""] = /^Slipway listening on (\S+)$/m.exec(said) ?? [];
  const [, file = ""] = /^Report +(\S+)$/m.exec(said) ?? [];
  t.ok(file.startsWith(join(place, "demo")));
  t.equal((await readFile(file)).toString("latin1", 0, 5), "%PDF-");
  t.equal((await fetch(`${url}/readyz`)).status, 200);
  const [, again = ""] = /^ +(http\S+\/files\/\S+)$/m.exec(said) ?? [];
  t.equal((await fetch(again)).headers.get("content-type"), "application/pdf");
  child.kill("SIGTERM");
  t.strictSame(await once(child, "exit"), [0, null]);
  await t.rejects(access(join(place, "host.pid")));
});
