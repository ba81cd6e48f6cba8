import t from "tap";
import { failure, problems, renderBody, reportOnly, startTemplates } from "./templates-support.js";

/**
 * Ways to the process object (or to another thing that a template must not have), as expressions. `works`: reaches it
 * where nothing protects; these prove that the attempts are real.
 */
const attempts: Record<string, { code: string; works: boolean }> = {
  "a function's constructor": { code: '(function () {}).constructor("return process")()', works: true },
  "an arrow's constructor": { code: '(() => {}).constructor("return process")()', works: true },
  "a class's constructor": { code: '(class {}).constructor("return process")()', works: true },
  "the constructor of an object's constructor": {
    code: '({}).constructor.constructor("return process")()',
    works: true,
  },
  "a helper's constructor": { code: 'd.t.constructor("return process")()', works: true },
  "a bound helper": { code: 'd.money.bind(null).constructor("return process")()', works: true },
  "the constructor of include": { code: 'include.constructor("return process")()', works: true },
  "the constructor of the escape function": { code: 'escapeFn.constructor("return process")()', works: true },
  "the constructor of what a helper gives": {
    code: 'd.lines("a").constructor.constructor("return process")()',
    works: true,
  },
  "the constructor of data": { code: 'd.data.items.map.constructor("return process")()', works: true },
  "a generator's constructor": {
    code: '(function* () {}).constructor("yield process")().next().value',
    works: true,
  },
  "an async function's constructor": {
    code: '(() => { const make = (async function () {}).constructor; make("return process"); return process; })()',
    works: true,
  },
  "an async generator's constructor": {
    code: '(() => { const make = (async function* () {}).constructor; make("yield process"); return process; })()',
    works: true,
  },
  "the getter of __proto__": {
    code: '({}).__lookupGetter__("__proto__").constructor("return process")()',
    works: true,
  },
  "a host error's constructor": {
    code: '(() => { try { d.asset("none"); } catch (e) { return e.constructor.constructor("return process")(); } })()',
    works: true,
  },
  "an error of Intl": {
    code: '(() => { try { d.money("1", "x"); } catch (e) { return e.constructor.constructor("return process")(); } })()',
    works: true,
  },
  "an error out of stack in a helper": {
    code: `(() => {
      let found;
      const dive = () => {
        try { d.asset("none"); } catch (e) {
          if (e.constructor === RangeError) { try { found ??= e.constructor.constructor("return process")(); } catch {} }
        }
        dive();
      };
      try { dive(); } catch {}
      return found;
    })()`,
    works: true,
  },
  "a value that a helper reads": {
    code: `(() => {
      let found;
      const spy = { toString() { found = spy.toString.caller; return "1"; } };
      d.money(spy, "EUR");
      return found && found.constructor("return process")();
    })()`,
    works: false,
  },
  "a proxy that a helper reads": {
    code: `(() => {
      let found;
      const trap = new Proxy({}, { get(target, name, receiver) { found = receiver; return undefined; } });
      d.image(trap);
      return found && found.constructor && found.constructor.constructor("return process")();
    })()`,
    works: false,
  },
  "locals with a proxy": {
    code: `(() => {
      const trap = new Proxy({}, { ownKeys(target) { return target.constructor.constructor("return process")(); } });
      return include("inner", trap);
    })()`,
    works: false,
  },
  "frames of the stack": {
    code: `(() => {
      Error.prepareStackTrace = (error, frames) => frames;
      const frames = new Error().stack;
      return frames.map((frame) => frame.getThis() ?? frame.getFunction()).find((each) => each)
        .constructor.constructor("return process")();
    })()`,
    works: false,
  },
  "a custom stack": {
    code: `(() => {
      const holder = {};
      Error.captureStackTrace(holder);
      return holder.stack.includes("/host/") ? { pid: 1 } : undefined;
    })()`,
    works: false,
  },
  "the global object by indirect eval": { code: '(0, eval)("process")', works: true },
  "the global object by this": { code: "(function () { return this; })().process", works: false },
  "the global object by its name": { code: "globalThis.process", works: true },
  "a module's require": { code: 'require("node:process")', works: false },
  "a getter on the prototype of all objects": {
    code: `(() => {
      Object.defineProperty(Object.prototype, "version", { get() { return process; }, configurable: true });
      try { return ({}).version; } finally { delete Object.prototype.version; }
    })()`,
    works: true,
  },
  "the arguments of the caller": { code: "arguments.callee.caller.arguments[0]", works: false },
};

t.test("attempts to reach the process fail, and leave the next report clean", async (t) => {
  const report = (code: string) =>
    `<% const found = ${code}; %><%= found && typeof found.pid === "number" ? "reached" : "held" %>`;
  const names = Object.keys(attempts);
  const templates = (prefix: string, changes: object = {}) =>
    Object.fromEntries(
      names.map((name, index) => {
        const key = `${prefix}-${index}`;
        return [
          key,
          { ...reportOnly(key, report(attempts[name]?.code ?? ""), { ...changes }), "inner.ejs": "inner" },
        ];
      }),
    );
  const clean = '<%= ({}).version === undefined && [1, 2].join("-") %> <%= d.money("1.5", "EUR") %>';
  const folder = t.testdir({
    ...templates("strict"),
    ...templates("open", { allowUnsafeVelocityAccess: true }),
    clean: reportOnly("clean", clean),
  });
  const allowUnsafeVelocityAccess = names.map((_, index) => `open-${index}`);
  const service = await startTemplates(t, folder, { allowUnsafeVelocityAccess });
  const data = { items: [] };
  const outcome = (key: string) => renderBody(service, key, { data }).catch((error: Error) => error.message);
  for (const [index, name] of names.entries()) {
    const strict = problems(service).includes(`strict-${index}`) ? "held" : await attempt(`strict-${index}`);
    t.not(strict, "reached", `${name}: ${strict}`);
    if (attempts[name]?.works) t.equal(await attempt(`open-${index}`), "reached", `${name}, unprotected`);
    t.equal(await outcome("clean"), "1-2 EUR 1.50", `after ${name}`);
  }

  /** A template that is refused altogether has no version. */
  async function attempt(key: string): Promise<string> {
    return (await service.find(key, "en")) ? outcome(key) : "refused";
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
  t.equal(await renderBody(service, "changes"), "");
  t.notMatch(await renderBody(service, "stack"), /\/|node:|file:/, "a stack names no place");
  for (const _ of [1, 2])
    t.equal(await renderBody(service, "shared"), "", "nothing is kept for the next report");
  t.equal(await renderBody(service, "after"), "undefined|||a|1");
});

t.test("a template that does not end costs its own report", async (t) => {
  const folder = t.testdir({
    loop: reportOnly("loop", "<% for (;;) {} %>"),
    caught: reportOnly("caught", "<% for (;;) { try { for (;;) {} } catch {} finally {} } %>"),
    pattern: reportOnly("pattern", `<%= /^(a+)+$/.test("a".repeat(60) + "b") %>`),
    later: reportOnly("later", "<% (async () => { for (;;) await null; })() %>x"),
    rejected: reportOnly("rejected", '<% (async () => { throw new Error("later"); })() %>x'),
    thenable: reportOnly("thenable", "<% (async () => { await { then() { for (;;) {} } }; })() %>x"),
    good: reportOnly("good", "good"),
  });
  const service = await startTemplates(t, folder, { timeLimit: 1000, queueLimit: 8 });
  t.equal(problems(service), "");
  const tooLong = {
    code: 500,
    id: "template-error",
    message: /failed at report\.ejs: not finished after 1000 ms$/,
    additionalInformation: { file: "report.ejs" },
  };
  for (const key of ["loop", "caught", "pattern", "later", "thenable"]) {
    const [failed, ...others] = await Promise.all([
      failure(service, key),
      renderBody(service, "good"),
      renderBody(service, "good"),
    ]);
    t.match(failed, tooLong, key);
    t.strictSame(others, ["good", "good"], `those that waited for ${key} go on`);
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

t.test("a template that takes too much ends alone", async (t) => {
  const folder = t.testdir({
    output: reportOnly("output", "<% for (;;) { %>0123456789<% } %>"),
    double: {
      ...reportOnly("double", '<%- include("big") %><%- include("big") %>'),
      "big.ejs": '<%= "x".repeat(60000) %>',
    },
    header: { ...reportOnly("header", "x"), "header.ejs": '<%= "x".repeat(60000) %>' },
    memory: reportOnly(
      "memory",
      "<% const all = []; for (;;) all.push(new Array(1000).fill(all.length)); %>",
    ),
    text: reportOnly(
      "text",
      '<% let text = "x"; const all = []; for (;;) { text += text.slice(0, 1e6) + "y"; all.push([...text]); } %>',
    ),
    stack: reportOnly("stack", "\n<% const dive = () => dive() + 1; dive(); %>"),
    good: reportOnly("good", "good"),
  });
  const service = await startTemplates(t, folder, { memoryLimit: 64, outputLimit: 100_000 });
  t.equal(problems(service), "");
  const expected: Record<string, RegExp> = {
    output: /report\.ejs:1: the output has more than 100000 characters/,
    double: /report\.ejs:1: the output has more than 100000 characters/,
    header: /header\.ejs: the output has 60000 characters; a margin may have 20000/,
    memory: /needs more than 64 MB of memory/,
    text: /needs more than 64 MB of memory/,
    stack: /report\.ejs:2: Maximum call stack size exceeded/,
  };
  for (const [key, message] of Object.entries(expected)) {
    const [failed, other] = await Promise.all([failure(service, key), renderBody(service, "good")]);
    t.match(failed, { code: 500, id: "template-error", message }, key);
    t.equal(other, "good", `what waited for ${key} goes on`);
  }
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
