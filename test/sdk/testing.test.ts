/** The test host answers as a host does, and offers what tests need beyond that. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  definePlugin,
  type Host,
  type PricingProcedure,
  route,
  SessionId,
  StoredFile,
  serviceMethod,
  Type,
  Validator,
  writeObk,
} from "@slipway/sdk";
import {
  createTestHost,
  emptyProject,
  pngPicture,
  smallOffice,
  type TestHost,
  type TestHostOptions,
  type TestPrintJob,
} from "@slipway/sdk/testing";
import t, { type Test } from "tap";
import { readWholeArchive } from "../foreign-zip-reader.js";
import { repository, startHost } from "../start-host.js";
import answering from "./parity/answering/index.js";
import greeting from "./parity/greeting/index.js";
import { type ParityRequest, type ParitySessions, parityRequests } from "./parity/parity-requests.js";

const folder = join(repository, "test", "sdk", "parity");

/** Keywords of schemas, and values that only some of them take. */
const keywords = [
  ...[
    "type",
    "properties",
    "additionalProperties",
    "patternProperties",
    "required",
    "items",
    "anyOf",
    "enum",
  ],
  ...["const", "pattern", "format", "formatMinimum", "minLength", "maxItems", "minProperties", "minimum"],
  ...["exclusiveMaximum", "multipleOf", "uniqueItems", "title", "default", "$ref", "$id", "oneOf", "not"],
];
const oddValues: unknown[] = [
  ...["string", "nonsense", "date", "(", "^a$", "#/missing", ""],
  ...[null, 0, -1, 1.5, true, [], [1], ["a"], [{}], [{ type: "x" }], ["string", "x"]],
  ...[{}, { a: 1 }, { a: {} }, { a: { type: "x" } }, { "(": {} }],
];

/** What clients get to see, with ids and addresses replaced. */
interface Seen {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Contents of the files that a successful answer names, those of an archive by their names. */
  files: (string | Record<string, string>)[];
}

interface Answers {
  sessions: ParitySessions;
  ask(request: ParityRequest, requestId: string): Promise<Seen>;
}

const compared =
  /^(content-type|content-disposition|cache-control|etag|location|allow|retry-after|x-request-id|slipway-.*)$/;

/** Requests that the host gets at a time. */
const together = 16;

t.test("a host and a test host answer alike", async (t) => {
  t.teardown(() => started.stop());
  const started = await startHost({
    plugins: [folder],
    templates: [t.testdir()],
    configuration: {
      fetch: { allowedHosts: [] },
      plugins: { grants: { Answering: { network: ["example.org"] } } },
    },
  });
  const real = await overHttp(started.url);
  const kit = await inMemory();
  const requests = parityRequests(real.sessions);
  const expected: Seen[] = [];
  for (let first = 0; first < requests.length; ) {
    const following = requests.slice(first, first + together);
    const next = following.findIndex(({ alone }) => alone);
    const some = next < 0 ? following : following.slice(0, Math.max(next, 1));
    const from = first;
    expected.push(...(await Promise.all(some.map((each, at) => real.ask(each, `request-${from + at}`)))));
    first += some.length;
  }
  for (const [index, request] of parityRequests(kit.sessions).entries()) {
    const { method = "GET", path, body } = request;
    const given = await kit.ask(request, `request-${index}`);
    t.strictSame(given, expected[index], `${method} ${path} ${(JSON.stringify(body) ?? "").slice(0, 100)}`);
  }
  t.equal(new Set(requests.map((each) => JSON.stringify(each))).size, requests.length, "each is asked once");

  const base = "/EAIWS/plugins/Answering/replies";
  const range = await fetch(`${started.url}${base}/file`, { headers: { Range: "bytes=4-8" } });
  t.equal(range.status, 206);
  t.equal(await range.text(), '"ä"\r');
  const page = await fetch(`${started.url}${base}/html`);
  t.match(page.headers.get("content-security-policy"), /^sandbox .*default-src 'none'/);
  const { paths } = Object(await (await fetch(`${started.url}/openapi.json`)).json());
  t.strictSame(Object.keys(paths[`${base}/file`].get.responses["200"].content), ["text/csv"]);
  t.ok(paths[`${base}/redirect`].get.responses["303"].headers.Location);
});

async function overHttp(url: string): Promise<Answers> {
  const opened = await fetch(`${url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ locale: "de_DE", project: smallOffice() }),
  });
  const { sessionId: office } = Object(await opened.json());
  return {
    sessions: { office },
    ask: async ({ method = "GET", path, body }, requestId) => {
      const hasBody = body !== undefined && method !== "GET";
      const answer = await fetch(`${url}/EAIWS/plugins/Answering/${path}`, {
        method,
        redirect: "manual",
        headers: { "X-Request-Id": requestId, ...(hasBody && { "Content-Type": "application/json" }) },
        ...(hasBody && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const files = await Promise.all(
        urlsIn(text).map(async (each) => new Uint8Array(await (await fetch(each)).arrayBuffer())),
      );
      return seen(
        { status: answer.status, headers: Object.fromEntries(answer.headers), text, office },
        files,
      );
    },
  };
}

async function inMemory(): Promise<Answers> {
  const host = await createTestHost({
    plugin: answering,
    name: "Answering",
    version: "1.2.0",
    config: { unit: "pieces" },
    folder: join(folder, "answering"),
    others: [{ plugin: greeting, name: "Greeting", version: "2.1.0", aliases: ["hello"] }],
  });
  const { id: office } = await host.openSession(smallOffice(), { locale: "de_DE" });
  return {
    sessions: { office },
    ask: async ({ method = "GET", path, body, waits }, requestId) => {
      const answering = host.request(method, path, { body, headers: { "X-Request-Id": requestId } });
      if (waits) await host.clock.advance("10s");
      const { status, headers, text } = await answering;
      const files = urlsIn(text).map((url) => host.file(url).bytes);
      return seen({ status, headers, text, office }, files);
    },
  };
}

function urlsIn(text: string): string[] {
  return text.match(/http:[^"]*\/files\/[^"]*/g) ?? [];
}

async function seen(
  answer: Omit<Seen, "files"> & { office: string },
  files: readonly Uint8Array[],
): Promise<Seen> {
  const { status, headers, text, office } = answer;
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => compared.test(name))),
    text: text
      .replaceAll(new RegExp(office, "gi"), "<session>")
      .replaceAll(/http:\/\/[^/"]+\/files\/[^/"]+/g, "<files>")
      .replaceAll(/"id":"(?:test-file-\d+|[A-Za-z0-9_-]{24})"/g, '"id":"<file>"')
      // The deadline of a request is watched in two places, and either may be a moment faster.
      .replace(/The plugin (Answering@1.2.0 did not answer in time|did not answer within 300 ms)/, "<late>"),
    files: await Promise.all(files.map(shownFile)),
  };
}

/** Archives also tell when their files were made. */
async function shownFile(bytes: Uint8Array): Promise<string | Record<string, string>> {
  const content = Buffer.from(bytes);
  if (!content.toString("latin1").startsWith("PK")) return content.toString("base64");
  const entries = [...(await readWholeArchive(content))];
  return Object.fromEntries(entries.map(([name, file]) => [name, file.text()]));
}

const Sessions = Type.Object({ sessionId: SessionId });

/** Waits, writes, prints and asks others, and says what it was told. */
const busy = definePlugin({
  config: Type.Object({ word: Type.String({ default: "word" }) }, { additionalProperties: false }),
  setup: (host, { word }) => {
    const told = host.metrics.counter("told_total", "What was told, by language.", ["language"]);
    const sizes = host.metrics.histogram("size_bytes", "Sizes.", [], [10, 100]);
    return {
      routes: [
        route.get("now", { summary: "The time.", handler: () => ({ now: host.now(), word }) }),
        route.get("wait", { summary: "Waits.", handler: ({ signal }) => aborted(signal) }),
        route.get("wait-less", {
          summary: "Waits.",
          timeout: "10s",
          handler: ({ signal }) => aborted(signal),
        }),
        route.get("never", {
          summary: "Goes on for ever.",
          timeout: "1s",
          handler: () => new Promise(() => {}),
        }),
        route.post("tell", {
          summary: "Counts and logs.",
          body: Type.Object({ language: Type.String() }),
          handler: ({ body: { language }, log, suppress }) => {
            told.add(2, { language });
            sizes.observe(language.length);
            log.info("told", { language, error: new RangeError("odd") });
            suppress({ id: "text-odd", message: "It is odd." });
            return { language };
          },
        }),
        route.post("project", {
          summary: "The project.",
          body: Sessions,
          session: "required",
          handler: async ({ session }) => {
            const project = await session.project();
            const isKnown = seenProjects.has(project);
            seenProjects.add(project);
            const key = Object.keys(project.assets ?? {})[0] ?? "";
            return { name: project.header.name, isKnown, bytes: (await session.asset(key))?.byteLength };
          },
        }),
        route.get("half-done", {
          summary: "Makes a file, then fails.",
          handler: async () => {
            await host.files.create({ name: "half.txt", mediaType: "text/plain", content: "half" });
            throw new Error("The rest is missing.");
          },
        }),
        route.post("print", {
          summary: "Prints a template.",
          body: Type.Partial(Sessions),
          session: "optional",
          handler: async () => {
            const template = await host.templates.find({ key: "letters", locale: "en" });
            if (template === undefined) return {};
            const { version } = template;
            const request = {
              key: "letter",
              version,
              data: '{"name":"Ada"}',
              locale: "en",
              formatLocale: "en",
            };
            return host.pdf.render({ template: request, filename: "letter" });
          },
        }),
        route.get("fetch", {
          summary: "Asks servers.",
          query: Type.Object({ url: Type.String() }),
          handler: async ({ query }) => {
            const { status, mediaType, content } = await host.fetch(query.url);
            return { status, mediaType, text: Buffer.from(content).toString("utf8") };
          },
        }),
        route.get("procedure/:name", {
          summary: "A procedure.",
          handler: async ({ params }) => ({
            currency: (await host.procedures.find(params["name"] ?? ""))?.name ?? "none",
          }),
        }),
      ],
      services: {
        words: {
          repeat: serviceMethod({
            summary: "Repeats a word.",
            input: Type.Object({ times: Type.Integer() }),
            output: Type.Object({ text: Type.String() }),
            session: "optional",
            handler: async ({ input, session, suppress }) => {
              suppress({ id: "word-plain", message: "It is plain." });
              const name = session && (await session.project()).header.name;
              return { text: `${word.repeat(input.times)} ${name ?? "nobody"}` };
            },
          }),
        },
      },
      probe: () => {
        if (word === "unfit") throw new Error("it is unfit");
      },
      stop: () => {
        if (word === "stubborn") throw new Error("it does not want to");
      },
    };
  },
});

const seenProjects = new WeakSet<object>();

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve({})));
}

async function busyHost(t: Test, options: Partial<TestHostOptions> = {}): Promise<TestHost> {
  const host = await createTestHost({ plugin: busy, name: "Busy", ...options });
  t.teardown(() => host.stop());
  return host;
}

t.test("time passes when it is told to, and ends requests in their order", async (t) => {
  const host = await busyHost(t, { now: "2026-12-31T23:59:30Z" });
  t.match((await host.get("now")).json, { now: "2026-12-31T23:59:30.000Z" });
  const ended: string[] = [];
  const asked = ["wait", "wait-less"].map(async (path) => {
    const { status, error } = await host.get(path);
    ended.push(`${path} ${status} ${error?.id} ${host.clock.now.toISOString()}`);
  });
  await host.clock.advance("9s");
  t.strictSame(ended, []);
  await host.clock.advance("2m");
  await Promise.all(asked);
  t.strictSame(ended, [
    "wait-less 504 request-timeout 2026-12-31T23:59:40.000Z",
    "wait 504 request-timeout 2027-01-01T00:00:30.000Z",
  ]);
  t.equal(host.clock.now.toISOString(), "2027-01-01T00:01:39.000Z");
  t.match((await host.get("now")).json, { now: "2027-01-01T00:01:39.000Z" });
  await t.rejects(host.clock.advance(-1), /clock.advance/);
});

t.test("a client that goes away ends its request", async (t) => {
  const host = await busyHost(t);
  const client = new AbortController();
  const asked = host.get("wait", { signal: client.signal });
  client.abort(new Error("bored"));
  await t.rejects(asked, { message: "bored" });
  await t.rejects(host.get("now", { signal: client.signal }), { message: "bored" });
});

t.test("sessions hold projects, and get others", async (t) => {
  const host = await busyHost(t);
  const picture = Buffer.from(pngPicture()).toString("base64");
  const assets = { a: { mediaType: "image/png", base64: picture } };
  const session = await host.openSession({ ...smallOffice(), assets }, { locale: "de_DE" });
  const ask = async () => (await host.post("project", { sessionId: session.id })).json;
  const bytes = pngPicture().byteLength;
  const { name = "" } = smallOffice().header;
  t.strictSame(await ask(), { name, isKnown: false, bytes });
  t.strictSame(await ask(), { name, isKnown: true, bytes }, "frozen and kept");

  await session.replace({ ...emptyProject(), header: { ...emptyProject().header, name: "Another" } });
  t.strictSame(await ask(), { name: "Another", isKnown: false });
  await t.rejects(session.replace(new Uint8Array([1])), { code: 400 });
  await t.rejects(session.replace(Buffer.from('{"formatVersion": ')), {
    code: 400,
    message: /it is not JSON in UTF-8/,
  });
  t.strictSame([session.revision, session.locale], [2, "de_DE"]);

  const fromFile = await host.openSession(await writeObk(smallOffice()));
  t.match((await host.post("project", { sessionId: fromFile.id })).json, { name });
  session.close();
  t.match((await host.post("project", { sessionId: session.id })).error, { code: 422 });

  const broken = { ...smallOffice(), defaultViewId: "00000000-0000-4000-8000-00000000dead" };
  await t.rejects(host.openSession(broken), { code: 400, message: /project.defaultViewId` must be the id/ });
  await t.rejects(host.openSession(emptyProject(), { locale: "nowhere at all" }), { code: 400 });
});

t.test("files, numbers and lines are there to be looked at", async (t) => {
  const host = await busyHost(t);
  t.equal((await host.get("half-done")).status, 500);
  t.strictSame(host.files, [], "of a request that failed");
  t.throws(() => host.file("http://slipway.test/files/none/a"), /There is no file .* there are none/);
  t.match(host.log, [{ level: "error", fields: { error: /The rest is missing.*\n.*at / } }]);

  const answer = await host.post("tell", { language: "de" }, { headers: { "X-Request-ID": "mine" } });
  t.match(answer.errors, [{ id: "text-odd", scopes: ["ERROR"] }]);
  t.equal(answer.as(Type.Object({ language: Type.String() })).language, "de");
  t.throws(() => answer.as(Type.Object({ language: Type.Integer() })), /language` must be an integer/);
  await host.post("tell", { language: "fr" });
  await host.post("tell", { language: "de" });
  t.match(host.log.at(1), {
    ...{ message: "told", level: "info", plugin: "Busy@1.0.0", requestId: "mine" },
    fields: { language: "de", error: /RangeError: odd/ },
  });
  t.equal(host.metrics.value("told_total", { language: "de" }), 4);
  t.equal(host.metrics.value("told_total"), undefined);
  t.equal(host.metrics.value("suppressed_errors_total", { id: "text-odd" }), 3);
  t.match(
    host.metrics.samples.find(({ name }) => name === "size_bytes"),
    { plugin: "Busy@1.0.0", kind: "histogram", value: 6, count: 3 },
  );
});

t.test("the host offers what the test gives", async (t) => {
  const jobs: TestPrintJob[] = [];
  const pictures: unknown[] = [];
  let isStopped = false;
  const host = await createTestHost({
    plugin: busy,
    fetch: {
      "https://example.org/a": { mediaType: "text/plain", content: "Grüße" },
      "https://example.org/b": ({ method, headers, body }) => ({
        status: 404,
        content: JSON.stringify([method, headers, body ?? null]),
      }),
    },
    procedures: [{ ...(await standardProcedure()), name: "MINE" }],
    templates: [{ key: "letter", aliases: ["letters"], html: (data) => `<p>${JSON.stringify(data)}</p>` }],
    printer: {
      print: async (job) => {
        jobs.push(job);
        pictures.push(await job.load(`/assets/${sha256(pngPicture())}`), await job.load("/assets/none"));
        return { content: Buffer.from("%PDF-1.7"), pages: 3, errors: [] };
      },
      stop: async () => {
        isStopped = true;
      },
    },
  });
  const fetched = async (name: string) =>
    (await host.get("fetch", { query: { url: `https://example.org/${name}` } })).text;
  t.equal(await fetched("a"), '{"status":200,"mediaType":"text/plain","text":"Grüße"}');
  t.match(await fetched("b"), /"status":404.*\[\\"GET\\",\{\},null\]/);
  t.match(await fetched("c"), /request-forbidden/);
  t.match((await host.get("procedure/MINE")).json, { currency: "MINE" });
  t.match((await host.get("procedure/STDB2B_WBK")).json, { currency: "STDB2B_WBK" });

  const base64 = Buffer.from(pngPicture()).toString("base64");
  const assets = { a: { mediaType: "image/png", base64 } };
  const session = await host.openSession({ ...smallOffice(), assets });
  const printed = await host.post("print", { sessionId: session.id });
  const { file } = printed.as(Type.Object({ file: StoredFile, pages: Type.Literal(3) }));
  t.match(host.file(file.url), { name: "letter.pdf", mediaType: "application/pdf" });
  t.match(jobs, [{ html: '<p>{"name":"Ada"}</p>', tagged: false, scripts: false }]);
  t.match(pictures, [{ mediaType: "image/png" }, undefined]);
  await host.stop();
  t.ok(isStopped);
  await t.rejects(host.get("now"), /was stopped/);

  const failing = await busyHost(t, { templates: [{ key: "letters", html: () => "" }] });
  const refused = await failing.post("print", { sessionId: (await failing.openSession(smallOffice())).id });
  t.match(refused.error, { code: 500, id: "template-error" }, "no such template");
  const unprinted = await busyHost(t, {
    templates: [{ key: "letter", aliases: ["letters"], html: () => "" }],
  });
  const without = await unprinted.post("print", {});
  t.match(without.error, { code: 503, message: /give createTestHost a `printer`/ });
});

t.test("a result that JSON cannot represent is an error that names its member", async (t) => {
  const results: Record<string, [result: unknown, named: RegExp]> = {
    map: [{ lines: [{}, { prices: new Map([[1, 2]]) }] }, /returned a Map at result\.lines\[1\]\.prices,/],
    promise: [{ total: Promise.resolve(1) }, /a Promise at result\.total, .* is an `await` missing\?/],
    file: [{ file: new Blob(["x"]) }, /a Blob at result\.file,/],
    bytes: [[Buffer.from("x")], /a Buffer at result\[0\],/],
    large: [{ id: 5n }, /a bigint at result\.id,/],
    error: [new Error("inside"), /a Error at result,/],
  };
  const good = { date: new Date(0), url: new URL("http://a.example/"), empty: {}, none: undefined };
  const answers = { ...results, good: [good, undefined] as const };
  const plugin = definePlugin({
    setup: () => ({
      routes: Object.entries(answers).map(([name, [result]]) =>
        route.get(name, { summary: "Returns something.", handler: () => result }),
      ),
    }),
  });
  const host = await createTestHost({ plugin });
  t.teardown(() => host.stop());
  const printed = t.capture(process.stderr, "write", () => true);
  for (const [name, [, named]] of Object.entries(results)) {
    const answer = await host.get(name);
    t.match(answer.error, { code: 500, id: "plugin-error", message: "The plugin failed." });
    t.match(host.log.at(-1)?.fields["error"], named);
    const lines = printed.args().flat().join("");
    t.match(lines, named, "a test runner shows the cause");
    t.match(lines, `GET ${name} failed (request ${answer.headers["x-request-id"]})`);
  }
  t.strictSame((await host.get("good")).json, {
    date: "1970-01-01T00:00:00.000Z",
    url: "http://a.example/",
    empty: {},
  });
  const quiet = await createTestHost({ plugin, quiet: true });
  t.teardown(() => quiet.stop());
  t.equal((await quiet.get("map")).status, 500);
  t.strictSame(printed.args(), [], "nothing is printed by a quiet host, or for an answer");
});

t.test("services are called as other plugins call them", async (t) => {
  const host = await busyHost(t);
  const words = host.service("words");
  t.match(await words.call("repeat", { times: 2 }), {
    value: { text: "wordword nobody" },
    errors: [{ id: "word-plain" }],
  });
  const session = await host.openSession(smallOffice());
  const output = Type.Object({ text: Type.String() });
  const { value } = await words.call("repeat", { times: 1 }, { session, output });
  t.equal(value.text, `word ${smallOffice().header.name}`);
  await t.rejects(words.call("repeat", { times: "x" }), { code: 500, id: "plugin-error" });
  await t.rejects(words.call("repeat", { times: 1 }, { output: Type.String() }), { code: 500 });
  await t.rejects(words.call("sing", {}), { code: 503, id: "plugin-unavailable" });
});

t.test(
  "a plugin whose schema does not compile is refused, naming it; each other one starts and answers",
  async (t) => {
    const seen = { refused: 0, started: 0 };
    for (const keyword of keywords) {
      for (const value of oddValues) {
        const schema = Type.Unsafe<unknown>(
          Type.Object({ a: Type.Optional(Type.Unsafe({ [keyword]: value })) }),
        );
        const isBroken = await Promise.resolve()
          .then(() => new Validator().compile(schema, "body"))
          .then(
            () => false,
            () => true,
          );
        const summary = "Takes what it gets.";
        const routes = [route.post("take", { summary, response: schema, handler: () => ({}) })];
        const label = JSON.stringify({ [keyword]: value });
        const started = createTestHost({ plugin: definePlugin({ setup: () => ({ routes }) }), quiet: true });
        if (isBroken) {
          await t.rejects(started, /POST take: the schema of its response is not valid/, label);
          seen.refused += 1;
          continue;
        }
        const host = await started;
        t.equal((await host.post("take", {})).status, 200, label);
        await host.stop();
        seen.started += 1;
      }
    }
    t.ok(seen.refused > 50 && seen.started > 50, JSON.stringify(seen));
  },
);

t.test("a plugin that a host would refuse is refused", async (t) => {
  const start = (options: Partial<TestHostOptions>) => createTestHost({ plugin: busy, ...options });
  const refused = { id: "plugin-error", code: 500 };
  await t.rejects(start({ config: { word: 5, other: 1 } }), {
    ...refused,
    message: /configuration is not valid: `config.other` is not a known field.*config.word` must be a string/,
  });
  const secret = definePlugin({
    config: Type.Object(
      { pin: Type.String({ maxLength: 4, secret: true }), address: Type.String() },
      { additionalProperties: false },
    ),
    setup: () => ({ routes: [] }),
  });
  const failure: unknown = await createTestHost({
    plugin: secret,
    config: { pin: "squirrel", pinn: "badger", address: ["otter"] },
  }).catch((error: unknown) => error);
  t.match(failure, {
    ...refused,
    message:
      /config.pinn` is not a known field.*config.pin` must .*4 characters, but is \(hidden\).*config.address` must be a string, but is \(hidden\)/,
  });
  t.notMatch(String(failure), /squirrel|badger|otter/);
  const routes = { setup: () => ({ routes: JSON.parse("[{}]") }) };
  await t.rejects(start({ plugin: definePlugin(routes) }), {
    ...refused,
    message: /routes\[0\] was not made with/,
  });
  const fails = () => Promise.reject(new Error("no luck"));
  await t.rejects(start({ plugin: definePlugin({ setup: fails }) }), {
    ...refused,
    message: /setup failed: no luck/,
  });
  const asks = (host: Host) => ({ routes: [], other: host.service("Other@new", "a") });
  await t.rejects(
    start({ plugin: definePlugin({ setup: asks }) }),
    /must name a plugin such as "Reporter@\^1.0.0"/,
  );
  await t.rejects(start({ name: "no name" }), TypeError);
  await t.rejects(start({ version: "1" }), TypeError);
  await t.rejects(start({ now: "soon" }), TypeError);
});

t.test("the files of the plugin are those of its folder", async (t) => {
  const asking = definePlugin({
    setup: (host) => ({
      routes: [
        route.get("text/:name", {
          summary: "A text.",
          handler: async ({ params }) => ({ text: await host.assets.text(params.name) }),
        }),
        route.get("url/:name", {
          summary: "A URL.",
          handler: async ({ params }) => ({ url: await host.assets.url(params.name) }),
        }),
      ],
    }),
  });
  const manifest = (assets?: unknown) =>
    JSON.stringify({ slipway: { plugin: "asking", entry: "index.ts", assets } });
  const place = t.testdir({
    good: {
      "package.json": manifest(["texts/*.ejs", "*.ejs", "large.png"]),
      "certificate.ejs": "\u{feff}<p>",
      "large.png": Buffer.alloc(4 * 1024 * 1024 + 1),
      texts: { "letter.ejs": "Dear" },
    },
    none: { "package.json": manifest() },
    wrong: { "package.json": manifest(["*.ejs", "../*"]) },
    empty: { "package.json": manifest(["*.ejs"]) },
  });
  const asked = async (path: string, folder?: string | URL): Promise<unknown> => {
    const host = await createTestHost({
      plugin: asking,
      quiet: true,
      ...(folder !== undefined && { folder }),
    });
    const { json, error } = await host.get(path);
    await host.stop();
    return error?.message ?? json;
  };
  const good = join(place, "good");
  t.strictSame(await asked("text/certificate.ejs", pathToFileURL(`${good}/`)), { text: "<p>" });
  const unknown: [string, string | undefined, RegExp][] = [
    ["certifcate.ejs", good, /no asset "certifcate\.ejs"; did you mean "certificate\.ejs"\?/],
    ["letter.ejs", good, /did you mean "texts\/letter\.ejs"\?/],
    ["index.ts", good, /it has "certificate\.ejs", "large\.png", "texts\/letter\.ejs" \(slipway\.assets\)/],
    ["a", join(place, "none"), /its package\.json names none/],
    ["a", undefined, /createTestHost was not given the plugin's `folder`/],
  ];
  for (const [name, folder, message] of unknown) t.match(await asked(`text/${name}`, folder), message);
  t.match(await asked("url/large.png", good), /"large\.png" has 4194305 bytes; a URL can hold 4194304/);
  t.match(await asked("url/certificate.ejs", good), { url: /^data:application\/octet-stream;base64,/ });
  await t.rejects(asked("a", join(place, "wrong")), {
    name: "TypeError",
    message: /slipway\.assets: "\.\.\/\*" leads out of its folder/,
  });
  await t.rejects(
    asked("a", join(place, "empty")),
    /slipway\.assets: "\*\.ejs" matches no file of the plugin/,
  );
  await t.rejects(asked("a", join(place, "nowhere")), /^folder: expected that of a plugin/);
});

t.test("what is left open is told at the end", async (t) => {
  const unfit = await createTestHost({ plugin: busy, config: { word: "unfit" } });
  await t.rejects(unfit.probe(), /probe failed: it is unfit/);
  await unfit.stop();

  const stubborn = await createTestHost({ plugin: busy, config: { word: "stubborn" } });
  t.match(await Promise.all([stubborn.get("never"), stubborn.clock.advance("2s")]), [{ status: 504 }]);
  const waiting = stubborn.get("wait");
  await t.rejects(
    stubborn.stop(),
    /GET wait of plugin@1.0.0 still runs; GET never of plugin@1.0.0 still runs; stop of plugin@1.0.0 threw .*want to/,
  );
  t.match(await waiting, { status: 503 });
});

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

async function standardProcedure(): Promise<PricingProcedure> {
  return JSON.parse(await readFile(join(repository, "config", "procedures", "STDB2B_WBK.json"), "utf8"));
}

t.test("a test sees what a handler tells of its progress", async (t) => {
  const telling = definePlugin({
    setup: () => ({
      routes: [
        route.get("count", {
          summary: "Counts.",
          handler: ({ progress }) => {
            progress(0.25, "one");
            progress(2, "x".repeat(300));
            progress(-1);
            return {};
          },
        }),
        route.get("wrong", {
          summary: "Tells nonsense.",
          handler: ({ progress }) => {
            progress(Number.NaN);
            return {};
          },
        }),
      ],
    }),
  });
  const host = await createTestHost({ plugin: telling, quiet: true });
  t.teardown(() => host.stop());
  const told: { part: number; text?: string }[] = [];
  const answer = await host.get("count", { progress: (progress) => told.push(progress) });
  t.equal(answer.status, 200);
  t.match(told, [{ part: 0.25, text: "one" }, { part: 1, text: /^x{199}…$/ }, { part: 0 }]);
  t.equal((await host.get("count")).status, 200, "nobody has to listen");
  t.equal((await host.get("wrong")).error?.id, "plugin-error");
  t.match(host.log.at(-1)?.fields["error"], /expected a number from 0 to 1/);
});
