/**
 * Commands about a running host, as admins and their scripts meet them. The layout of texts is tested by itself: nothing
 * that a host shows has all these widths and sizes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import { shownDuration, shownSize } from "../../../host/system/shown-amount.js";
import { displayWidth, reflowed, table } from "../../../host/system/terminal-text.js";
import { fixtures, until } from "../../host/plugins-support.js";
import { project } from "../../host/sessions-support.js";
import { definition, reportOnly } from "../../host/templates-support.js";
import { type EndedCommand, runCommand } from "../../run-command.js";
import { cleanEnvironment, commandLine, type StartedHost, startHost } from "../../start-host.js";

const wideName = "見積書 👩‍💻 Büro é";
const folder = t.testdir({
  plugins: {},
  templates: {
    letter: reportOnly("letter", "<p>Hello</p>"),
    torn: { "template.json": definition("torn"), "report.ejs": "<% if (" },
  },
  "project.json": JSON.stringify(project({ header: { name: wideName } })),
});

let host: StartedHost;
t.before(async () => {
  await cp(join(fixtures, "good", "echo-1.0"), join(folder, "plugins", "echo"), { recursive: true });
  host = await startHost({ plugins: [join(folder, "plugins")], templates: [join(folder, "templates")] });
});
t.teardown(() => host.stop());

/** A command about the host, until it ends. */
const slipway = (...words: string[]): Promise<EndedCommand> =>
  runCommand([...words, "--url", host.url], { folder });

t.test("status tells how the host is doing, for people and for scripts", async (t) => {
  const status = await slipway("status");
  t.match(status, { code: 0, errors: "" });
  t.match(status.output, /^Slipway \d+\.\d+\.\d+ at http:\S+ is ready\.$/m);
  t.match(status.output, /^~ templates: .*torn/m, "what is wrong without keeping it from serving");
  t.match(status.output, /^1\.0 \(default\) +Echo@1\.0\.0$/m);
  t.match(status.output, /^Echo +1\.0\.0 +\d+ /m);
  const json = await slipway("status", "--json");
  t.match(JSON.parse(json.output), { ready: true, releases: { "1.0": { Echo: "1.0.0" } } });
});

t.test("sessions are opened, listed and closed", async (t) => {
  const opened = await slipway("session", "open", "project.json", "--locale", "de_DE");
  t.equal(opened.code, 0, opened.errors);
  const id = opened.output.trim();
  t.match(id, /^[0-9a-f-]{36}$/);
  const list = await slipway("session", "list");
  t.match(list.output, new RegExp(`^${id} .* de_DE .* ${wideName}$`, "m"));
  const json = await slipway("session", "list", "--json");
  t.match(JSON.parse(json.output), { sessions: [{ sessionId: id, locale: "de_DE" }] });

  t.match(await slipway("session", "close", id.slice(0, 7)), { code: 2, errors: /too short/ });
  const other = id.startsWith("0") ? "11111111" : "00000000";
  const unknown = await slipway("session", "close", other);
  t.match(unknown, {
    code: 1,
    output: "",
    errors: new RegExp(`No session begins with .* ${id.slice(0, 8)}`),
  });
  t.match(await slipway("session", "close", id.slice(0, 8)), {
    code: 0,
    output: `Session ${id} is closed.\n`,
  });
  t.match(await slipway("session", "close", id), { code: 1, errors: /unknown or has expired/ });
});

t.test("templates are listed with what is wrong", async (t) => {
  const list = await slipway("template", "list");
  t.match(list, { code: 0, errors: "" });
  t.match(list.output, /^ +letter +[0-9a-f]{12} +letter$/m);
  t.match(list.output, /^! +torn +none +torn$/m);
  t.match(list.output, /^! torn: report\.ejs/m);
  const json = await slipway("template", "list", "--json");
  t.match(JSON.parse(json.output), { templates: [{ key: "letter" }, { key: "torn" }], stores: [] });
});

t.test("requests and what admins did are shown, and followed", async (t) => {
  await fetch(`${host.url}/EAIWS/plugins/Echo/nothing-there`);
  t.equal((await slipway("plugin", "disable", "echo")).code, 0);
  t.equal((await slipway("plugin", "enable", "echo", "--version", "1.0.0")).code, 0);
  const errors = await slipway("requests", "--errors");
  t.match(errors.output, /^\S+ \S+ {2}404 +\d+ ms {2}GET \S*nothing-there .*request-not-found /m);
  t.notMatch(errors.output, /\/api\/plugins\/echo\/disable/);
  const json = await slipway("requests", "--limit", "1", "--json");
  t.match(JSON.parse(json.output), { requests: [{ id: Number, status: 200 }] });
  const audit = await slipway("audit");
  t.match(audit.output, /plugin\.disable Echo, by .*127\.0\.0\.1.*, done$/im);
  t.match(audit.output, /plugin\.enable Echo \(version 1\.0\.0\), by .*, done$/im);

  const words = ["requests", "--follow", "--json", "--limit", "1", "--url", host.url];
  const follower = spawn(process.execPath, [commandLine, ...words], { env: cleanEnvironment() });
  let told = "";
  follower.stdout.on("data", (chunk: Buffer) => {
    told += chunk.toString();
  });
  await until(() => told !== "");
  await fetch(`${host.url}/EAIWS/plugins/Echo/also-not-there`);
  await until(() => told.includes("also-not-there"));
  for (const line of told.trimEnd().split("\n")) t.match(JSON.parse(line), { id: Number, method: String });
  follower.stdout.destroy();
  const exited = once(follower, "exit");
  await fetch(`${host.url}/EAIWS/plugins/Echo/item/1`);
  t.strictSame(await exited, [0, null], "it ends with its reader");
});

t.test("a reader that has read enough is no failure", async (t) => {
  const child = spawn(process.execPath, [commandLine, "plugin", "list", "--json", "--url", host.url], {
    env: cleanEnvironment(),
  });
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  t.equal(errors, "");
  t.equal(code, 0);
});

t.test("names that there are not are refused with those that were meant", async (t) => {
  t.match(await slipway("plugin", "disable", "Ehco"), {
    code: 1,
    output: "",
    errors: /^There is no plugin "Ehco"\..* Did you mean Echo\?\n$/,
  });
  t.match(await slipway("plugin", "rollback", "Echo", "--release", "1.9"), {
    code: 1,
    errors: /no release "1\.9".* Did you mean 1\.0\?/,
  });
});

t.test("wrong use ends with 2 and says how it is right", async (t) => {
  const used: [string[], RegExp][] = [
    [[], /^Usage: slipway/],
    [["plguin"], /unknown command 'plguin'.*Did you mean plugin\?.*slipway --help/s],
    [["plugin", "lst"], /unknown command 'lst'.*Did you mean list\?.*slipway plugin --help/s],
    [["session", "close"], /missing required argument 'id'.*slipway session close --help/s],
    [["requests", "--folow"], /unknown option '--folow'.*Did you mean --follow\?/s],
    [["audit", "--limit", "many"], /whole number from 1 to 1000/],
    [["help", "plugin", "ad"], /unknown command 'ad'\. Did you mean add\?/],
  ];
  const ended = used.map(async ([words, message]) => {
    const wrong = await runCommand(words, { folder });
    t.match(wrong, { code: 2, output: "", errors: message }, words.join(" "));
    t.notMatch(wrong.errors, /\n +at /, "no stack");
  });
  await Promise.all(ended);
  const help = await runCommand(["help", "plugin", "add"]);
  t.match(help, { code: 0, errors: "", output: /^Usage: slipway plugin add .*Examples:\n {2}\$ slipway/s });
});

t.test("tables and texts fit what they are shown on", async (t) => {
  for (const [shown, width] of [
    ["abc", 3],
    ["見積書", 6],
    ["👩‍💻", 2],
    ["🇩🇪x", 3],
    ["e\u0301", 1],
    ["ﾊﾝｶｸ", 4],
    ["한국어", 6],
  ] as const)
    t.equal(displayWidth(shown), width, shown);
  const lines = table(
    ["NAME", "STATE"],
    [
      ["見積書", "ok"],
      ["👩‍💻", "ok"],
      ["e\u0301", "ok"],
    ],
  );
  const columns = lines.slice(1).map((line) => displayWidth(line.slice(0, line.indexOf("ok"))));
  t.strictSame(columns, [8, 8, 8]);
  t.equal(reflowed("one two\nthree\n\n  $ as it is\n", 8), "one two\nthree\n\n  $ as it is\n");
  t.equal(reflowed("one two\nthree", 80), "one two three");
  t.strictSame([0, 812, 1024, 12_900_000].map(shownSize), ["0 bytes", "812 bytes", "1.0 KB", "12.3 MB"]);
  const hour = 3_600_000;
  const times = [0, 61_000, 2 * hour, 25 * hour].map(shownDuration);
  t.strictSame(times, ["0 s", "1 min 1 s", "2 h", "1 day 1 h"]);
});

t.test("at a terminal, lines are cut to its width and people see what is going on", async (t) => {
  const words = [process.execPath, commandLine, "session", "open", "project.json", "--url", host.url];
  const opened = await atTerminal(100, words);
  if (opened === undefined) return t.comment("skipped: this machine has no program that makes a terminal");
  t.match(opened, /\rOpening project\.json…/);
  const list = await atTerminal(50, [process.execPath, commandLine, "session", "list", "--url", host.url]);
  const lines = (list ?? "").split(/\r?\n/).filter((line) => line !== "");
  t.equal(lines.length, 2);
  for (const line of lines) t.ok(displayWidth(line) <= 50, line);
  t.match(lines[1], /…$/);
});

/** What a command shows at a terminal of so many columns; undefined where nothing makes one. */
async function atTerminal(columns: number, words: readonly string[]): Promise<string | undefined> {
  await writeFile(join(folder, "command.sh"), `stty cols ${columns}\nexec ${words.join(" ")}\n`);
  const child = spawn("script", ["-qec", "sh command.sh", "/dev/null"], {
    cwd: folder,
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [shown, ended] = await Promise.all([text(child.stdout), once(child, "exit").catch(() => undefined)]);
  return ended === undefined ? undefined : shown;
}
