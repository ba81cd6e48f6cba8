/**
 * Nothing of Slipway uses what Node.js has deprecated: newer engines warn of it on the standard error of every command, and
 * remove it one day. Host and commands run with `--throw-deprecation`, and so do the processes that they start. Uses the part
 * itself that lists all commands, so that none is forgotten.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import t from "tap";
import { slipwayProgram } from "../../../host/cli/program.js";
import { askLater, inState, workshop, workshopGrants } from "../../host/jobs-support.js";
import { descendants } from "../../host/plugin-load/process-tree.js";
import { fixtures } from "../../host/plugins-support.js";
import { reportOnly } from "../../host/templates-support.js";
import { strictEnvironment as environment, runCommand } from "../../run-command.js";
import {
  cleanEnvironment,
  commandLine,
  inTime,
  reporterAlone,
  repository,
  type StartedHost,
  startHost,
} from "../../start-host.js";

const demoProject = join(repository, "config", "demo", "demo-project.obk");
const folder = t.testdir({
  templates: { letter: reportOnly("letter", "<p>Hello</p>") },
  store: {},
  keys: {},
});
/** They are as strict where command-line.test.ts, fonts.test.ts, pdf-embedding.test.ts and plugin-administration.test.ts run them. */
const triedElsewhere = [
  ...["check", "demo", "export", "fonts add", "fonts list", "fonts remove", "pdf attachments", "pdf check"],
  ...["plugin check", "report"],
];
/** Commands that tell people more on standard error than a script reads on standard output. */
const telling = ["key new", "key remove", "plugin key", "plugin new", "plugin pack", "template publish"];
/** Commands that have run, such as "plugin list". */
const tried = new Set<string>(["start", ...triedElsewhere]);

let host: StartedHost;
let gates: string;
t.before(async () => {
  gates = await workshop(t);
  const drops = join(gates, "plugins");
  await cp(join(fixtures, "good", "echo-1.0"), join(drops, "echo"), { recursive: true });
  host = await startHost({
    // Plugins are added to the first folder.
    plugins: [drops, join(repository, "plugins")],
    // Each picture is prepared for print.
    configuration: {
      pdf: { pictures: { longestSide: 256, jpegFromPixels: 1 } },
      plugins: { grants: workshopGrants(gates) },
    },
    environment,
  });
});
t.teardown(() => host.stop());

/** Runs a command, which has to be done without a word on standard error; gives its output. */
async function done(command: string, ...parameters: string[]): Promise<string> {
  tried.add(command);
  const ended = await runCommand([...command.split(" "), ...parameters], { folder, environment });
  t.match(ended, { code: 0, errors: telling.includes(command) ? String : "" }, `slipway ${command}`);
  return ended.output.trim();
}

/** About the host. */
const asked = (command: string, ...parameters: string[]): Promise<string> =>
  done(command, "--url", host.url, ...parameters);

/** Runs a command that stays until Ctrl+C, which it gets as soon as it says so. */
async function stays(command: string, ...parameters: string[]): Promise<void> {
  tried.add(command);
  const child = spawn(process.execPath, [commandLine, ...command.split(" "), ...parameters], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = text(child.stderr);
  const exited = once(child, "exit");
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    if (said.includes("Ctrl+C")) child.kill("SIGINT");
  });
  await inTime(child, "does not end", () => said, exited);
  t.ok(said.includes("Ctrl+C"), `slipway ${command} does its work: ${await errors}`);
  t.notMatch(await errors, /deprecat/i);
}

/** Programs of the processes below the host, all of which have to be strict; none where the system does not list them. */
async function programs(): Promise<string[]> {
  const all = await descendants(host.process.pid ?? 0);
  const lines = await Promise.all(all.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  const own = lines.map((line) => line.split("\0")).filter(([program]) => program === process.execPath);
  t.strictSame(
    own.filter((words) => !words.includes("--throw-deprecation")),
    [],
    "all processes are strict",
  );
  return own.flatMap((words) => words.filter((word) => word.endsWith(".js")).map((file) => basename(file)));
}

t.test("a host makes reports, exports and workbooks in processes that are as strict", async (t) => {
  const found = new Set<string>();
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${host.url}/EAIWS/plugins/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ sessionId, ...body }),
    });
    t.equal(answer.status, 200, `${path}: ${await answer.text()}`);
    for (const each of await programs()) found.add(each);
  };
  const sessionId = await asked("session open", demoProject, "--locale", "en_GB");
  await post("Reporter/template/quote/v1/generate", {});
  await post("spreadsheet/v1/export", {});
  await post("oex/export", { config: { attachPDF: true, embedInPDF: ["OEX", "OBX"] } });
  const wanted = ["main.js", "render-process.js", "picture-process.js"];
  if (process.platform === "linux")
    t.strictSame(
      wanted.filter((each) => !found.has(each)),
      [],
      "these take part",
    );
  t.match(await asked("session list"), sessionId);
  await asked("session close", sessionId);
  t.strictSame(
    host.log.filter(({ level }) => level === "error"),
    [],
    "no process failed",
  );
});

t.test("commands about a running host", async () => {
  for (const each of ["status", "requests", "audit", "template list", "plugin list", "plugin events"])
    await asked(each);
  await asked("plugin add", join(fixtures, "good", "echo-1.1"));
  await asked("plugin rollback", "echo");
  for (const each of ["plugin config", "plugin disable", "plugin enable", "plugin grant"])
    await asked(each, "echo");
  await asked("plugin types", "Reporter");
  const [made, cancelled] = [
    await askLater(host.url, "make", {}),
    await askLater(host.url, "make", { gate: join(gates, "none") }),
  ];
  await asked("job wait", "--", made.id);
  await asked("job cancel", "--", cancelled.id);
  await inState(host.url, cancelled.id, "cancelled");
  for (const each of ["job show", "job result"]) await asked(each, "--", made.id);
  for (const each of ["job list", "job secret"]) await asked(each);
});

t.test("commands that need no host, or start one themselves", async () => {
  const reporter = ["--plugins", await reporterAlone()];
  const templates = ["--templates", join(folder, "templates")];
  await done("help", "plugin", "add");
  for (const each of ["config", "config schema"]) await done(each);
  await done("key new", "Ann", "--role", "read", "--var", join(folder, "keys"));
  await done("key list", "--var", join(folder, "keys"));
  await done("key remove", "Ann", "--var", join(folder, "keys"));
  await done("plugin key", join(folder, "key.pem"));
  await done("plugin new", join(folder, "my-plugin"), "--js");
  await done("plugin pack", join(folder, "my-plugin"), "--sign", join(folder, "key.pem"));
  await done("template new", "note", "--dir", join(folder, "templates"));
  await done("template check", join(folder, "templates", "letter"), ...reporter);
  await done("template publish", "letter", "--out", join(folder, "store"), ...templates);
});

t.test("commands that stay until Ctrl+C", async () => {
  const reporter = ["--plugins", await reporterAlone()];
  await stays("plugin dev", join(fixtures, "good", "echo-1.0"), ...reporter);
  const templates = ["--templates", join(folder, "templates")];
  await stays("template preview", "letter", "--no-open", ...reporter, ...templates);
});

t.test("there is no other command", async (t) => {
  t.strictSame([...tried].sort(), commandsOf(await slipwayProgram()).sort());
});

/** Commands that do something, and groups that do, too. */
function commandsOf(command: Command, above = ""): string[] {
  return command.commands.flatMap((each) => {
    const words = `${above}${each.name()}`;
    const isGroup = each.commands.length > 0;
    return [...(isGroup && each.options.length === 0 ? [] : [words]), ...commandsOf(each, `${words} `)];
  });
}
