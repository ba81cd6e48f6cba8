import { once } from "node:events";
import { cp, readdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ProjectDocument } from "@slipway/sdk";
import t, { type Test } from "tap";
import { startHost } from "../start-host.js";
import { pluginStates } from "./plugin-load/host-api.js";
import {
  type Ask,
  fixtures,
  isRunning,
  type Outcome,
  sha256,
  startPlugins,
  until,
} from "./plugins-support.js";

const good = join(fixtures, "good");
const echoAndTrouble = { "1.0": { Echo: "^1.1.0", troublemaker: "*" } };

t.test("every candidate ends in a state that says why", async (t) => {
  const plugins = await startPlugins({
    folders: [join(fixtures, "fallback"), join(good), join(fixtures, "broken"), join(fixtures, "nowhere")],
  });
  t.teardown(() => plugins.stop());
  const stateOf = (folder: string) =>
    plugins.supervisor.states().find((state) => state.folder === join(fixtures, folder));
  const expected: [folder: string, stage: string, reason: RegExp][] = [
    ["fallback/echo-9.0", "failed", /ended itself with exit code 3/],
    ["good/echo-1.0", "standby", /No release asks/],
    ["broken/bad-config", "failed", /config\.port` is missing; `config\.mode/],
    [
      "broken/bad-manifest",
      "rejected",
      /engines` is missing.*type` must be one of "module", "commonjs".*entrance/,
    ],
    ["broken/failing-probe", "failed", /not fit today/],
    ["broken/failing-setup", "failed", /the setup does not like Mondays/],
    ["broken/no-manifest", "rejected", /no readable package\.json/],
    ["broken/no-plugin", "failed", /default export is no plugin/],
    ["broken/syntax-error", "rejected", /index\.js:3:\d+: Expected/],
    ["broken/wrong-engine", "rejected", /built for Slipway \^99\.0\.0 .*, this host has 1\.\d+\.\d+/],
  ];
  for (const [folder, stage, reason] of expected) {
    t.match(stateOf(folder), { stage, reason }, folder);
    t.equal(stateOf(folder)?.processId, undefined, `${folder} has no process`);
  }
  t.match(stateOf("good/echo-1.1"), { stage: "live", name: "Echo", version: "1.1.0", releases: ["1.0"] });
  t.equal(plugins.supervisor.states().filter(({ stage }) => stage === "live").length, 3);
  t.match((await plugins.ask("Echo", "POST echo", { body: { name: "x" } })).body, { version: "1.1" });
  t.ok(
    plugins.log.some(
      ({ message, fields }) => message.startsWith("A plugin folder cannot be read") && fields["error"],
    ),
    "a folder that is missing is in the log",
  );
});

t.test("a plugin that blocks while it starts is given up", async (t) => {
  const plugins = await startPlugins({
    folders: [join(fixtures, "blocked")],
    plugins: { startTimeout: 1500 },
  });
  t.teardown(() => plugins.stop());
  t.match(plugins.supervisor.states(), [
    { stage: "failed", reason: /not ready after 1500 ms/, processId: undefined },
  ]);
  t.same(plugins.supervisor.table().releases.get("1.0")?.size, 0);
});

/** Where redirects to another server lead. */
const ports: number[] = [];

/** A server that tells what it received; gives its port. */
async function outsideServer(t: Test): Promise<number> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://outside");
    if (pathname === "/") return response.end("from outside");
    if (pathname === "/large") return response.writeHead(200, { "Content-Length": 1e12 }).end();
    if (pathname === "/moved") {
      const origin = searchParams.has("elsewhere") ? `http://127.0.0.1:${ports[0]}` : "";
      return response.writeHead(Number(searchParams.get("status")), { Location: `${origin}/there` }).end();
    }
    const { method, url, headers } = request;
    const told = { method, url, type: headers["content-type"], authorization: headers.authorization };
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    response.setHeader("X-Order", "7");
    response.setHeader("Set-Cookie", ["a=1", "b=2"]);
    response.end(JSON.stringify({ ...told, text: await text(request) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

t.test("a live plugin", async (t) => {
  const [port, otherPort] = await Promise.all([outsideServer(t), outsideServer(t)]);
  ports.push(otherPort);
  const servers = [`127.0.0.1:${port}`, `127.0.0.1:${otherPort}`];
  const plugins = await startPlugins({
    folders: [good],
    plugins: {
      config: { Echo: { greeting: { text: "Good morning" } } },
      grants: { consumer: { network: [...servers, "127.0.0.1:9"] } },
    },
    fetch: { allowedInternalHosts: servers },
  });
  t.teardown(() => plugins.stop());

  t.test(
    "has its name, its aliases and its routes in the table, and its configuration over its own defaults",
    async (t) => {
      const echo = plugins.plugin("Echo");
      t.equal(plugins.plugin("echo"), echo);
      t.throws(() => plugins.plugin("ECHO"), "names are case sensitive");
      t.match(echo.hash, /^[0-9a-f]{64}$/);
      t.match(echo.routes, [
        { method: "POST", path: "echo", timeout: 5000, session: "none", body: { type: "object" } },
      ]);
      const answer = await plugins.ask("Echo", "POST echo", {
        body: { name: "Ann" },
        query: { shout: true },
      });
      t.same(answer, {
        status: 200,
        mediaType: "application/json",
        text: '{"version":"1.1","text":"Good morning, ANN!","language":"en"}',
        body: { version: "1.1", text: "Good morning, ANN!", language: "en" },
      });
      const text = await plugins.ask("Echo", "GET item/:id", { params: { id: "7" } });
      t.match(text, { mediaType: /^text\/plain/, text: 'item {"id":"7"}' });
      t.ok(Object.isFrozen(plugins.supervisor.table()));
    },
  );

  t.test("sees nothing of the host's environment", async (t) => {
    process.env["SLIPWAY_TEST_SECRET"] = "swordfish";
    const { body } = await plugins.ask("troublemaker", "GET environment");
    // The test runner marks every process that its tests start. Those of MALLOC have fixed values.
    const allowed = /^(TZ|LANG|LC_ALL|TMPDIR|TEMP|SystemRoot|MALLOC_.*|NODE_OPTIONS|_?TAPJS.*)$/i;
    t.strictSame(
      Object.keys(body).filter((name) => !allowed.test(name)),
      [],
    );
    t.notMatch(JSON.stringify(body), /swordfish/);
  });

  t.test("says of its errors what it wants to say, and no more", async (t) => {
    const refused = await plugins.ask("troublemaker", "GET refuse");
    t.same(refused.error, {
      code: 422,
      id: "fixture-refused",
      type: "fixture",
      message: "Not today.",
      cause: ["because"],
      additionalInformation: { day: "today" },
      scopes: [],
    });
    t.same(refused.headers, { "Retry-After": "7" }, "only headers that an error may set");
    for (const route of ["throw", "bad-response", "huge-response", "undefined-response"]) {
      const failed = await plugins.ask("troublemaker", `GET ${route}`);
      t.match(
        failed.error,
        { code: 500, id: /^(plugin|internal)-error$/, cause: [], additionalInformation: {} },
        route,
      );
      t.notMatch(
        JSON.stringify(failed.error),
        /swordfish|many|plugin\.mjs|node:/,
        `${route} gives nothing away`,
      );
    }
    const inLog = (text: RegExp) => plugins.logged(({ fields }) => text.test(String(fields["error"])));
    await inLog(/the password is swordfish\n +at /);
    await inLog(/response\.count` must be an integer, but is "many"/);
  });

  t.test("reports suppressed errors when there are any", async (t) => {
    const ask = (errors: number) => plugins.ask("troublemaker", "GET suppress", { query: { errors } });
    t.same((await ask(0)).body, { ok: true });
    const error = { id: "item-text-error", type: "item", message: "Text 0 cannot be read.", cause: [] };
    t.same((await ask(1)).body, {
      ok: true,
      errors: [{ ...error, additionalInformation: {}, scopes: ["ERROR"] }],
    });
  });

  t.test("reads the session of its request, and only that", async (t) => {
    const picture = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const project = exampleProject(sha256(picture));
    const session = await plugins.openSession(project, [picture]);
    const ask = (route: string, more: Ask = {}) =>
      plugins.ask("consumer", `GET ${route}`, { session, ...more });
    t.same((await ask("project")).body, { name: "Reception", same: true, frozen: true });
    t.same((await ask("asset/:key", { params: { key: "logo" } })).body, {
      base64: picture.toString("base64"),
    });
    t.same((await ask("asset/:key", { params: { key: "none" } })).body, { base64: null });
    t.same((await plugins.ask("consumer", "GET optional")).body, { name: null });
    const gone = { ...session, revision: 2 };
    t.match((await plugins.ask("consumer", "GET project", { session: gone })).error, {
      code: 422,
      id: "request-session-not-found",
    });

    await plugins.pdf.start();
    const html = `<!doctype html><title>t</title><img src="/assets/${sha256(picture)}"><p>Printed`;
    const printed = await plugins.ask("consumer", "POST pdf", {
      session,
      body: { html, filename: "Ünter/lagen" },
    });
    t.match(printed.body, { pages: 1, errors: [], file: { name: /^Ünter.lagen\.pdf$/, bytes: Number } });
  });

  t.test("uses the services of the host", async (t) => {
    const file = { name: "../../orders\u202e .csv", content: "a;b", mediaType: "text/csv" };
    const stored = (await plugins.ask("consumer", "POST file", { body: file })).body;
    t.match(stored, { bytes: 3, name: /^[^/\u202e]+\.csv$/ });
    t.equal(
      stored["url"],
      `http://localhost:1234/base/files/${stored["id"]}/${encodeURIComponent(String(stored["name"]))}`,
    );
    const wrong = await plugins.ask("consumer", "POST file", {
      body: { ...file, mediaType: "x\r\nSet-Cookie: a" },
    });
    t.match(wrong.error, { code: 500, id: "plugin-error", message: /files\.create wrongly.*mediaType/ });
    t.same((await plugins.ask("consumer", "GET templates")).body, { keys: [], missing: null });
    t.same((await plugins.ask("consumer", "GET procedure/:name", { params: { name: "none" } })).body, {
      found: null,
    });
    const fetched = await plugins.ask("consumer", "POST fetch", {
      body: { url: `http://127.0.0.1:${port}/` },
    });
    t.match(fetched.body, { status: 200, text: "from outside" });
    const internal = await plugins.ask("consumer", "POST fetch", { body: { url: "http://127.0.0.1:9/" } });
    t.match(internal.error, { code: 403, id: "request-forbidden" });

    const request = async (path: string, more: object) =>
      await plugins.ask("consumer", "POST request", {
        body: { url: `http://127.0.0.1:${port}${path}`, ...more },
      });
    const headers = { "Content-Type": "application/xml", Authorization: "Bearer key" };
    const order = { method: "POST", headers, text: "<order>ä</order>" };
    const posted = await request("/orders", order);
    t.match(posted.body, {
      status: 200,
      mediaType: "application/json",
      headers: { "x-order": "7", "set-cookie": undefined },
    });
    const received = { method: "POST", url: "/orders", type: "application/xml", authorization: "Bearer key" };
    t.strictSame(JSON.parse(String(posted.body["content"])), { ...received, text: order.text });
    const kept = await request("/moved?status=307", order);
    t.match(JSON.parse(String(kept.body["content"])), { method: "POST", url: "/there", text: order.text });
    const got = await request("/moved?status=303", order);
    t.match(JSON.parse(String(got.body["content"])), { method: "GET", url: "/there", text: "" });
    const elsewhere = await request("/moved?status=308&elsewhere", order);
    t.match(elsewhere.error, { code: 403, message: /redirects the body .* to another server/ });
    const withoutBody = await request("/moved?status=307&elsewhere", { headers });
    t.match(JSON.parse(String(withoutBody.body["content"])), { url: "/there", authorization: undefined });
    t.match((await request("/large", { method: "HEAD" })).body, { status: 200, content: "" });
    t.match((await request("/", { method: "GET", text: "no" })).error, {
      message: /a GET request has no body/,
    });
    t.match((await request("/", { headers: { "content-LENGTH": "5" } })).error, {
      message: /host\.fetch: the host sets the header content-LENGTH itself/,
    });
    t.match((await request("/", { headers: { "X-A": "a\r\nX-B: b" } })).error, {
      message: /fetch wrongly.*headers\.X-A/,
    });

    await plugins.ask("troublemaker", "GET outside-of-its-request");
    const late = await plugins.logged(({ message }) => message.startsWith("late file"));
    t.match(late, {
      message: "late file was refused",
      fields: { error: /a request that had already ended/, plugin: "troublemaker@1.0.0" },
    });
  });
});

t.test("what one plugin does costs its own requests at most", async (t) => {
  const plugins = await startPlugins({
    folders: [good],
    releases: echoAndTrouble,
  });
  t.teardown(() => plugins.stop());
  const trouble = (route: string, ask: Ask = {}) => plugins.ask("troublemaker", `GET ${route}`, ask);
  const instance = async () => (await trouble("fine")).body["instance"];
  /** Another plugin answers for as long as this one is in trouble. */
  const meanwhile = async (outcome: Promise<Outcome>): Promise<Outcome> => {
    let over = false;
    const end = outcome.finally(() => {
      over = true;
    });
    do {
      const other = await plugins.ask("Echo", "POST echo", { body: { name: "x" }, timeout: 30_000 });
      if (other.status !== 200) throw new Error(`the other plugin said ${other.text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (!over);
    return await end;
  };

  t.test("a deadline and a client that goes away reach the handler", async (t) => {
    const before = await instance();
    t.match((await trouble("slow", { timeout: 100 })).error, { code: 504, id: "request-timeout" });
    await plugins.logged(({ message }) => message === "slow was cancelled");
    plugins.log.length = 0;
    const client = new AbortController();
    const asked = trouble("slow", { signal: client.signal });
    await plugins.logged(({ message }) => message === "slow began");
    client.abort();
    t.match((await asked).error, { id: "plugin-unavailable" });
    await plugins.logged(({ message }) => message === "slow was cancelled");
    t.equal(await instance(), before, "its instance has done nothing wrong");
  });

  t.test("an endless loop: 504, its siblings 503, and a new instance", async (t) => {
    const before = await instance();
    const loop = meanwhile(trouble("loop", { timeout: 300 }));
    const sibling = trouble("wait", { query: { ms: 0 } });
    t.match((await loop).error, { code: 504, id: "request-timeout" });
    t.match(await sibling, {
      status: 503,
      error: { id: "plugin-unavailable" },
      headers: { "Retry-After": /^\d+$/ },
    });
    t.not(await instance(), before);
    t.notOk(isRunning(Number(before)));
    await plugins.logged(({ fields }) => /did not react for 2000 ms/.test(String(fields["reason"])));
  });

  for (const [route, reason] of [
    ["exit", /exit code 0/],
    ["abort", /SIGABRT/],
    ["heap", /heap was full/],
    ["buffers", /took \d+ MB of memory/],
  ] as const) {
    t.test(`${route}: 500 for the request that did it, and a new instance`, async (t) => {
      const before = await instance();
      t.match((await meanwhile(trouble(route))).error, { code: 500, id: "plugin-error", cause: [] });
      t.not(await instance(), before);
      t.notOk(isRunning(Number(before)));
      await plugins.logged(({ fields }) => reason.test(String(fields["reason"])));
    });
  }

  t.test("printing without end slows down whoever prints", async (t) => {
    t.match((await meanwhile(trouble("print", { timeout: 300 }))).error, { code: 504 });
    await until(async () => (await trouble("fine")).status === 200);
    const printed = plugins.log.filter(({ fields }) => fields["stream"] === "stdout");
    t.ok(printed.length > 0 && printed.length < 2000, `${printed.length} lines were logged`);
  });

  t.test("when they stop, requests end with 503 and no process is left", async (t) => {
    const running = plugins.supervisor.states().flatMap(({ processId }) => processId ?? []);
    t.equal(running.length, 2);
    const asked = trouble("never");
    await plugins.supervisor.stop();
    t.match((await asked).error, { code: 503, id: "plugin-unavailable" });
    t.match((await trouble("fine")).error, { code: 503, id: "plugin-unavailable" });
    t.strictSame(running.filter(isRunning), []);
    t.strictSame(
      new Set(plugins.supervisor.states().map(({ stage }) => stage)),
      new Set(["stopped", "standby"]),
    );
  });
});

t.test("an instance that still works is replaced without a lost request", async (t) => {
  const plugins = await startPlugins({
    folders: [good],
    releases: echoAndTrouble,
  });
  t.teardown(() => plugins.stop());
  const trouble = (route: string, ask: Ask = {}) => plugins.ask("troublemaker", `GET ${route}`, ask);
  const replaced = async (t: Test, before: unknown): Promise<void> => {
    await until(async () => (await trouble("fine")).body["instance"] !== before);
    await until(() => !isRunning(Number(before)));
    t.pass("another instance answers, and the old one is gone");
  };

  t.test("a rejection after the answer", async (t) => {
    const { body } = await trouble("reject-later");
    await replaced(t, body["instance"]);
    await plugins.logged(({ fields }) => /rejected later/.test(String(fields["detail"])));
  });

  t.test("an exception in a timer ends its own request; siblings finish where they began", async (t) => {
    const before = (await trouble("fine")).body["instance"];
    const sibling = trouble("wait", { query: { ms: 1000 } });
    t.match((await trouble("throw-meanwhile")).error, { code: 500, id: "plugin-error" });
    t.match(await sibling, { status: 200, body: { instance: before } });
    await replaced(t, before);
  });

  t.test("a handler that ignores its signal", async (t) => {
    const before = (await trouble("fine")).body["instance"];
    t.match((await trouble("never", { timeout: 100 })).error, { code: 504, id: "request-timeout" });
    await replaced(t, before);
  });
});

t.test("two versions serve side by side under two releases", async (t) => {
  const releases = {
    "1.0": { Echo: "~1.0.0" },
    "1.1": { echo: "^1.0.0", consumer: "*" },
    "0.9": { Echo: "^0.9.0" },
  };
  const plugins = await startPlugins({ folders: [good], releases });
  t.teardown(() => plugins.stop());
  const version = async (release: string) =>
    (await plugins.ask("echo", "POST echo", { body: { name: "x" }, release })).body["version"];
  t.strictSame([await version("1.0"), await version("1.1")], ["1.0", "1.1"]);
  t.equal(plugins.supervisor.table().defaultRelease, "1.1", "the highest");
  t.strictSame([...plugins.supervisor.table().releases.keys()], ["1.0", "1.1", "0.9"]);
  t.equal(plugins.supervisor.table().releases.get("0.9")?.size, 0);
  t.throws(() => plugins.plugin("consumer", "1.0"));
  t.ok(plugins.plugin("consumer", "1.1"));
  t.match(
    plugins.supervisor.states().find(({ name }) => name === "troublemaker"),
    { stage: "standby", processId: undefined },
  );
});

t.test("what runs is an immutable snapshot", async (t) => {
  const folder = t.testdir({});
  const source = join(folder, "troublemaker");
  const options = { folders: [folder] };
  await cp(join(good, "troublemaker"), source, { recursive: true });
  const first = await startPlugins(options);
  t.teardown(() => first.stop());
  const { varDirectory } = first;
  const snapshots = join(varDirectory, "snapshots", "troublemaker");
  const [name = ""] = await readdir(snapshots);
  t.match(name, /^1\.0\.0-[0-9a-f]{16}$/);
  const made = await stat(join(snapshots, name, "plugin.mjs"));

  await writeFile(join(source, "index.ts"), "half a fil");
  await first.ask("troublemaker", "GET exit");
  t.match(await first.ask("troublemaker", "GET fine"), { status: 200 }, "a broken folder does not touch it");

  await cp(join(good, "troublemaker"), source, { recursive: true, force: true });
  const second = await startPlugins({ ...options, varDirectory });
  t.teardown(() => second.stop());
  t.strictSame(await readdir(snapshots), [name]);
  t.equal(
    (await stat(join(snapshots, name, "plugin.mjs"))).ino,
    made.ino,
    "the second start takes the one that is there",
  );
  t.equal(second.plugin("troublemaker").hash, first.plugin("troublemaker").hash);
});

t.test("of two contents under one version one stays, and the message has both hashes", async (t) => {
  const plugins = await startPlugins({ folders: [join(fixtures, "twins")] });
  t.teardown(() => plugins.stop());
  const [first, second] = plugins.supervisor.states();
  t.match(first, { stage: "live", hash: /^[0-9a-f]{64}$/ });
  t.equal(second?.stage, "rejected");
  for (const hash of [first?.hash, second?.hash]) t.match(second?.reason, new RegExp(String(hash)));
  t.not(first?.hash, second?.hash);
});

t.test("kill -9 of the host leaves no instance, not even one that blocks for ever", async (t) => {
  const host = await startHost({
    var: t.testdir(),
    plugins: [good],
    configuration: { releases: { "1.0": { troublemaker: "*" } } },
  });
  const url = `${host.url}/EAIWS/plugins/troublemaker`;
  const answer = await fetch(`${url}/fine`);
  t.equal(answer.headers.get("slipway-plugin"), "troublemaker@1.0.0");
  const pid =
    (await pluginStates(host.url)).find(({ name }) => name === "troublemaker")?.processId ?? Number.NaN;
  fetch(`${url}/loop`).catch(() => undefined);
  await until(async () => (await fetch(`${host.url}/healthz`)).ok);
  t.ok(isRunning(pid));
  await host.kill();
  await until(() => !isRunning(pid));
  t.pass("it is gone");
});

function exampleProject(picture: string): ProjectDocument {
  return {
    formatVersion: "1",
    id: "0b9c2c3e-51c0-4b54-9d4c-3f1f7f3d1d10",
    header: { name: "Reception" },
    settings: {
      languages: ["en"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      rounding: { halfWay: "even", interval: "0.01" },
    },
    items: [],
    assets: { logo: { mediaType: "image/png", sha256: picture } },
  };
}
