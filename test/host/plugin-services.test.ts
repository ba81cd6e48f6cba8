/** Files in pieces, archives of them, services between plugins, and smoke requests, through real instances. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { checked, type ProjectDocument, StoredFile, Validator } from "@slipway/sdk";
import t from "tap";
import { type Entry, openPromise } from "yauzl";
import { runSmokeRequests } from "../../host/plugins/instances/bring-up.js";
import { SupervisedPlugin } from "../../host/plugins/instances/supervised-plugin.js";
import type { SmokeRequest } from "../../host/plugins/packages/manifest.js";
import { describeRequirements } from "../../host/plugins/requirements.js";
import { quiet } from "./pdf-support.js";
import { type Ask, fixtures, isRunning, startPlugins, until } from "./plugins-support.js";

const folders = [join(fixtures, "services")];
const megabyte = 1024 * 1024;
const checkFile = new Validator().compile(StoredFile, "file");

t.test("files in pieces", async (t) => {
  const plugins = await startPlugins({ folders });
  t.teardown(() => plugins.stop());
  const write = (route: string, ask: Ask = {}) => plugins.ask("writing", route, ask);
  const content = (file: StoredFile) => join(plugins.varDirectory, "files", `${file.id}.content`);

  t.test("are as large as they want to be, and need no memory for it", async (t) => {
    const before = process.memoryUsage.rss();
    let peak = before;
    const watching = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const { body } = await write("POST large", { body: { megabytes: 200 } });
    clearInterval(watching);
    const file = storedFile(body["file"]);
    t.equal(file.bytes, 200 * megabyte);
    const hash = createHash("sha256");
    await pipeline(createReadStream(content(file)), hash);
    t.equal(hash.digest("hex"), body["sha256"]);
    t.ok(peak - before < 120 * megabyte, `the host took ${Math.round((peak - before) / megabyte)} MB more`);
    const memory = Number(body["memory"]) / megabyte;
    t.ok(memory < 180, `the instance took ${Math.round(memory)} MB`);
  });

  t.test("may be texts and bytes, and several at a time", async (t) => {
    const { body } = await write("GET kinds");
    const files = body["files"];
    const contents = await Promise.all(
      (Array.isArray(files) ? files : []).map((file) => readFile(content(storedFile(file)))),
    );
    const expected = [
      Buffer.concat([Buffer.from("a😀b"), Buffer.from([0, 255]), Buffer.from("\ufffd")]),
      Buffer.from("onetwo"),
      Buffer.alloc(0),
      Buffer.from("read"),
      Buffer.from("blob"),
      Buffer.from("ä".repeat(2 * megabyte)),
      Buffer.alloc(3 * megabyte, 1),
    ];
    t.equal(contents.length, expected.length);
    for (const [index, each] of expected.entries())
      t.ok(contents[index]?.equals(each), `content ${index} is what was given`);
  });

  t.test("leave nothing behind when they end early", async (t) => {
    const stored = async () => new Set(await readdir(join(plugins.varDirectory, "files")));
    const before = await stored();
    const nothingNew = () => until(async () => (await stored()).size === before.size);

    const { body } = await write("GET throw");
    t.match(body, { failed: "Error: no more", wrong: /neither bytes nor text/, next: { bytes: 4 } });
    const { id } = storedFile(body["next"]);
    before.add(`${id}.json`).add(`${id}.content`);
    t.strictSame(await stored(), before, "its author's error");

    t.match((await write("GET hang", { timeout: 300 })).error, { code: 504, id: "request-timeout" });
    await plugins.logged(({ message }) => message === "hanging was given up");
    await nothingNew();

    const client = new AbortController();
    plugins.log.length = 0;
    const endless = write("GET endless", { signal: client.signal });
    await until(async () => (await stored()).size > before.size);
    client.abort();
    t.match((await endless).error, { id: "plugin-unavailable" });
    t.match(await plugins.logged(({ message }) => message === "endless ended"), {
      fields: { chunks: Number },
    });
    await nothingNew();

    t.match((await write("GET exit")).error, { code: 500, id: "plugin-error" });
    await nothingNew();

    t.match(await write("GET forget"), { status: 200 });
    const refused = await plugins.logged(({ message }) => message === "forgotten file was refused");
    t.match(refused.fields, { error: /is over/ });
    await nothingNew();
    t.strictSame(await stored(), before);
  });
});

t.test("a full store says so while a file is written", async (t) => {
  const plugins = await startPlugins({ folders, maximumBytes: 8 * megabyte });
  t.teardown(() => plugins.stop());
  const { error, headers } = await plugins.ask("writing", "GET endless");
  t.match(error, { code: 503, id: "request-overloaded" });
  t.match(headers, { "Retry-After": /^\d+$/ });
  await until(async () => (await readdir(join(plugins.varDirectory, "files"))).length === 0);
  t.match(
    (await plugins.ask("writing", "POST large", { body: { megabytes: 8 } })).body,
    { file: { bytes: 8 * megabyte } },
    "what was given up takes no room",
  );
  t.match((await plugins.ask("writing", "GET endless")).error, { code: 503 }, "not one byte more");
});

t.test("archives", async (t) => {
  const plugins = await startPlugins({ folders });
  t.teardown(() => plugins.stop());
  const write = (route: string, ask: Ask = {}) => plugins.ask("writing", route, ask);

  t.test("hold the files of their request, byte for byte, under names that can be unpacked", async (t) => {
    const from = Date.now();
    const files = [
      { name: "a.xml", content: "<ä/>" },
      { name: "A.XML", content: "other" },
      { name: "a.xml", content: "x".repeat(megabyte) },
      { name: "b", content: "", entry: "../../etc\\C:/Größe\u202e\u0000.txt" },
      { name: "c", content: "folder", entry: "a.xml/inner" },
    ];
    const { body } = await write("POST pack", { body: { name: "Aufträge", files } });
    const file = storedFile(body);
    t.equal(file.name, "Aufträge.zip");
    const entries = await unpacked(join(plugins.varDirectory, "files", `${file.id}.content`));
    t.strictSame(
      entries.map(({ entry }) => entry.fileName),
      ["a.xml", "A (2).XML", "a (3).xml", "etc/C_/Größe.txt", "a (4).xml/inner"],
    );
    for (const [index, { entry, content }] of entries.entries()) {
      t.equal(content.toString("utf8"), files[index]?.content);
      const utf8 = (entry.generalPurposeBitFlag & 0x800) !== 0;
      t.equal(utf8, /[^ -~]/.test(entry.fileName), "a name that is not ASCII says that it is UTF-8");
      const made = utc(entry);
      t.ok(
        made >= from - 2000 && made <= Date.now() + 2000,
        `${new Date(made).toISOString()} is now, in UTC`,
      );
    }
    t.equal((await unpacked(await packed([]))).length, 0, "an archive may be empty");
  });

  t.test("take no file of another request", async (t) => {
    const { body } = await write("POST large", { body: { megabytes: 1 } });
    const foreign = await write("POST pack-foreign", { body: body["file"] });
    t.match(foreign.error, { code: 500, id: "plugin-error", message: /has not made/ });
  });

  t.test("end with their request", async (t) => {
    const client = new AbortController();
    const names = () => readdir(join(plugins.varDirectory, "files"));
    const before = (await names()).length;
    const packing = write("GET pack-large", { signal: client.signal });
    await plugins.logged(({ message }) => message === "packing began");
    // Content and record of the large file, and the content of the archive, which has no record yet.
    await until(async () => (await names()).length === before + 3);
    client.abort();
    t.match((await packing).error, { id: "plugin-unavailable" });
    await plugins.logged(({ message }) => message === "packing ended");
    // Nobody hears of the large file either.
    await until(async () => (await names()).length === before);
  });

  async function packed(files: unknown[]): Promise<string> {
    const { body } = await write("POST pack", { body: { name: "x.zip", files } });
    return join(plugins.varDirectory, "files", `${storedFile(body).id}.content`);
  }
});

t.test("services between plugins", async (t) => {
  const plugins = await startPlugins({
    folders: [...folders, join(fixtures, "requirements")],
    releases: {
      "1.1": { Offering: "~1.1.0", asking: "*", wishful: "*", malformed: "*" },
      "1.0": { offering: "~1.0.0" },
    },
  });
  t.teardown(() => plugins.stop());
  const ask = (method: string, input?: unknown, more: Ask & { plugin?: string; service?: string } = {}) => {
    const { plugin, service, ...rest } = more;
    const body = { plugin: plugin ?? "Offering@^1.0.0", service: service ?? "work", method, input };
    return plugins.ask("asking", "POST ask", { body, ...rest });
  };

  t.test("answer with a value and with what they suppressed", async (t) => {
    t.same((await ask("double", { number: 4 })).body, { value: { text: "8 pieces" }, errors: [] });
    const errors = [
      {
        id: "work-large",
        type: "work",
        message: "101 is much.",
        cause: [],
        additionalInformation: {},
        scopes: ["WARN"],
      },
    ];
    t.same((await ask("double", { number: 101, unit: "metres" })).body, {
      value: { text: "202 metres" },
      errors,
    });
    const { body } = await plugins.ask("asking", "GET goes-on");
    t.match(body["errors"], [
      { id: "plugin-unavailable", scopes: ["WARN"] },
      { id: "work-large", scopes: ["WARN"] },
    ]);
  });

  t.test("work for the client's request: its id, its session, its files", async (t) => {
    await ask("double", { number: 1 }, { requestId: "the-request" });
    t.match(
      await plugins.logged(
        ({ message, fields }) => message === "doubled" && fields["seen"] === "the-request",
      ),
      { fields: { plugin: "Offering@1.1.0", requestId: "the-request", locale: "en" } },
    );
    const session = await plugins.openSession(exampleProject());
    t.same((await plugins.ask("asking", "GET session", { session })).body, {
      project: { id: session.id, name: "Reception", locale: "de_DE" },
      sessionless: { none: true },
    });
    t.match((await ask("project", {})).error, { code: 500, id: "plugin-error", message: /needs a session/ });

    const { body } = await plugins.ask("asking", "GET archive");
    t.match(body, { name: "both.zip", url: /^http:\/\/localhost:1234\/base\/files\// });
    const entries = await unpacked(join(plugins.varDirectory, "files", `${body["id"]}.content`));
    t.strictSame(
      entries.map(({ entry, content }) => [entry.fileName, content.toString()]),
      [
        ["own.txt", "own"],
        ["theirs.txt", "theirs"],
      ],
    );
  });

  t.test("are found by name or alias and range, the highest version first", async (t) => {
    const version = async (plugin: string) => (await ask("version", {}, { plugin })).body["value"];
    t.equal(await version("Offering"), "1.1.0");
    t.equal(await version("offering@^1.0.0"), "1.1.0");
    t.equal(await version("Offering@~1.0.0"), "1.0.0");
    const missing: [message: RegExp, ask: Parameters<typeof ask>][] = [
      [
        /work\.version of Nowhere@\^1\.0\.0, but no such plugin is live/,
        ["version", {}, { plugin: "Nowhere@^1.0.0" }],
      ],
      [/, but only 1\.0\.0 and 1\.1\.0 are live/, ["version", {}, { plugin: "Offering@^2.0.0" }]],
      [/, but Offering@1\.1\.0 has no such service/, ["version", {}, { service: "play" }]],
      [/work\.constructor of .*, but Offering@1\.1\.0 has no such method/, ["constructor", {}]],
    ];
    for (const [message, parameters] of missing)
      t.match((await ask(...parameters)).error, { code: 503, id: "plugin-unavailable", message });
    t.match((await ask("version", {}, { plugin: "Offering@new" })).error, {
      code: 500,
      message: /without a valid range/,
    });
    t.match(plugins.supervisor.states().find(({ version }) => version === "1.1.0")?.services, {
      work: ["version", "double", "project"],
    });
    t.match(plugins.plugin("Offering").services[1], {
      service: "work",
      method: "double",
      input: { type: "object", required: ["number"] },
      output: { type: "object" },
      session: "none",
    });
  });

  t.test("are known, with what is missing, from what plugins ask for while they are set up", async (t) => {
    const [wishful, asking, offering] = ["wishful", "asking", "Offering"].map((name) => plugins.plugin(name));
    const older = plugins.plugin("Offering", "1.0");
    t.match((await plugins.ask("wishful", "GET later")).error, { code: 503, message: /no such plugin/ });
    t.strictSame(wishful?.requirements, [
      { plugin: "Offering@^1.0.0", service: "work" },
      { plugin: "offering@~1.0.0", service: "work" },
      { plugin: "Offering@^2.0.0", service: "work" },
      { plugin: "Nowhere@^1.0.0", service: "work" },
      { plugin: "asking", service: "back" },
      { plugin: "Offering@^1.0.0", service: "play" },
    ]);
    const live = [wishful, asking, offering, older].flatMap((plugin) => plugin ?? []);
    const of = (name: string, among = live) =>
      [...describeRequirements(among)].find(([plugin]) => plugin.name === name)?.[1];
    t.strictSame(
      of("wishful")?.requirements.map(({ met }) => met),
      [true, true, false, false, true, false],
    );
    t.strictSame(of("wishful")?.warnings, [
      "It uses the service work of Offering@^2.0.0, but only 1.0.0 and 1.1.0 are live.",
      "It uses the service work of Nowhere@^1.0.0, but no such plugin is live.",
      "It uses the service play of Offering@^1.0.0, but Offering@1.1.0 has no such service.",
    ]);
    t.strictSame(of("asking"), {
      requirements: [{ plugin: "Offering@^1.0.0", service: "work", met: true }],
      warnings: ["It may end up calling itself: asking -> Offering -> asking."],
    });
    t.strictSame(of("Offering")?.warnings, ["It may end up calling itself: Offering -> asking -> Offering."]);
    t.strictSame(describeRequirements([older]).get(older), { requirements: [], warnings: [] });
    t.strictSame(
      of(
        "asking",
        [asking, older].flatMap((plugin) => plugin ?? []),
      ),
      { requirements: [{ plugin: "Offering@^1.0.0", service: "work", met: true }], warnings: [] },
      "where another version answers, there may be no circle",
    );
    const { requirements, warnings } = of("wishful") ?? {};
    t.match(
      plugins.supervisor.states().find(({ name }) => name === "wishful"),
      { stage: "live", requirements, warnings },
      "in its state as well",
    );
    t.match(
      plugins.supervisor.states().find(({ name }) => name === "malformed"),
      {
        stage: "failed",
        reason: /setup failed: host\.service\("Offering@newest", "work"\): expected a plugin/,
      },
    );
  });

  t.test("check what goes in and what comes out", async (t) => {
    const wrong = await ask("double", { number: "four" });
    t.match(wrong.error, { code: 500, id: "plugin-error", additionalInformation: {} });
    t.notMatch(wrong.text, /four/);
    t.match(await plugins.logged(({ message }) => /asking@1\.0\.0 called work\.double/.test(message)), {
      level: "error",
      fields: {
        violations: ['input.number: expected an integer, received "four"'],
        plugin: "Offering@1.1.0",
      },
    });
    t.match((await ask("broken", {})).error, { code: 500, id: "plugin-error" });
    await plugins.logged(({ fields }) => /output\.count: expected an integer/.test(String(fields["error"])));
    t.match((await plugins.ask("asking", "GET expects")).error, { code: 500, id: "plugin-error" });
    await plugins.logged(({ message }) => /work\.version .* gave something/.test(message));
  });

  t.test("end as their handlers end", async (t) => {
    t.match((await ask("refuse", {})).error, { code: 422, id: "work-refused", message: "Not today." });
    const failed = await ask("fail", {});
    t.match(failed.error, { code: 500, id: "plugin-error" });
    t.notMatch(JSON.stringify(failed.error), /swordfish/);
    t.match((await ask("brief", {})).error, { code: 504, id: "request-timeout" });
    t.match((await ask("exit", {})).error, {
      code: 500,
      id: "plugin-error",
      message: /Offering@1\.1\.0 failed/,
    });
    t.match(
      (await ask("double", { number: 2 })).body,
      { value: { text: "4 pieces" } },
      "another instance answers",
    );
  });

  t.test("end with the request that they work for", async (t) => {
    const cancelled = () => plugins.logged(({ message }) => message === "slow was cancelled");
    t.match((await ask("slow", {}, { timeout: 300 })).error, { code: 504, id: "request-timeout" });
    await cancelled();
    plugins.log.length = 0;
    const client = new AbortController();
    const asked = ask("slow", {}, { signal: client.signal });
    await plugins.logged(({ message }) => message === "slow began");
    client.abort();
    t.match((await asked).error, { code: 503, id: "plugin-unavailable" });
    await cancelled();
  });

  t.test("do not call each other for ever", async (t) => {
    const { error } = await ask("circle", {});
    t.match(error, {
      code: 500,
      id: "plugin-error",
      message: /more than 5 deep: asking@1\.0\.0 POST ask -> /,
    });
    t.match(error?.additionalInformation["chain"], { length: 7 });
  });

  t.test("are not stopped under a call", async (t) => {
    const paused = ask("paused", {});
    await plugins.logged(({ message }) => message === "paused began");
    const worn = (await ask("wear", {})).body["value"];
    const before = Object(worn).pid;
    t.same((await paused).body, { value: { pid: before }, errors: [] });
    await until(() => !isRunning(before));
    t.match((await ask("double", { number: 3 })).body, { value: { text: "6 pieces" } });
  });

  t.test("are bounded, and refuse at once what is too much", async (t) => {
    const { error } = await plugins.ask("asking", "GET many", { query: { calls: 257 } });
    t.match(error, { code: 503, id: "request-overloaded", message: /Offering@1\.1\.0/ });
  });
});

t.test("a service is held by its callers when its plugin is replaced", async (t) => {
  const plugins = await startPlugins({ folders });
  t.teardown(() => plugins.stop());
  const offering = plugins.plugin("Offering");
  if (!(offering instanceof SupervisedPlugin)) throw new Error("another kind of plugin is live");
  const body = { plugin: "Offering", service: "work", method: "paused" };
  const paused = plugins.ask("asking", "POST ask", { body });
  await plugins.logged(({ message }) => message === "paused began");
  const retired = offering.retire();
  t.match((await paused).body, { value: { pid: Number }, errors: [] });
  await retired;
});

t.test("smoke requests", async (t) => {
  const plugins = await startPlugins({ folders: [join(fixtures, "smoke")] });
  t.teardown(() => plugins.stop());
  const logged = (text: string) => plugins.log.filter(({ message }) => message === text);

  t.test("decide whether a version goes live", (t) => {
    t.match(
      plugins.supervisor.states().find(({ version }) => version === "1.1.0"),
      {
        stage: "failed",
        reason: /^The smoke request GET fails failed: 500 plugin-error The plugin failed\.$/,
        processId: undefined,
      },
    );
    t.match(logged("unfit answered"), [{ fields: { second: 1 } }], "in order, and not one after that");
    t.equal(plugins.plugin("smoke").version, "1.0.0");
    t.match(logged("added"), [
      { fields: { sum: 42, session: false, locale: "en" } },
      { fields: { sum: 7, name: "first" } },
    ]);
    t.end();
  });

  t.test("say what is wrong with them", async (t) => {
    const plugin = plugins.plugin("smoke");
    const run = (...smoke: SmokeRequest[]) =>
      runSmokeRequests(plugin, (call) => plugin.call(call), smoke, {
        signal: new AbortController().signal,
        timeout: 60_000,
        log: quiet,
      });
    const wrong: [request: SmokeRequest, reason: string | RegExp][] = [
      [{ method: "GET", path: "nowhere" }, "404 request-not-found There is nothing at nowhere."],
      [
        { method: "PUT", path: "sum" },
        "405 request-method-not-allowed PUT is not allowed here; allowed: HEAD, GET, OPTIONS.",
      ],
      [{ method: "GET", path: "private" }, "its route needs a session, which a smoke request cannot have."],
      [{ method: "GET", path: "sum", body: {} }, "a GET has no body."],
      [
        { method: "GET", path: "sum?first=one" },
        /^400 request-bad-request .*query\.first: expected an integer, received "one"/,
      ],
      [
        { method: "POST", path: "sums/too-long" },
        /^400 request-bad-request .*params\.name: .*; body\.numbers: expected a value/,
      ],
      [{ method: "GET", path: "hangs" }, /^504 request-timeout /],
    ];
    const failed = ({ method, path }: SmokeRequest) => `The smoke request ${method} ${path} failed: `;
    for (const [request, reason] of wrong) {
      const error: unknown = await run(request).catch((error: unknown) => error);
      const message = error instanceof Error ? error.message : "";
      t.ok(message.startsWith(failed(request)), message);
      t.match(message.slice(failed(request).length), reason);
    }
    const body = { numbers: [1] };
    await run({ method: "POST", path: "sums/again", body });
    t.strictSame(body, { numbers: [1] }, "defaults do not get into the manifest");
  });
});

function storedFile(value: unknown): StoredFile {
  return checked(checkFile(value), "a stored file");
}

async function unpacked(file: string): Promise<{ entry: Entry; content: Buffer }[]> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const entries: { entry: Entry; content: Buffer }[] = [];
  for await (const entry of zip.eachEntry())
    entries.push({ entry, content: await buffer(await zip.openReadStreamPromise(entry)) });
  zip.close();
  return entries;
}

/** The date of an entry as it is written, read as UTC. */
function utc({ lastModFileDate: day, lastModFileTime: time }: Entry): number {
  const date = [(day >> 9) + 1980, ((day >> 5) & 15) - 1, day & 31] as const;
  return Date.UTC(...date, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

function exampleProject(): ProjectDocument {
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
  };
}
