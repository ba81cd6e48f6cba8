/**
 * What admins see and do while plugins run: the event log, the host API, its stream of events, and the commands. The event
 * log is also tested by itself, as are its streams and the guard against foreign pages: with more events, worse files and
 * other settings than one host has.
 */
import { once } from "node:events";
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import Router from "@koa/router";
import type { Log } from "@slipway/sdk";
import { readPdf } from "@slipway/sdk/testing";
import Koa from "koa";
import t, { type Test } from "tap";
import { eventOperations } from "../../../host/api/event-operations.js";
import { serveOperations } from "../../../host/api/serve-operations.js";
import { clientAddress, requestLog } from "../../../host/http/arrival.js";
import { crossOrigin, refuseForeignPages } from "../../../host/http/browsers.js";
import { errors } from "../../../host/http/errors.js";
import type { RequestState } from "../../../host/http/request-state.js";
import { createEventFile } from "../../../host/observability/events/event-file.js";
import { createEventLog } from "../../../host/observability/events/event-log.js";
import type { EventFacts, EventLog } from "../../../host/observability/events/plugin-event.js";
import { noTracing } from "../../../host/observability/tracing/tracing.js";
import { Role } from "../../../host/security/caller.js";
import { jsonText, printableLines } from "../../../host/system/terminal-text.js";
import { freePort } from "../../free-port.js";
import { following, openStream, plugin } from "../../host/administration-support.js";
import type { PluginEvent, PluginState } from "../../host/host-answers.js";
import { fixtures, until } from "../../host/plugins-support.js";
import { violatedPaths } from "../../host/sessions-support.js";
import { runCommand } from "../../run-command.js";
import { type StartedHost, startHost } from "../../start-host.js";

function memoryLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level} ${message}`);
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  return { log, lines };
}

const live = (name: string, version = "1.0.0"): EventFacts => ({
  kind: "stage",
  plugin: name,
  version,
  from: "probing",
  to: "live",
  actor: "host",
});

const ids = (events: readonly PluginEvent[]): number[] => events.map(({ id }) => id);

t.test("the event log", async (t) => {
  const opened = async (file: string, more: { capacity?: number; largestFile?: number } = {}) => {
    const { log, lines } = memoryLog();
    const events = createEventLog({ journal: createEventFile({ file, log, ...more }), log });
    await events.open();
    return { events, lines };
  };

  t.test("goes on where earlier hosts ended, past a line that was torn", async (t) => {
    const file = join(t.testdir(), "events.jsonl");
    const { log } = memoryLog();
    const first = createEventLog({ journal: createEventFile({ file, log }), log });
    first.note(live("early"));
    await first.open();
    first.note(live("a"));
    first.note({ ...live("b"), reason: "with\nlines and ünicode" });
    await first.close();
    await appendFile(file, '{"id":4,"time":"2026-01-01T00:00:00Z","ki');

    const { events } = await opened(file);
    t.strictSame(ids(events.list({ limit: 10 })), [1, 2, 3]);
    events.note(live("c"));
    await events.close();
    const third = (await opened(file)).events;
    const all = third.list({ limit: 10 });
    t.match(all, [
      { plugin: "early" },
      { plugin: "a" },
      { plugin: "b", reason: "with\nlines and ünicode" },
      { plugin: "c" },
    ]);
    t.strictSame(ids(all), [1, 2, 3, 4]);
    t.match(all[0]?.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await third.close();
  });

  t.test("gives the latest, or what came after an id, of all or of one plugin", async (t) => {
    const { events, lines } = await opened(join(t.testdir(), "events.jsonl"), { capacity: 6 });
    for (const name of ["a", "b", "a", "b", "a", "b", "a", "b"]) events.note(live(name));
    t.strictSame(ids(events.list({ limit: 3 })), [6, 7, 8]);
    t.strictSame(ids(events.list({ limit: 100 })), [3, 4, 5, 6, 7, 8], "no more than it may keep");
    t.strictSame(ids(events.list({ after: 4, limit: 2 })), [5, 6]);
    t.strictSame(ids(events.list({ after: 4, plugin: "b", limit: 2 })), [6, 8]);
    t.strictSame(ids(events.list({ plugin: "a", limit: 2 })), [5, 7]);
    t.strictSame(events.list({ after: 8, limit: 2 }), []);

    const heard: number[] = [];
    const end = events.follow(({ id }) => heard.push(id));
    events.follow(() => {
      throw new Error("not today");
    });
    events.note({ kind: "switch", plugin: "a", release: "1.0", from: "1.0.0", to: "1.1.0", actor: "host" });
    end();
    events.note({ ...live("a"), to: "failed", reason: "x".repeat(100_000) });
    t.strictSame(heard, [9]);
    t.ok((events.list({ limit: 1 })[0]?.reason?.length ?? 0) < 5000, "endless reasons are cut");
    t.ok(lines.includes("info a@1.0.0 is live"));
    t.ok(lines.includes("info Release 1.0 answers with a@1.1.0 instead of 1.0.0"));
    t.ok(lines.includes("error a@1.0.0 is failed"));
    await events.close();
  });

  t.test("keeps one old file, also in a burst", async (t) => {
    const folder = t.testdir();
    const file = join(folder, "events.jsonl");
    const { events } = await opened(file, { largestFile: 100_000 });
    for (let count = 0; count < 1500; count++) events.note(live(`plugin-${count}`));
    await events.close();
    t.strictSame((await readdir(folder)).sort(), ["events.1.jsonl", "events.jsonl"]);
    for (const name of await readdir(folder)) t.ok((await stat(join(folder, name))).size <= 100_000, name);
    const again = (await opened(file)).events;
    const kept = ids(again.list({ limit: 2000 }));
    t.equal(kept.at(-1), 1500);
    t.strictSame(
      kept,
      kept.map((_id, index) => 1500 - kept.length + 1 + index),
      "without a gap",
    );
    again.note(live("next"));
    t.strictSame(ids(again.list({ limit: 1 })), [1501]);
    await again.close();
  });

  t.test("goes on without its file, tells it once, and writes what it missed", async (t) => {
    const folder = join(t.testdir(), "later");
    const file = join(folder, "events.jsonl");
    const { events, lines } = await opened(file);
    events.note(live("a"));
    await until(() => lines.some((line) => line.startsWith("error Events cannot be written")));
    events.note(live("b"));
    events.note(live("c"));
    t.equal(events.list({ limit: 10 }).length, 3);
    await mkdir(folder);
    events.note(live("d"));
    await events.close();
    t.equal(lines.filter((line) => line.startsWith("error")).length, 1);
    t.ok(lines.includes("info Events are written to their file again"));
    t.strictSame(ids((await opened(file)).events.list({ limit: 10 })), [1, 2, 3, 4]);
  });
});

t.test("streams of events are bounded in number, and no client holds more than its share", async (t) => {
  const { log } = memoryLog();
  const journal = createEventFile({ file: join(t.testdir(), "events.jsonl"), log, capacity: 50 });
  const events = createEventLog({ journal, log });
  await events.open();
  t.teardown(() => events.close());
  const closing = new AbortController();
  const { url, connections } = await serveEvents(t, events, closing.signal);
  const { port, hostname } = new URL(url);

  const idle = connect(Number(port), hostname).pause();
  idle.on("error", () => undefined);
  idle.write("GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
  await until(async () => (await connections()) === 1);
  await until(async () => {
    for (let count = 0; count < 100; count++) events.note({ ...live("a"), reason: "x".repeat(3000) });
    return (await connections()) === 0;
  });
  t.pass("a client that does not read is let go when the log has overtaken it");

  const streams = await Promise.all(Array.from({ length: 100 }, () => openStream(url)));
  const refused = await openStream(url);
  t.equal(refused.response.status, 503);
  streams[0]?.leave();
  await until(async () => {
    const next = await openStream(url);
    if (next.response.status === 200) streams.push(next);
    return next.response.status === 200;
  });
  events.note(live("b"));
  const open = streams.slice(1);
  await until(() => open.every((stream) => stream.events.some((event) => event.plugin === "b")));
  closing.abort();
  await Promise.all(open.map(({ ended }) => ended));
});

t.test("a running host", async (t) => {
  const folder = t.testdir({ plugins: {}, empty: {} });
  const plugins = join(folder, "plugins");
  const settings = {
    var: join(folder, "var"),
    plugins: [plugins],
    templates: [join(folder, "empty")],
    configuration: {
      plugins: { settlingTime: 50 },
      publicUrl: "https://plugins.example.com/slipway",
      cors: { origins: ["https://admin.example.com"] },
    },
  };
  await cp(join(fixtures, "good", "echo-1.0"), join(plugins, "echo"), { recursive: true });
  let host: StartedHost = await startHost(settings);
  t.teardown(() => host.stop());
  const at = (): string[] => ["--url", host.url];
  const get = async (path: string) => {
    const response = await fetch(`${host.url}/api/${path}`);
    return { status: response.status, body: await response.json() };
  };
  const eventsOf = async (query: string): Promise<PluginEvent[]> => {
    const response = await fetch(`${host.url}/api/events?${query}`);
    const { events }: { events: PluginEvent[] } = JSON.parse(await response.text());
    return events;
  };
  const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${host.url}/api/plugins/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const answering = async (): Promise<string | null> =>
    (await fetch(`${host.url}/EAIWS/plugins/Echo/item/1`)).headers.get("slipway-plugin");

  t.test("takes a version by command, and says what it refuses and why", async (t) => {
    const added = await plugin("add", join(fixtures, "good", "echo-1.1"), ...at());
    t.match(added, { code: 0, output: "Echo@1.1.0 is live under 1.0.\n", errors: "" });
    t.equal(await answering(), "Echo@1.1.0");
    const there = ["echo", "fixture-echo-1.1-1.1.0.tgz"];
    t.strictSame((await readdir(plugins)).sort(), there, "nothing else is left");

    const again = await plugin("add", join(fixtures, "good", "echo-1.1"), ...at());
    t.match(again, {
      code: 1,
      output: "",
      errors: /^Echo 1\.1\.0 .* is already in the drop-in folder\. .*new version number\.\n$/,
    });
    const bare = await plugin("add", join(fixtures, "broken", "no-manifest"), ...at());
    t.match(bare, { code: 1, output: "", errors: /no readable package\.json/ });
    const nothing = await plugin("add", join(fixtures, "nothing"), ...at());
    t.match(nothing, { code: 1, output: "", errors: /There is no readable archive or folder/ });
    const failing = await plugin("add", join(fixtures, "broken", "failing-setup"), ...at());
    t.match(failing, { code: 1, output: "", errors: /^failing-setup 1\.0\.0 is failed: .*Mondays/ });
    t.strictSame((await readdir(plugins)).sort(), there, "what is refused is taken out again");
    t.equal(await answering(), "Echo@1.1.0");
  });

  t.test("lists its plugins for people and for scripts", async (t) => {
    // A text of a plugin that would write over the terminal, or turn what follows.
    await cp(join(fixtures, "broken", "failing-setup"), join(plugins, "rude"), { recursive: true });
    const manifest = await readFile(join(plugins, "rude", "package.json"), "utf8");
    await writeFile(join(plugins, "rude", "package.json"), manifest.replaceAll("failing-setup", "rude"));
    const code = await readFile(join(plugins, "rude", "index.ts"), "utf8");
    await writeFile(
      join(plugins, "rude", "index.ts"),
      code.replace("the setup", "\\u001b[2J\\u009b2J\\u202e\\nthe setup"),
    );
    await until(async () => {
      const answer: { plugins: PluginState[] } = JSON.parse(await (await post("look")).text());
      return answer.plugins.some(({ name, stage }) => name === "rude" && stage === "failed");
    });
    const list = await plugin("list", ...at());
    t.equal(list.code, 0, list.errors);
    t.match(list.output, /^ +NAME +VERSION +STAGE +RELEASES +SINCE +REASON$/m);
    t.match(
      list.output,
      /^~ +Echo +1\.1\.0 +live, probation +1\.0 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +On probation until/m,
    );
    t.match(list.output, /^! +rude +1\.0\.0 +failed .*the setup does not like Mondays/m);
    t.match(list.output, /^What happened last:$/m);
    t.notOk(list.output.includes("\u001b") || list.output.includes("\u202e"));

    const json = await plugin("list", "--json", ...at());
    t.match(JSON.parse(json.output), { plugins: [{ name: "Echo", folder: "echo", since: Number }, {}] });
    t.notMatch(json.output, folder);
  });

  t.test("tells all about one plugin", async (t) => {
    const { status, body } = await get("plugins/echo");
    t.equal(status, 200);
    t.match(body, {
      name: "Echo",
      aliases: ["echo"],
      disabled: false,
      releases: { "1.0": "1.1.0" },
      versions: [{ version: "1.0.0", folder: "echo" }, { version: "1.1.0" }],
      quarantined: [],
      pins: {},
    });
    t.notMatch(JSON.stringify(body), folder);
    t.match(await get("plugins/nothing"), {
      status: 404,
      body: { id: "request-not-found", additionalInformation: { plugins: ["Echo"] } },
    });
  });

  t.test("serves the files that a plugin brings, and refuses others under the same version", async (t) => {
    const letters = join(plugins, "letters");
    await cp(join(fixtures, "assets", "letters"), letters, { recursive: true });
    const statesOf = async (fits: (state: PluginState) => boolean): Promise<void> =>
      until(async () => {
        const answer: { plugins: PluginState[] } = JSON.parse(await (await post("look")).text());
        return answer.plugins.some((state) => state.name === "Letters" && fits(state));
      });
    const letter = async (name: string) => {
      const answer = await fetch(`${host.url}/EAIWS/plugins/Letters/${name}`);
      const body: { url?: string } = JSON.parse(await answer.text());
      return { status: answer.status, body };
    };
    await statesOf(({ stage }) => stage === "live");
    t.match(await letter("text/certificate.ejs"), { status: 200, body: { text: "<h1>Certificate</h1>\n" } });
    t.match(await letter("text/certifcate.ejs"), {
      status: 500,
      body: { id: "plugin-error", message: /no asset "certifcate\.ejs"; did you mean "certificate\.ejs"\?/ },
    });
    const printed = await letter("print");
    const file = await fetch(String(printed.body.url).replace(settings.configuration.publicUrl, host.url));
    const pdf = await readPdf(new Uint8Array(await file.arrayBuffer()));
    t.match(pdf.pages[0]?.images, [{ pixelWidth: 2, pixelHeight: 2 }], "a picture of its own");

    const { body } = await get("plugins/Letters");
    const assets = [
      { path: "assets/logo.png", bytes: 96, sha256: /^[0-9a-f]{64}$/ },
      { path: "certificate.ejs", bytes: 21, sha256: /^[0-9a-f]{64}$/ },
      { path: "templates/_paper/style.css" },
      { path: "templates/letter/i18n/en.json" },
      { path: "templates/letter/report.ejs" },
      { path: "templates/letter/template.json" },
    ];
    t.match(body, { versions: [{ assets }] });
    const all = await get("plugins");
    t.notOk(JSON.stringify(all.body).includes("certificate.ejs"), "lists are short");

    type Standing = { key: string; plugin?: string; version?: string; error?: string };
    const templateWith = async (fits: (state: Standing) => boolean): Promise<void> =>
      until(async () => {
        const answer: { templates: Standing[] } = JSON.parse(
          await (await fetch(`${host.url}/api/templates`)).text(),
        );
        return answer.templates.some((state) => state.key === "letter" && fits(state));
      });
    const serving = ({ plugin, version, error }: Standing): boolean =>
      plugin === "Letters" && version !== undefined && error === undefined;
    await templateWith(serving);
    const dear = await letter("letter/Ada");
    t.match(
      dear,
      { status: 200, body: { html: /color: teal[\s\S]*<h1>Dear Ada<\/h1>/ } },
      "a template of its own",
    );
    const listed = await runCommand(["template", "list", ...at()]);
    t.match(listed.output, /^ +letter +[0-9a-f]{12} +letter of Letters/m);
    const own = join(folder, "empty", "own");
    await cp(join(letters, "templates", "letter"), own, { recursive: true });
    await cp(join(letters, "templates", "_paper"), join(folder, "empty", "_paper"), { recursive: true });
    await writeFile(join(own, "report.ejs"), "<p>Of the folder</p>");
    await templateWith(
      ({ plugin, version, error = "" }) =>
        plugin === "Letters" &&
        version === undefined &&
        /"letter" is already a key or an alias of the template in own/.test(error),
    );
    t.match(await letter("letter/Ada"), { body: { html: /Of the folder/ } }, "the folder has precedence");
    await rm(own, { recursive: true });
    await templateWith(serving);
    t.match(await letter("letter/Ada"), { body: { html: /Dear Ada/ } });

    await writeFile(join(letters, "certificate.ejs"), "<h1>Other</h1>");
    await statesOf(
      ({ stage, reason = "" }) =>
        stage === "rejected" && /different content with the name and version/.test(reason),
    );
    t.match(await letter("text/certificate.ejs"), { status: 200, body: { text: "<h1>Certificate</h1>\n" } });
    await rm(join(letters, "certificate.ejs"));
    await statesOf(
      ({ stage, reason = "" }) =>
        stage === "rejected" && reason === 'slipway.assets: "*.ejs" matches no file of the plugin',
    );
    const checked = await plugin("check", letters, "--plugins", join(folder, "empty"));
    t.match(checked, { code: 1, output: /^FAIL {2}assets +slipway\.assets: "\*\.ejs" matches no file/m });
    await rm(letters, { recursive: true });
    await until(async () => (await letter("text/certificate.ejs")).status === 404);
    await until(async () => !JSON.stringify((await get("templates")).body).includes("Letters"));
  });

  t.test("changes nothing for a wrong request, nor for a page of another origin", async (t) => {
    const before = await eventsOf("limit=1");
    t.strictSame(await violatedPaths(await post("Echo/rollback", { version: 1, more: true })), [
      "body.more",
      "body.version",
    ]);
    t.strictSame(await violatedPaths(await post("Echo/disable", { now: true })), ["body.now"]);
    t.match(await (await post("Echo/enable", "{")).json(), { id: "request-bad-request" });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      for (const body of ["", "{}"])
        t.match(await (await post("Echo/disable", body, { "Content-Type": type })).json(), {
          code: 415,
          id: "request-unsupported-media-type",
        });
    const untyped = await fetch(`${host.url}/api/plugins/Echo/disable`, { method: "POST" });
    t.equal(untyped.status, 415);
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "Sec-Fetch-Site": site, Origin: "https://evil.example.com" };
      for (const path of ["Echo/disable", "Echo/rollback", "Echo/enable", "look"])
        t.match(await (await post(path, {}, headers)).json(), { code: 403, id: "request-forbidden" });
      t.equal((await openStream(host.url, headers)).response.status, 403);
    }
    // A name that was made to lead to this machine: the browser takes the host for the page's own.
    for (const origin of ["http://evil.example.com:8080", "null", "http://127.0.0.1.example.com"]) {
      t.match(await (await post("Echo/disable", {}, { Origin: origin })).json(), { code: 403 }, origin);
      t.equal((await openStream(host.url, { Origin: origin })).response.status, 403);
    }
    t.match(await (await post("nothing/disable")).json(), { code: 404, id: "request-not-found" });
    t.match(await (await post("Echo/rollback", { version: "7.0.0" })).json(), { code: 404 });
    t.match(await (await post("Echo/rollback", { release: "9.9" })).json(), { code: 404 });
    t.same(await eventsOf("limit=1"), before);

    const admin = { "Sec-Fetch-Site": "cross-site", Origin: "https://admin.example.com" };
    t.equal((await post("look", {}, admin)).status, 200, "a page of an origin that CORS allows may");
    for (const origin of ["http://localhost:8080", "http://[::1]"])
      t.equal((await post("look", {}, { Origin: origin })).status, 403, `another server: ${origin}`);
    t.equal((await post("look", {}, { Origin: host.url })).status, 200, "the host's own page");
    t.equal((await post("look", {}, { Origin: "https://plugins.example.com" })).status, 200, "publicUrl");
    const stream = await openStream(host.url, admin);
    t.equal(stream.response.status, 200);
    stream.leave();
  });

  t.test("rolls back and forth, disables and enables, and remembers who wanted it", async (t) => {
    const back = await plugin("rollback", "Echo", ...at());
    t.match(back, { code: 0, output: "Release 1.0 answers with Echo@1.0.0 instead of 1.1.0.\n" });
    t.equal(await answering(), "Echo@1.0.0");
    const forth = await post("Echo/rollback", { release: "1.0", version: "1.1.0" });
    t.match(await forth.json(), {
      plugin: { releases: { "1.0": "1.1.0" } },
      rollbacks: [{ release: "1.0", from: "1.0.0", to: "1.1.0" }],
    });

    t.match(await plugin("disable", "echo", ...at()), { code: 0, output: /^Echo is disabled/ });
    t.equal((await fetch(`${host.url}/EAIWS/plugins/Echo/item/1`)).status, 404);
    const conflict = await post("Echo/rollback");
    t.match(await conflict.json(), { code: 409, id: "plugin-conflict" });
    t.match((await get("plugins")).body, {
      plugins: [{}, { name: "Echo", version: "1.1.0", stage: "disabled" }],
    });

    t.same(await eventsOf("limit=5&plugin=echo"), await eventsOf("limit=5&plugin=Echo"), "by alias, too");
    const wanted = (await eventsOf("limit=1000&plugin=Echo")).filter(
      ({ actor }) => actor === "api 127.0.0.1",
    );
    t.match(wanted, [
      { kind: "rollback", release: "1.0", from: "1.1.0", to: "1.0.0" },
      { kind: "rollback", release: "1.0", from: "1.0.0", to: "1.1.0" },
      { kind: "disable", plugin: "Echo" },
    ]);

    t.match(await plugin("enable", "Echo", ...at()), {
      code: 0,
      output: /^Echo is enabled\.\nRelease 1\.0 answers with Echo@1\.1\.0\.\n/,
    });
    t.equal(await answering(), "Echo@1.1.0");
    const hopeless = await plugin("enable", "rude", "--version", "1.0.0", ...at());
    t.match(hopeless, { code: 1, output: /no release answers with it\.\nrude@1\.0\.0 is failed: / });
  });

  t.test("tells what happens as it happens, also to who comes back, until it stops", async (t) => {
    t.strictSame(await violatedPaths(await fetch(`${host.url}/api/events?after=-1&limit=1001&more=1`)), [
      "query.after",
      "query.limit",
      "query.more",
    ]);
    const unknown = await openStream(host.url, { "Last-Event-ID": "yesterday" });
    t.equal(unknown.response.status, 400);
    const list = await eventsOf("limit=1000");
    const last = list.at(-1)?.id ?? 0;

    const fresh = await openStream(host.url);
    t.match(fresh.response.headers.get("content-type"), /^text\/event-stream/);
    const returned = await openStream(host.url, { "Last-Event-ID": String(last - 3) }, "?after=0");
    const choosy = await openStream(host.url, {}, "?after=0&plugin=rude");
    const lost = await openStream(host.url, { "Last-Event-ID": "999999" });
    const port = new URL(host.url).port;
    const command = following("--limit", "1", "--port", port);
    await command.said(/rude/);
    await post("Echo/disable");
    const isDisabled = ({ kind }: PluginEvent): boolean => kind === "disable";
    for (const { events } of [fresh, returned, lost]) await until(() => events.some(isDisabled));
    await command.said(/Echo was disabled \(api 127\.0\.0\.1\)/);
    t.strictSame(returned.events.slice(0, 3), list.slice(-3));
    t.strictSame(ids(returned.events.slice(3)), ids(fresh.events));
    t.strictSame(fresh.events[0]?.id, last + 1, "only what is new for who knows nothing");
    await post("rude/enable");
    await until(() => choosy.events.length > 3);
    t.ok(choosy.events.every((event) => event.plugin === "rude"));

    const opened = host.log.length;
    t.equal(await host.stop(), 0);
    await Promise.all([fresh, returned, choosy, lost].map(({ ended }) => ended));
    const stop = host.log.slice(opened).find((line) => line["msg"] === "The host stops");
    t.equal(stop?.["aborted"], 0, "no stream had to be torn");

    await command.said(/connection .* was lost/);
    host = await startHost({ ...settings, flags: ["--port", port] });
    t.match((await get("plugins/Echo")).body, { disabled: true, releases: {} }, "it is remembered");
    await post("Echo/enable");
    await command.said(/Release 1\.0 answers with Echo@1\.1\.0/);
    command.process.kill("SIGTERM");
    const since = await eventsOf(`after=${last}&limit=1000`);
    t.strictSame(
      ids(since),
      since.map((_event, index) => last + 1 + index),
      "without a gap",
    );
    const shown = await plugin("events", "--json", "--plugin", "rude", "--limit", "5", ...at());
    t.match(JSON.parse(shown.output).events.at(-1), { plugin: "rude", reason: /Mondays/ });
    t.notMatch(shown.output, /[\u0080-\u009f\u202e]/);
  });
});

t.test("what others have written does not command the terminal", async (t) => {
  const rude = "\u001b[2J\u009b2J\u202eaway";
  const stranger = createServer((_request, response) => {
    response.writeHead(409, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        id: "plugin-conflict",
        code: 409,
        type: "plugin",
        message: `It does not start: ${rude}`,
        cause: [],
        additionalInformation: {},
        scopes: ["ERROR"],
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  t.teardown(() => stranger.close());
  const { port } = stranger.address() as AddressInfo;
  const answer = await plugin("rollback", "x", "--url", `http://127.0.0.1:${port}`);
  t.match(answer, { code: 1, output: "", errors: "It does not start: �[2J�2J�away\n" });
  t.equal(jsonText({ rude }), '{"rude":"\\u001b[2J\\u009b2J\\u202eaway"}');
  t.same(JSON.parse(jsonText({ rude }, 2)), { rude });
  t.equal(printableLines(`one\ttwo\n${rude}\r\n`), "one two\n�[2J�2J�away\n");
});

t.test("what is for everybody's pages is not for changing plugins", async (t) => {
  const app = new Koa<RequestState>()
    .use(errors())
    .use(clientAddress([], memoryLog().log))
    .use(crossOrigin({ cors: { origins: ["*"], plugins: "auto", maxAge: 1 }, access: { plugins: "open" } }))
    .use(refuseForeignPages({ publicUrl: "https://slipway.example.org/below" }, false))
    .use((ctx) => {
      ctx.body = "done";
    });
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const status = async (Origin: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}`, { headers: { Origin } })).status;
  t.equal(await status("https://evil.example.com"), 403);
  t.equal(await status("https://slipway.example.org"), 200);
  t.equal(await status(`http://127.0.0.1:${port}`), 200, "the name that the request is to");
  for (const other of [
    "http://192.0.2.1",
    "http://localhost",
    `http://127.0.0.1:${port + 1}`,
    "http://slipway.example.org:8080",
    "http://[2001:db8::1]",
    "http://intranet",
    "chrome-extension://abc",
  ])
    t.equal(await status(other), 403, `another server: ${other}`);
});

t.test("commands say what they need", async (t) => {
  const port = await freePort();
  const nobody = await plugin("list", "--port", String(port));
  t.match(nobody, {
    code: 1,
    output: "",
    errors: /^No host answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\).*--url\.\n$/,
  });
  t.match(await plugin("list", "--port", "0"), { code: 1, output: "", errors: /--url/ });
  for (const wrong of [["lst"], ["list", "--url", "nowhere"]])
    t.match(await plugin(...wrong), { code: 2, output: "" }, wrong.join(" "));

  const stranger = createServer((_request, response) => response.end("<html>")).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  t.teardown(() => stranger.close());
  const { port: other } = stranger.address() as AddressInfo;
  t.match(await plugin("list", "--port", String(other)), { code: 1, errors: /not a Slipway host/ });
});

async function serveEvents(t: Test, events: EventLog, closing: AbortSignal) {
  const router = new Router<RequestState>();
  serveOperations(router, eventOperations(events, { overview: () => undefined }, closing), {
    demand: () => ({ key: undefined, address: "127.0.0.1", roles: Role.enum }),
    foreignPages: { strict: (_ctx, next) => next(), public: (_ctx, next) => next() },
    audited: (_ctx, _operation, _caller, answer) => answer(),
  });
  const app = new Koa<RequestState>()
    .use(clientAddress([], memoryLog().log))
    .use(requestLog(noTracing(memoryLog().log), []))
    .use(errors())
    .use(router.routes());
  app.on("error", () => undefined);
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  return { url: `http://127.0.0.1:${port}`, connections };
}
