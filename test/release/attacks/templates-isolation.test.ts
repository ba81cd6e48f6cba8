import t from "tap";
import { channels } from "../../host/template-channels.js";
import { escapes } from "../../host/template-escapes.js";
import { dataEscapes, textEscapes } from "../../host/template-escapes-ejs.js";
import { engineEscapes } from "../../host/template-escapes-engines.js";
import { type Excess, endlessReports, excessiveReports } from "../../host/template-excesses.js";
import {
  definition,
  failure,
  problems,
  renderBody,
  reportOnly,
  startTemplates,
} from "../../host/templates-support.js";

/** Prints whether the value of an escape, or what an earlier report left, is the process. */
function attemptOf(code: string): string {
  return `<%
    const value = ${code};
    const got = value ?? globalThis.found;
    if (globalThis.found !== undefined) delete globalThis.found;
  %><%= got && typeof got.pid === "number" ? "reached" : "held" %>`;
}

function excessFolders(excesses: Readonly<Record<string, Excess>>) {
  const folders = Object.values(excesses).map(({ files }, index) => {
    const key = `excess-${index}`;
    return [key, { "template.json": definition(key), ...files }];
  });
  return Object.fromEntries(folders);
}

interface Attempt {
  report: string;
  works: boolean;
  /** JSON. */
  data?: string;
  later?: true;
}

const attempts: Record<string, Attempt> = Object.fromEntries<Attempt>([
  ...Object.entries({ ...escapes, ...engineEscapes, ...dataEscapes }).map(
    ([name, { code, ...others }]): [string, Attempt] => [name, { ...others, report: attemptOf(code) }],
  ),
  ...Object.entries(textEscapes),
]);

t.test("attempts to reach the process fail, and leave the next report clean", async (t) => {
  const open = { allowUnsafeVelocityAccess: true };
  const folder = t.testdir({
    ...templates("strict"),
    ...templates("open", open),
    clean: reportOnly(
      "clean",
      '<%= ({}).version === undefined && [1, 2].join("-") %> <%= d.money("1.5", "EUR") %>',
    ),
  });
  const allowUnsafeVelocityAccess = Object.keys(attempts).map((_, index) => `open-${index}`);
  const service = await startTemplates(t, folder, { allowUnsafeVelocityAccess });
  for (const [index, [name, attempt]] of Object.entries(attempts).entries()) {
    t.notMatch(await outcome(`strict-${index}`, attempt), "reached", name);
    t.equal(await renderBody(service, "clean"), "1-2 EUR 1.50", `after ${name}`);
    const unprotected = await outcome(`open-${index}`, attempt);
    t.equal(unprotected.includes("reached"), attempt.works, `${name}, unprotected: ${unprotected}`);
  }

  function templates(prefix: string, changes: object = {}) {
    const folders = Object.values(attempts).map(({ report }, index) => {
      const key = `${prefix}-${index}`;
      return [key, { ...reportOnly(key, report, { ...changes }), "inner.ejs": "inner" }];
    });
    return Object.fromEntries(folders);
  }

  /** A template that is refused altogether has no version. */
  async function outcome(key: string, { data = '{"items": []}', later }: Attempt): Promise<string> {
    if (!(await service.find(key, "en"))) return "refused";
    const once = () => renderBody(service, key, { data }).catch((error: Error) => error.message);
    return later ? (await once()) + (await once()) : once();
  }
});

t.test("a report leaves nothing for the next one in its process", async (t) => {
  const pairs = (prefix: string, changes: object = {}) =>
    Object.fromEntries(
      Object.values(channels).flatMap(({ write, read }, index) => {
        const [writer, reader] = [`${prefix}-${index}-w`, `${prefix}-${index}-r`];
        const reading = `(() => { try { return ${read} === "leak"; } catch { return false; } })()`;
        return [
          [writer, reportOnly(writer, `<% try { ${write} } catch {} %>written`, { ...changes })],
          [reader, reportOnly(reader, `<%= ${reading} ? "leak" : "clean" %>`, { ...changes })],
        ];
      }),
    );
  const folder = t.testdir({ ...pairs("strict"), ...pairs("open", { allowUnsafeVelocityAccess: true }) });
  const allowUnsafeVelocityAccess = Object.keys(channels).flatMap((_, index) => [
    `open-${index}-w`,
    `open-${index}-r`,
  ]);
  const service = await startTemplates(t, folder, { allowUnsafeVelocityAccess });
  t.equal(problems(service), "");
  for (const [index, [name, { works }]] of Object.entries(channels).entries()) {
    t.match(await renderBody(service, `strict-${index}-w`), /written$/, name);
    t.equal(await renderBody(service, `strict-${index}-r`), "clean", name);
    await renderBody(service, `open-${index}-w`);
    t.equal(await renderBody(service, `open-${index}-r`), works ? "leak" : "clean", `${name}, unprotected`);
  }
});

t.test("a template sees no global objects but those of the language, and changes none", async (t) => {
  const hidden = [
    ...[
      "process",
      "require",
      "module",
      "global",
      "Buffer",
      "fetch",
      "console",
      "performance",
      "queueMicrotask",
    ],
    ...[
      "setTimeout",
      "setInterval",
      "setImmediate",
      "structuredClone",
      "URL",
      "Worker",
      "WebAssembly",
      "Intl",
    ],
    ...["Function", "eval", "Compartment", "harden", "lockdown", "Reflect", "Proxy", "Promise", "WeakRef"],
    ...["ArrayBuffer", "SharedArrayBuffer", "Uint8Array", "Atomics", "TextEncoder", "FinalizationRegistry"],
  ];
  const offered = [
    ...["Array", "BigInt", "Boolean", "Date", "JSON", "Map", "Math", "Number", "Object", "RegExp", "Set"],
    ...["String", "Symbol", "Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError"],
    ...["TypeError", "URIError", "Infinity", "NaN", "undefined", "isFinite", "isNaN", "parseFloat"],
    ...["parseInt", "globalThis", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent"],
  ];
  const refusals = [
    "globalThis.leak = d.data",
    "leak = d.data",
    "Object.prototype.leak = 1",
    "Array.prototype.join = () => 'leak'",
    "({}).__proto__.leak = 1",
    "d.data.__proto__.leak = 1",
    "d.data.leak = 1",
    "d.t.leak = 1",
    "d.leak = 1",
    "delete d.t",
    "include.leak = 1",
    "escapeFn.leak = 1",
    "String.prototype.trim = null",
    "Math.leak = 1",
    "JSON.parse = null",
    "Object.defineProperty(Object.getPrototypeOf(d.t), 'call', { value: null })",
    "Object.assign(Error.prototype, { leak: 1 })",
    "Date.now()",
    "new Date()",
    "Date()",
    "Math.random()",
  ];
  const attempt = (code: string) =>
    `<%= (() => { try { ${code}; return ""; } catch (e) { return e instanceof Error ? "" : "?"; } })() %>`;
  const strictly = refusals.map(
    (code) =>
      `<% { let failed = false; try { ${code}; } catch { failed = true; } %><%= failed ? "" : ${JSON.stringify(code)} %><% } %>`,
  );
  const folder = t.testdir({
    sees: reportOnly(
      "sees",
      hidden.map((name) => `<%= typeof ${name} === "undefined" ? "" : "${name} " %>`).join(""),
    ),
    names: reportOnly("names", "<%= Object.getOwnPropertyNames(globalThis).sort().join() %>"),
    changes: reportOnly("changes", strictly.join("")),
    stack: reportOnly("stack", "<%= (() => { try { null.x } catch (e) { return String(e.stack) } })() %>"),
    shared: reportOnly(
      "shared",
      `${attempt("globalThis.count = (globalThis.count ?? 0) + 1")}<%= globalThis.count %>`,
    ),
    after: reportOnly("after", '<%= [typeof leak, ({}).leak, [].leak, "a".trim(), [1].join()].join("|") %>'),
  });
  const service = await startTemplates(t, folder);
  t.equal(problems(service), "");
  t.equal(await renderBody(service, "sees"), "");
  t.same((await renderBody(service, "names")).split(","), [...offered].sort());
  t.equal(await renderBody(service, "changes"), "");
  t.notMatch(await renderBody(service, "stack"), /\/|node:|file:/, "a stack names no place");
  for (const _ of [1, 2])
    t.equal(await renderBody(service, "shared"), "", "nothing is kept for the next report");
  t.equal(await renderBody(service, "after"), "undefined|||a|1");
});

t.test("a template that does not end costs its own report", async (t) => {
  const folder = t.testdir({
    ...excessFolders(endlessReports),
    loop: reportOnly("loop", "<% for (;;) {} %>"),
    rejected: reportOnly("rejected", '<% (async () => { throw new Error("later"); })() %>x'),
    good: reportOnly("good", "good"),
  });
  const service = await startTemplates(t, folder, { timeLimit: 600, queueLimit: 8 });
  t.equal(problems(service), "");
  for (const [index, [name, { message }]] of Object.entries(endlessReports).entries()) {
    const [failed, ...others] = await Promise.all([
      failure(service, `excess-${index}`),
      renderBody(service, "good"),
      renderBody(service, "good"),
    ]);
    t.match(failed, { code: 500, id: "template-error", message }, name);
    t.strictSame(others, ["good", "good"], `those that waited for ${name} go on`);
  }
  t.equal(
    await renderBody(service, "rejected"),
    "x",
    "what fails when nobody waits for it has no consequence",
  );
  t.equal(await renderBody(service, "good"), "good");

  const timeout = { code: 504, id: "request-timeout" };
  const [deadline, waited] = await Promise.all([
    failure(service, "loop", { within: 300 }),
    renderBody(service, "good"),
  ]);
  t.match(deadline, timeout);
  t.equal(waited, "good");
  t.match(await failure(service, "good", { within: -1 }), timeout, "a deadline that is over");

  const gone = new AbortController();
  const version = (await service.find("loop", "en"))?.version ?? "";
  const aborted = failure(service, "loop", { version, signal: gone.signal });
  const queued = failure(service, "good", { signal: gone.signal });
  const kept = renderBody(service, "good");
  gone.abort();
  t.match(await aborted, timeout, "running");
  t.match(await queued, timeout, "waiting");
  t.equal(await kept, "good");

  const many = Array.from({ length: 12 }, () => renderBody(service, "good").catch((error) => error));
  const results = await Promise.all([failure(service, "loop", { within: 700 }), ...many]);
  const refused = results.slice(1).filter((result) => typeof result !== "string");
  t.equal(results.slice(1).filter((result) => result === "good").length + refused.length, 12);
  t.ok(refused.length > 0, "more than may wait are refused at once");
  for (const error of refused) t.match(error.toObject(), { code: 503, id: "request-overloaded" });
});

t.test("code that is nested too deep for the parser is a mistake of its template", async (t) => {
  const deep = 200_000;
  const texts = {
    brackets: `<%= ${"(".repeat(deep)}1${")".repeat(deep)} %>`,
    operators: `<%= ${"!".repeat(deep)}1 %>`,
    blocks: `${"<% { %>".repeat(20_000)}${"<% } %>".repeat(20_000)}`,
  };
  const folder = t.testdir({
    ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, reportOnly(key, text)])),
    good: reportOnly("good", "good"),
  });
  const service = await startTemplates(t, folder);
  for (const key of Object.keys(texts)) t.notOk(await service.find(key, "en"), key);
  t.equal(problems(service).match(/report\.ejs(?::\d+){0,2}: \S/g)?.length, 3, problems(service));
  t.equal(await renderBody(service, "good"), "good");
});

t.test("a template that takes too much ends alone", async (t) => {
  const folder = t.testdir({ ...excessFolders(excessiveReports), good: reportOnly("good", "good") });
  const service = await startTemplates(t, folder, {
    memoryLimit: 64,
    outputLimit: 100_000,
    // Each is to end by what it takes, also on a busy machine.
    timeLimit: 60_000,
    processes: 2,
  });
  t.equal(problems(service), "");
  for (const [index, [name, { message }]] of Object.entries(excessiveReports).entries()) {
    const [failed, other] = await Promise.all([
      failure(service, `excess-${index}`),
      renderBody(service, "good"),
    ]);
    t.match(failed, { code: 500, id: "template-error", message }, name);
    t.equal(other, "good", `what runs beside ${name} goes on`);
  }
});

t.test("templates that together are too much for a process are not taken for one that is", async (t) => {
  const texts = JSON.stringify({ title: "x".repeat(1_000_000) });
  const i18n = Object.fromEntries(
    ["en", "de", "fr", "es", "it", "nl", "pl", "sv"].map((each) => [`${each}.json`, texts]),
  );
  const keys = Array.from({ length: 6 }, (_, index) => `large-${index}`);
  const folder = t.testdir(
    Object.fromEntries(keys.map((key) => [key, { ...reportOnly(key, key), i18n: { ...i18n } }])),
  );
  const service = await startTemplates(t, folder, { memoryLimit: 64 });
  t.equal(problems(service), "");
  for (const key of keys) t.equal(await renderBody(service, key), key);
});

t.test("an unprotected template has a process apart from all others", async (t) => {
  const open = { allowUnsafeVelocityAccess: true };
  const folder = t.testdir({
    open: reportOnly(
      "open",
      "<% Object.prototype.leak = 1 %><%= typeof process.pid %> <%= process.env.PATH %>|",
      open,
    ),
    exits: reportOnly("exits", "<% process.exit(3) %>", open),
    talks: reportOnly("talks", '<% process.send({ type: "rendered", html: 5 }); for (;;) {} %>', open),
    refused: reportOnly("refused", "x", open),
    strict: reportOnly("strict", "<%= ({}).leak %>strict"),
  });
  const service = await startTemplates(t, folder, { allowUnsafeVelocityAccess: ["open", "exits", "talks"] });
  t.match(problems(service), /allowUnsafeVelocityAccess: .* "refused"/);
  t.equal(await service.find("refused", "en"), undefined);
  t.equal(await renderBody(service, "open"), "number |", "it has no environment of the host");
  t.equal(await renderBody(service, "strict"), "strict");
  t.match(await failure(service, "exits"), {
    id: "template-error",
    message: /the process that rendered it ended/,
  });
  t.match(await failure(service, "talks"), {
    id: "template-error",
    message: /the process that rendered it ended/,
  });
  t.equal(await renderBody(service, "open"), "number |");
});

t.test("a service that stops ends what waits", async (t) => {
  const folder = t.testdir({ loop: reportOnly("loop", "<% for (;;) {} %>") });
  const service = await startTemplates(t, folder);
  const version = (await service.find("loop", "en"))?.version ?? "";
  const waiting = [failure(service, "loop", { version }), failure(service, "loop", { version })];
  await service.stop();
  for (const error of await Promise.all(waiting)) t.match(error, { code: 503, id: "plugin-unavailable" });
  t.match(await failure(service, "loop", { version }), { code: 503, id: "plugin-unavailable" });
});
